/// Words that people know from other programs, and what to type instead.
enum Suggestions {
    /// Commands that work under another name, too.
    static let aliases = [
        "ls": "list", "log": "list", "show": "read", "cat": "read", "add": "follow", "subscribe": "follow",
        "grep": "search", "find": "search",
    ]

    /// What to type for commands that don't exist here.
    static let commands = [
        "rm": "blog unfollow NAME", "remove": "blog unfollow NAME", "update": "blog sync", "fetch": "blog sync",
    ]

    /// What to type for options that don't exist here.
    static let options = [
        "-o": "blog … > FILE", "--output": "blog … > FILE", "--no-color": "--color never", "--plain": "--format text",
        "--csv": "--format csv", "--html": "--format html", "--after": "--since DATE", "--before": "--until DATE",
        "--starred": "--saved", "--count": "blog list --format ids | wc -l",
    ]
}

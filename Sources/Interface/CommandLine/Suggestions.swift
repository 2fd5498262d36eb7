/// Words that people know from other programs, and what to type instead.
enum Suggestions {
    /// Commands that work under another name, too.
    static let aliases = [
        "ls": "list", "log": "list", "show": "read", "cat": "read", "add": "follow", "subscribe": "follow",
        "grep": "search", "find": "search",
    ]

    /// What to type for commands that don't exist here.
    static let commands = [
        "rm": "blog unfollow NAME", "remove": "blog unfollow NAME", "delete": "blog unfollow NAME",
        "unsubscribe": "blog unfollow NAME",
        "update": "blog sync", "fetch": "blog sync", "pull": "blog sync", "download": "blog sync", "reload": refreshing,
        "refresh": refreshing,
        "import": "blog follow FILE", "opml": "blog sources --format opml", "feeds": "blog sources",
        "subscriptions": "blog sources", "blogs": "blog sources",
        "export": "blog store export", "backup": "blog store export", "restore": "blog store import FILE",
        "prune": "blog store prune", "vacuum": "blog store vacuum",
        "unread": "blog list --unread", "new": "blog list --new", "saved": "blog list --saved",
        "starred": "blog list --saved",
        "next": "blog read next", "latest": "blog read latest", "last": "blog read last",
        "star": marking, "save": marking, "unstar": "blog mark unsaved ID", "unsave": "blog mark unsaved ID",
        "tag": "blog label add LABEL ID", "tui": "blog browse",
        "keys": keys, "help-keys": keys, "settings": "blog config",
    ]

    private static let refreshing = "blog sync, or blog list --refresh"
    private static let marking = "blog mark saved ID"
    private static let keys = "blog help browse"

    /// What to type for options that don't exist here.
    static let options = [
        "-o": "blog … > FILE", "--output": "blog … > FILE", "--no-color": "--color never", "--plain": "--format text",
        "--csv": "--format csv", "--html": "--format html", "--after": "--since DATE", "--before": "--until DATE",
        "--starred": "--saved", "--mark": "--highlight WORDS", "--count": "blog list --format ids | wc -l",
    ]
}

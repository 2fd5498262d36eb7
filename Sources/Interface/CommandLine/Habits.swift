/// Names that people know from other programs.
package enum Habits {
    /// Aliases of commands.
    static let names = [
        "ls": "list", "show": "read", "cat": "read", "view": "read", "add": "follow", "subscribe": "follow",
        "log": "list", "find": "search", "grep": "search", "unsubscribe": "unfollow",
    ]

    /// What to type for commands of other tools.
    static let answers = [
        "remove": "blog unfollow NAME", "rm": "blog unfollow NAME", "delete": "blog unfollow NAME",
        "update": "blog sync", "fetch": "blog sync", "pull": "blog sync", "download": "blog sync",
        "refresh": "blog list --refresh", "reload": "blog list --refresh", "feeds": "blog sources",
        "subscriptions": "blog sources", "urls": "blog sources", "import": "blog follow FILE.opml",
        "export": "blog sources --format opml", "backup": "blog store export > posts.jsonl",
        "star": "blog mark saved ID",
        "save": "blog mark saved ID", "bookmark": "blog mark saved ID", "unread": "blog list --unread",
        "saved": "blog list --saved", "starred": "blog list --saved", "new": "blog list --new",
        "today": "blog list --since today", "next": "blog read next", "latest": "blog read latest",
        "last": "blog read last",
        "comments": "blog read ID", "man": "blog help", "usage": "blog help",
        "settings": "blog config", "stats": "blog sources", "status": "blog sources",
        "authors": "blog list --group author", "top": "blog list -s hn", "best": "blog list -s hn --section best",
        "unmark": "blog mark unread ID or blog undo", "redo": "blog mark", "history": "blog undo --list",
        "upgrade": "blog sync", "install": "blog follow ADDRESS", "uninstall": "blog unfollow NAME",
        "info": "blog store", "doctor": "blog store check", "clean": "blog store vacuum", "less": "blog read ID",
        "count": "blog list --format ids | wc -l",
    ]

    /// What to type for options that a command doesn't have.
    package static let commandAnswers = [
        "read": [
            "--unread": "blog read next, blog read next:5 or blog list --unread",
            "--saved": "blog list --saved, then blog read ID",
            "--limit": "blog read latest:5",
        ]
    ]

    /// Options for the default behavior.
    static let defaults = [
        "-a": "all posts are listed", "--all": "all posts are listed", "--desc": "newest posts come first",
    ]

    /// Whether a word is an option of another tool.
    static func isKnown(_ option: String) -> Bool { optionAnswers[option] != nil || defaults[option] != nil }

    /// What to type for options of other tools.
    static let optionAnswers = [
        "-o": "blog … > FILE", "--output": "blog … > FILE", "-f": "--format", "-l": "--oneline", "-u": "--unread",
        "-L": "--limit N", "--web": "blog open ID",
        "--grep": "blog search WORDS", "--state": "--unread or --saved", "--jq": "--json | jq",
        "--count": "blog list --format ids | wc -l", "--number": "--limit N", "--max": "--limit N",
        "--after": "--since DATE", "--before": "--until DATE", "--from": "--since DATE", "--to": "--until DATE",
        "--feed": "-s NAME", "--sources": "-s NAME", "--order": "--sort", "--order-by": "--sort",
        "--asc": "--reverse", "--group-by": "--group", "--query": "blog search WORDS", "--search": "blog search WORDS",
        "--starred": "--saved", "--no-color": "--color never", "--plain": "--format text", "--csv": "--format csv",
        "--tsv": "--format tsv", "--html": "--format html", "--ids": "--format ids", "--markdown": "--format markdown",
        "--table": "--oneline", "--score": "--min-score N", "--points": "--min-score N", "--debug": "--verbose",
        "--silent": "--quiet", "--config": "--store PATH or blog config",
    ]
}

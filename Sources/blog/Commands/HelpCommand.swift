import BlogCommandLine
import BlogModel
import BlogTerminal

/// `blog help`: the commands, and the options of each.
enum HelpCommand: Command {
    static let description = Commands.help

    /// The first word of a command line that requests a page for `man`.
    static let request = "__man"

    static func run(_ invocation: Invocation, in context: Context) async throws -> CommandResult {
        let help = Help(width: min(await context.console.appearance.width, 100))
        if invocation.operands.count > 1 { throw UsageError.needlessOperand(invocation.operands[1]) }
        if invocation.has(.man) {
            try await context.console.print(try ManPages.about(invocation.operands.first).text(width: help.width))
            return CommandResult()
        }
        let name = invocation.operands.first
        if invocation.has(.json) {
            try await context.console.print(
                try name.map { try HelpJSON.page(Commands.named($0)) } ?? HelpJSON.overview(version: Program.version))
            return CommandResult()
        }
        guard let name else {
            try await context.console.print(help.overview())
            return CommandResult()
        }
        let isTopic = Help.topics.contains(name)
        try await context.console.print(isTopic ? help.topic(name) : help.page(try Commands.named(name)))
        return CommandResult()
    }

    /// Prints a page for `man`, or with `--list` the files of all pages.
    static func printPage(_ words: [String], in context: Context) async throws -> CommandResult {
        if words == ["--list"] {
            try await context.console.print(ManPages.all.map { $0.file + "\n" }.joined())
        } else {
            let date = Build.date ?? String(ISO8601.text(context.now()).prefix(10))
            try await context.console.print(try ManPages.about(words.first).mdoc(date: date))
        }
        return CommandResult()
    }
}

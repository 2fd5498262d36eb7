import Terminal

/// `blog help`: the commands, and the options of each.
enum HelpCommand: Command {
    static let name = "help"
    static let summary = "show help for blog or a command"
    static let operands = "[COMMAND|options|settings]"
    static let examples = [("blog help list", "options and examples of blog list")]
    static let options: [Option] = []
    static let hasSettings = false
    static var choices: [String] { Commands.all.map { $0.name } + Help.topics }

    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
        let help = Help(width: min(await context.console.appearance.width, 100))
        guard let name = invocation.operands.first else {
            try await context.console.print(help.overview())
            return .success
        }
        if invocation.operands.count > 1 { throw UsageError.needlessOperand(invocation.operands[1]) }
        let isTopic = Help.topics.contains(name)
        try await context.console.print(isTopic ? help.topic(name) : help.page(try Commands.named(name)))
        return .success
    }
}

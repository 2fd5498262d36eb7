import BlogCore

/// `blog help`: what there is, and how a command is used.
enum HelpCommand: Command {
    static let name = "help"
    static let summary = "explain the program or a command"
    static let operands = "[COMMAND]"
    static let examples = [("blog help list", "everything that blog list can do")]
    static let options: [Option] = []
    static let hasSettings = false
    static var choices: [String] { Commands.all.map { $0.name } }

    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
        let appearance = try await context.console.configure(invocation)
        let help = Help(width: min(appearance.width, 100))
        guard let name = invocation.operands.first else {
            try await context.console.print(help.overview())
            return .success
        }
        if invocation.operands.count > 1 { throw UsageError.needlessOperand(invocation.operands[1]) }
        try await context.console.print(help.page(try Commands.named(name)))
        return .success
    }
}

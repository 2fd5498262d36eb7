import BlogEssentials
import BlogTerminal

/// A parsed request to the program.
package enum Request {
    case version
    case command(CommandDescription, Invocation)

    /// Parses the words after the program's name, and reads the settings.
    ///
    /// Throws a ``UsageError``.
    package init(_ words: [String], _ environment: Environment) throws {
        var arguments = Arguments()
        do {
            if words != ["version"] { try arguments.parse(words) }
            if words == ["version"] || arguments.options[Option.version.name] != nil {
                self = .version
            } else if let command = arguments.command, arguments.options[Option.help.name] == nil {
                let settings = command.hasSettings ? try Settings(environment) : Settings()
                self = .command(command, try Invocation(arguments, of: command, settings))
            } else if let command = arguments.command {
                self = try .help(about: [command.name])
            } else if words.isEmpty {
                self = .command(
                    Commands.overview, try Invocation(operands: [], settings: Settings(environment)))
            } else if arguments.options[Option.help.name] != nil {
                self = try .help(about: [])
            } else {
                throw UsageError.missingOperand("a command")
            }
        } catch let error as UsageError {
            throw arguments.command.map { UsageError.about(error, command: $0.name) } ?? error
        }
    }

    private static func help(about topics: [String]) throws -> Request {
        .command(Commands.help, try Invocation(operands: topics))
    }
}

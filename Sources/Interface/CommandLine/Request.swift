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
            } else if arguments.options[Option.help.name] != nil {
                self = try .help(about: [])
            } else {
                guard arguments.options.keys.allSatisfy(Self.isGlobal) else {
                    throw UsageError.missingOperand("a command")
                }
                let (overview, settings) = (Commands.overview, try Settings(environment))
                self = .command(overview, try Invocation(arguments, of: overview, settings))
            }
        } catch let error as UsageError {
            throw arguments.command.map { UsageError.about(error, command: $0.name) } ?? error
        }
    }

    /// Whether an option applies without a command, which would have fields.
    private static func isGlobal(_ name: String) -> Bool {
        ![Option.json.name, Option.fields.name].contains(name)
            && Option.global.contains { [$0.name, $0.negation].contains(name) }
    }

    private static func help(about topics: [String]) throws -> Request {
        .command(Commands.help, try Invocation(operands: topics))
    }
}

import BlogEssentials
import BlogLibrary
import BlogRendering
import BlogTerminal

/// A parsed request to the program.
package enum Request {
    case version
    case command(CommandDescription, Invocation)

    /// Parses the words after the program's name, and reads the settings.
    ///
    /// Throws a ``UsageError``.
    package init(_ arguments: [String], _ environment: Environment) throws {
        if let word = Arguments.operands(of: arguments, known: Option.global).first,
            let command = try? Commands.named(word)
        {
            self = try Self.parsed(command, arguments, environment)
            return
        }
        // A command's own options may come before its name, so all are known until that is found.
        let all: Arguments
        do {
            all = try Arguments(arguments, known: Commands.everyOption, takesDashes: true)
        } catch let error as UsageError {
            let command = arguments.first { word in Commands.all.contains { $0.name == word } }
            throw command.map { Self.explained(error, $0) } ?? error
        }
        if all.options["version"] != nil || all.operands.first == "version" {
            self = .version
        } else if let name = all.operands.first {
            guard !name.hasPrefix("-") else { throw UsageError.unknownOption(name, nearest: nil) }
            self = try Self.parsed(try Commands.named(name), arguments, environment)
        } else {
            guard all.options["help"] != nil || arguments.isEmpty else { throw UsageError.missingOperand("a command") }
            self = .help([])
        }
    }

    private static func help(_ topics: [String]) -> Request {
        .command(Commands.help, Invocation(operands: topics, OptionValues(flags: [:])))
    }

    private static func parsed(
        _ command: CommandDescription, _ arguments: [String], _ environment: Environment
    ) throws -> Request {
        do {
            let own = try Arguments(
                arguments, known: command.allOptions, takesDashes: command.takesDashes,
                fields: command.operands.isEmpty ? command.fields : [])
            if own.options["version"] != nil { return .version }
            if own.options["help"] != nil { return .help([command.name]) }
            return .command(command, try invocation(of: command, own, environment))
        } catch let error as UsageError {
            throw explained(error, command.name)
        }
    }

    private static func invocation(
        of command: CommandDescription, _ own: Arguments, _ environment: Environment
    ) throws -> Invocation {
        var flags = own.options
        let operands = Array(own.operands.dropFirst())
        if let format = flags["format"].flatMap(Format.init(rawValue:)), !command.formats.contains(format) {
            guard !command.formats.isEmpty else {
                throw UsageError.notHere(option: "format", "blog list --format \(format.rawValue)")
            }
            let known = Counted.choices(command.formats.map(\.rawValue))
            throw UsageError.badValue(format.rawValue, option: "format", expected: known, nearest: nil)
        }
        if flags["url"] != nil, flags["source"] == nil { flags["source"] = kind(of: command.ids(among: operands)) }
        let options =
            command.hasSettings
            ? try OptionValues(flags: flags, command: command, environment) : OptionValues(flags: flags)
        return Invocation(operands: operands, options)
    }

    /// An error in the arguments of a command; for options known from other programs, with what to type.
    private static func explained(_ error: UsageError, _ command: String) -> UsageError {
        guard case .unknownOption(let name, _) = error, let answer = Habits.commandAnswers[command]?[name] else {
            return .about(error, origin: nil, command: command)
        }
        return .elsewhere("option \(name)", answer)
    }

    /// The kind of source that all ids begin with, if there is one: a typed address is then of that kind.
    private static func kind(of ids: [String]) -> String? {
        let named = Set(
            ids.map { id in id.split(separator: ":").first.flatMap { SourceRegistry.kind(named: String($0)) }?.name })
        return named.count == 1 ? named.first ?? nil : nil
    }
}

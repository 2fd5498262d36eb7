import BlogLibrary
import HTTP
import Terminal

/// A whole run of the program, from the arguments to the exit code.
enum Program {
    static let version = UserAgent.version

    /// Runs the command that the arguments name and says on stderr what went wrong.
    static func run(_ arguments: [String], in context: Context) async -> ExitCode {
        var code = ExitCode.failed
        do {
            code = try await dispatch(arguments, in: context)
        } catch {
            let failure = Failure(error)
            await context.console.error(failure.message)
            code = failure.exitCode
        }
        do {
            try await context.console.close()
        } catch {
            let failure = Failure(error)
            await context.console.error(failure.message)
            if code == .success { code = failure.exitCode }
        }
        return code
    }

    private static func dispatch(_ arguments: [String], in context: Context) async throws -> ExitCode {
        if arguments.first == Completion.request {
            return try await CompletionsCommand.printCandidates(Array(arguments.dropFirst()), in: context)
        }
        // The command's name is not known before its options are, as options may come first; so all are known at first.
        let everyOption = Commands.everyOption
        let word = Arguments.operands(of: arguments, known: Option.global).first
        let likely = word.flatMap { try? Commands.named($0) }.map { Option.global + $0.options }
        let all: Arguments
        do {
            all = try Arguments(arguments, known: likely ?? everyOption, takesDashes: true)
        } catch let error as UsageError {
            let command = arguments.first { word in Commands.all.contains { $0.name == word } }
            throw command.map { explained(error, $0) } ?? error
        }
        if all.options["version"] != nil {
            try await context.console.print("blog \(version)\n")
            return .success
        }
        guard let name = all.operands.first else {
            guard all.options["help"] != nil || arguments.isEmpty else { throw UsageError.missingOperand("a command") }
            return try await HelpCommand.run(Invocation(operands: [], options: [:]), in: context)
        }
        if name == "version" {
            try await context.console.print("blog \(version)\n")
            return .success
        }
        guard !name.hasPrefix("-") else { throw UsageError.unknownOption(name, nearest: nil) }
        let command = try Commands.named(name)
        if all.options["help"] != nil {
            return try await HelpCommand.run(Invocation(operands: [name], options: [:]), in: context)
        }
        let known = Option.global + command.options
        do {
            let own = try Arguments(
                arguments, known: known, takesDashes: command.takesDashes,
                fields: command.operands.isEmpty ? command.fields : [])
            return try await run(command, own, every: everyOption, in: context)
        } catch let error as UsageError {
            throw explained(error, name)
        }
    }

    /// An error in the arguments of a command; for options that people expect there, what to type.
    private static func explained(_ error: UsageError, _ command: String) -> UsageError {
        guard case .unknownOption(let name, _) = error, let answer = Habits.commandAnswers[command]?[name] else {
            return .about(error, origin: nil, command: command)
        }
        return .elsewhere("option \(name)", answer)
    }

    /// The kind of source that all ids of a command line begin with, if there is one: an address that is typed with
    /// them is of that kind.
    private static func kind(of ids: [String]) -> String? {
        let named = Set(
            ids.map { id in id.split(separator: ":").first.flatMap { SourceRegistry.kind(named: String($0)) }?.name })
        return named.count == 1 ? named.first ?? nil : nil
    }

    private static func run(
        _ command: any Command.Type, _ own: Arguments, every: [Option], in context: Context
    ) async throws -> ExitCode {
        var flags = own.options
        if let format = flags["format"].flatMap(Format.init(rawValue:)), !command.formats.contains(format) {
            let known = Counted.choices(command.formats.map(\.rawValue))
            throw UsageError.badValue(format.rawValue, option: "format", expected: known, nearest: nil)
        }
        if flags["url"] != nil, flags["source"] == nil {
            flags["source"] = kind(of: command.ids(among: Array(own.operands.dropFirst())))
        }
        let options =
            command.hasSettings
            ? try GivenOptions(flags: flags, command: command, every: every, context.environment)
            : GivenOptions(flags: flags)
        let invocation = Invocation(
            operands: Array(own.operands.dropFirst()), options: options.values, preset: options.preset)
        do {
            try await context.console.configure(Appearance.Options(invocation))
            return try await command.run(invocation, in: context)
        } catch UsageError.badValue(let value, let option, let expected, let nearest) {
            let error = UsageError.badValue(value, option: option, expected: expected, nearest: nearest)
            throw UsageError.about(error, origin: options.origins[option], command: command.name)
        } catch let error where error is LibraryError || error is SourceError {
            throw PlacedError(error: error, sourceWords: invocation.sourceWords)
        }
    }
}

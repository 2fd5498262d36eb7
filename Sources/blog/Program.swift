import BlogLibrary
import CommandLine
import Essentials
import HTTP
import Rendering
import Store
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
        if arguments.first == HelpCommand.request {
            return try await HelpCommand.printPage(Array(arguments.dropFirst()), in: context)
        }
        if let word = Arguments.operands(of: arguments, known: Option.global).first,
            let command = try? Commands.named(word)
        {
            return try await run(command, arguments, in: context)
        }
        // A command's own options may come before its name, so all are known until that is found.
        let all: Arguments
        do {
            all = try Arguments(arguments, known: Commands.everyOption, takesDashes: true)
        } catch let error as UsageError {
            let command = arguments.first { word in Commands.all.contains { $0.name == word } }
            throw command.map { explained(error, $0) } ?? error
        }
        if all.options["version"] != nil || all.operands.first == "version" { return try await printVersion(context) }
        guard let name = all.operands.first else {
            guard all.options["help"] != nil || arguments.isEmpty else { throw UsageError.missingOperand("a command") }
            return try await help([], in: context)
        }
        guard !name.hasPrefix("-") else { throw UsageError.unknownOption(name, nearest: nil) }
        return try await run(try Commands.named(name), arguments, in: context)
    }

    private static let commands: [any Command.Type] = [
        FollowCommand.self, UnfollowCommand.self, SourcesCommand.self, ListCommand.self, ReadCommand.self,
        BrowseCommand.self, SearchCommand.self, SyncCommand.self, OpenCommand.self, MarkCommand.self, UndoCommand.self,
        StoreCommand.self, ConfigCommand.self, CompletionsCommand.self, HelpCommand.self,
    ]

    /// The command that does what a description says.
    private static func command(_ description: CommandDescription) throws -> any Command.Type {
        guard let command = commands.first(where: { $0.description.name == description.name }) else {
            throw UsageError.unknownCommand(description.name, nearest: nil)
        }
        return command
    }

    private static func printVersion(_ context: Context) async throws -> ExitCode {
        try await context.console.print("blog \(version) (\(Build.text))\n")
        return .success
    }

    private static func help(_ topics: [String], in context: Context) async throws -> ExitCode {
        await context.console.configure(Appearance.Options())
        return try await HelpCommand.run(Invocation(operands: topics, options: [:]), in: context)
    }

    private static func run(
        _ command: CommandDescription, _ arguments: [String], in context: Context
    ) async throws -> ExitCode {
        do {
            let own = try Arguments(
                arguments, known: command.allOptions, takesDashes: command.takesDashes,
                fields: command.operands.isEmpty ? command.fields : [])
            if own.options["version"] != nil { return try await printVersion(context) }
            if own.options["help"] != nil { return try await help([command.name], in: context) }
            return try await run(command, own, in: context)
        } catch let error as UsageError {
            throw explained(error, command.name)
        }
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

    private static func run(
        _ command: CommandDescription, _ own: Arguments, in context: Context
    ) async throws -> ExitCode {
        var flags = own.options
        if let format = flags["format"].flatMap(Format.init(rawValue:)), !command.formats.contains(format) {
            guard !command.formats.isEmpty else {
                throw UsageError.notHere(option: "format", "blog list --format \(format.rawValue)")
            }
            let known = Counted.choices(command.formats.map(\.rawValue))
            throw UsageError.badValue(format.rawValue, option: "format", expected: known, nearest: nil)
        }
        if flags["url"] != nil, flags["source"] == nil {
            flags["source"] = kind(of: command.ids(among: Array(own.operands.dropFirst())))
        }
        let options =
            command.hasSettings
            ? try OptionValues(flags: flags, command: command, every: Commands.everyOption, context.environment)
            : OptionValues(flags: flags)
        let invocation = Invocation(
            operands: Array(own.operands.dropFirst()), options: options.values, preset: options.preset)
        do {
            try await context.console.configure(Appearance.Options(invocation))
            return try await Self.command(command).run(invocation, in: context)
        } catch UsageError.badValue(let value, let option, let expected, let nearest) {
            let error = UsageError.badValue(value, option: option, expected: expected, nearest: nearest)
            throw UsageError.about(error, origin: options.origins[option], command: command.name)
        } catch let error where error is LibraryError || error is SourceError || error is StoreError {
            throw PlacedError(error: error, sourceWords: invocation.sourceWords, storeWords: invocation.storeWords)
        }
    }
}

/// A command at work.
protocol Command: Sendable {
    static var description: CommandDescription { get }

    /// Does the work; ``Failure`` turns errors into a message and an exit code.
    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode
}

/// The environment of a command: everything that a test replaces.
struct Context: Sendable {
    let console: Console
    let environment: Environment
    /// The transport, one for the whole run.
    let transport: any Transport
    let now: @Sendable () -> Date
}

/// How the program ends.
///
/// The README documents the numbers.
enum ExitCode: Int32 {
    case success = 0
    case failed = 1
    case usage = 2
    case noSuchPost = 3
    case nothingToShow = 4
    case partly = 5
}

import BlogMarkup
import BlogCommandLine
import BlogEssentials
import BlogHTTP
import BlogLibrary
import BlogModel
import BlogTerminal

/// A whole run of the program, from the arguments to the exit code.
enum Program {
    static let version = UserAgent.version

    /// Runs the command in the arguments, and reports errors on stderr.
    static func run(_ arguments: [String], in context: Context) async -> ExitCode {
        if Arguments.wantJSON(arguments) { await context.console.writeJSON() }
        var result: CommandResult
        do {
            result = try await dispatch(arguments, in: context)
        } catch {
            await context.console.error(Failure(error))
            result = CommandResult(error)
        }
        do {
            try await context.console.close()
        } catch {
            await context.console.error(Failure(error))
            if result.exitCode == .success { result = CommandResult(error) }
        }
        return result.exitCode
    }

    private static func dispatch(_ arguments: [String], in context: Context) async throws -> CommandResult {
        if arguments.first == Completion.request {
            return try await CompletionsCommand.printCandidates(Array(arguments.dropFirst()), in: context)
        }
        if arguments.first == HelpCommand.request {
            return try await HelpCommand.printPage(Array(arguments.dropFirst()), in: context)
        }
        switch try await request(arguments, context.environment) {
        case .version:
            try await context.console.print("blog \(version) (\(Build.text))\n")
            return CommandResult()
        case .command(let description, let invocation):
            return try await run(try command(description), invocation, in: context)
        }
    }

    /// Throws a ``UsageError``, which for the name of a source says how to list its posts.
    private static func request(_ arguments: [String], _ environment: Environment) async throws -> Request {
        do {
            return try Request(arguments, environment)
        } catch UsageError.unknownCommand(let name, let nearest) {
            guard case .command(_, let invocation)? = try? Request([Commands.sources.name], environment),
                case let path = invocation.storePath(environment), FileManager.default.fileExists(atPath: path),
                let archive = try? Archive(path: path),
                (try? await archive.hasSource(named: name)) == true
            else { throw UsageError.unknownCommand(name, nearest: nearest) }
            throw UsageError.elsewhere("command “\(name)”", "blog list -s \(ShellWords.quoted(name))")
        }
    }

    private static func run(
        _ command: any Command.Type, _ invocation: Invocation, in context: Context
    ) async throws -> CommandResult {
        do {
            try await context.console.configure(invocation.appearance())
            return try await command.run(invocation, in: context)
        } catch let error as UsageError {
            throw UsageError.about(error, command: command.description.name)
        } catch let error where error is LibraryError || error is SourceError || error is StoreError {
            var followsNothing = true
            if case LibraryError.unreachable = error {
                let archive = try? Archive(path: invocation.storePath(context.environment))
                followsNothing = (try? await archive?.followsNothing()) ?? true
            }
            throw ErrorInContext(
                error: error,
                options: RepeatedOptions(source: invocation.sourceArguments, store: invocation.storeArguments),
                placeOfSources: invocation.placeOfSources, followsNothing: followsNothing)
        }
    }

    private static let commands: [any Command.Type] = [
        FollowCommand.self, UnfollowCommand.self, SourcesCommand.self, ListCommand.self, ReadCommand.self,
        BrowseCommand.self, SearchCommand.self, SyncCommand.self, OpenCommand.self, MarkCommand.self,
        LabelCommand.self, RuleCommand.self, UndoCommand.self, StoreCommand.self, ConfigCommand.self,
        CompletionsCommand.self,
        HelpCommand.self, OverviewCommand.self,
    ]

    /// The command with a description.
    private static func command(_ description: CommandDescription) throws -> any Command.Type {
        guard let command = commands.first(where: { $0.description.name == description.name }) else {
            throw UsageError.unknownCommand(description.name, nearest: nil)
        }
        return command
    }
}

/// The implementation of a command.
protocol Command: Sendable {
    static var description: CommandDescription { get }

    /// Does the work; an error that it throws gets its message from ``Failure``.
    static func run(_ invocation: Invocation, in context: Context) async throws -> CommandResult
}

/// The environment of a command: everything that a test replaces.
struct Context: Sendable {
    let console: Console
    let environment: Environment
    /// The transport, one for the whole run.
    let transport: any Transport
    let now: @Sendable () -> Date
}

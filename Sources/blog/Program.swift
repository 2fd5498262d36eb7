import BlogLibrary
import BlogCommandLine
import BlogEssentials
import BlogHTTP
import BlogStore
import BlogTerminal

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
        switch try Request(arguments, context.environment) {
        case .version:
            try await context.console.print("blog \(version) (\(Build.text))\n")
            return .success
        case .command(let description, let invocation):
            return try await run(try command(description), invocation, in: context)
        }
    }

    private static func run(
        _ command: any Command.Type, _ invocation: Invocation, in context: Context
    ) async throws -> ExitCode {
        do {
            try await context.console.configure(Appearance.Options(invocation))
            return try await command.run(invocation, in: context)
        } catch let error as UsageError {
            throw invocation.explained(error, command: command.description.name)
        } catch let error where error is LibraryError || error is SourceError || error is StoreError {
            var isFirstUse = true
            if case LibraryError.unreachable = error {
                let archive = try? Archive(path: invocation.storePath(context.environment))
                isFirstUse = (try? await archive?.typedIDs().isEmpty) ?? true
            }
            throw PlacedError(
                error: error, sourceWords: invocation.sourceWords, storeWords: invocation.storeWords,
                isFirstUse: isFirstUse)
        }
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

import BlogLibrary

/// A command: what the parser and the help need to know of it, and what it does.
protocol Command: Sendable {
    static var name: String { get }
    /// One line for the list of commands.
    static var summary: String { get }
    /// The operands as the help shows them: "ID...".
    static var operands: String { get }
    /// A command line that shows it at its best, then others, each with what it does.
    static var examples: [(String, String)] { get }
    /// The options it takes in addition to the global ones.
    static var options: [Option] { get }

    /// The names that `--fields` takes; none if it makes no sense.
    static var fields: [String] { get }
    /// The formats in which it can print.
    static var formats: [Format] { get }
    /// Whether an operand may begin with a dash, as in `-word`.
    static var takesDashes: Bool { get }
    /// Whether the settings file and the environment stand in for options that were not given: what only tells of the
    /// program works though they are wrong.
    static var hasSettings: Bool { get }
    /// The words of which the first operand is one; none if it is something else.
    static var choices: [String] { get }
    /// Whether its operands are names of sources that are followed.
    static var takesSources: Bool { get }
    /// Which of some operands are ids of posts, which may name their source, as `hn:8863` does.
    static func ids(among operands: [String]) -> [String]

    /// Does the work; what it throws becomes a sentence and an exit code in ``Failure``.
    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode
}

extension Command {
    static var fields: [String] { [] }
    static var formats: [Format] { Format.ofPosts }
    static var takesDashes: Bool { false }
    static var hasSettings: Bool { true }
    static var choices: [String] { [] }
    static var takesSources: Bool { false }
    static func ids(among operands: [String]) -> [String] { [] }
}

/// The table of commands that the parser, the help and shells share.
enum Commands {
    static let all: [any Command.Type] = [
        FollowCommand.self, UnfollowCommand.self, SourcesCommand.self, ListCommand.self, ReadCommand.self,
        SearchCommand.self, SyncCommand.self, OpenCommand.self, MarkCommand.self, UndoCommand.self,
        StoreCommand.self, ConfigCommand.self, CompletionsCommand.self, HelpCommand.self,
    ]

    /// The options of all commands; one of several commands takes the words of each.
    static var everyOption: [Option] {
        all.flatMap { $0.options }.reduce(into: Option.global) { options, option in
            guard let index = options.firstIndex(where: { $0.name == option.name }) else {
                return options.append(option)
            }
            guard case .oneOf(let known) = options[index].value, case .oneOf(let more) = option.value else { return }
            options[index] = Option(
                name: option.name, value: .oneOf(known + more.filter { !known.contains($0) }), help: option.help)
        }
    }

    /// The command of that name.
    ///
    /// Throws ``UsageError/unknownCommand(_:nearest:)``.
    static func named(_ name: String) throws -> any Command.Type {
        let name = Habits.names[name] ?? name
        if let command = all.first(where: { $0.name == name }) { return command }
        if let answer = Habits.answers[name] { throw UsageError.elsewhere("command “\(name)”", answer) }
        if name.contains(where: \.isNumber) {
            throw UsageError.elsewhere("command “\(name)”", name.hasPrefix("-") ? "-n N" : "blog read \(name)")
        }
        if SourceRegistry.kind(named: name) != nil {
            throw UsageError.elsewhere("command “\(name)”", "blog list -s \(name)")
        }
        throw UsageError.unknownCommand(name, nearest: NearestName.of(name, among: all.map { $0.name }))
    }
}

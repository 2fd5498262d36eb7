import BlogLibrary
import Rendering

/// A command: its description for the parser and the help, and its work.
protocol Command: Sendable {
    static var name: String { get }
    /// One line for the list of commands.
    static var summary: String { get }
    /// Paragraphs for the manual page.
    static var details: [String] { get }
    /// The operands as the help shows them: "ID...".
    static var operands: String { get }
    /// Command lines with their descriptions, the most useful one first.
    static var examples: [(String, String)] { get }
    /// The options it takes in addition to the global ones.
    static var options: [Option] { get }

    /// The names that `--fields` takes; none if it makes no sense.
    static var fields: [String] { get }
    /// The formats in which it can print.
    static var formats: [Format] { get }
    /// Whether an operand may begin with a dash, as in `-word`.
    static var takesDashes: Bool { get }
    /// Whether the settings file and the environment apply: commands about the program itself work even if those are
    /// wrong.
    static var hasSettings: Bool { get }
    /// The valid words for the first operand; none if it isn't a word.
    static var choices: [String] { get }
    /// Whether its operands are names of sources that are followed.
    static var takesSources: Bool { get }
    /// The ids of posts among some operands; they may name their source, as `hn:8863` does.
    static func ids(among operands: [String]) -> [String]

    /// Does the work; ``Failure`` turns errors into a message and an exit code.
    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode
}

extension Command {
    /// Its own options, and the global ones that it doesn't describe itself.
    static var allOptions: [Option] {
        Option.global.filter { option in !options.contains { $0.name == option.name } } + options
    }

    static var details: [String] { [] }
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
        BrowseCommand.self, SearchCommand.self, SyncCommand.self, OpenCommand.self, MarkCommand.self, UndoCommand.self,
        StoreCommand.self, ConfigCommand.self, CompletionsCommand.self, HelpCommand.self,
    ]

    /// The options of all commands; an option of several commands takes the words of each.
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

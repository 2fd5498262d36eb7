import BlogLibrary
import Markup
import Model
import Rendering
import Store
import Terminal

/// `blog completions`: prints the completion script of a shell.
enum CompletionsCommand: Command {
    static let name = "completions"
    static let summary = "print a completion script for your shell"
    static let operands = choices.joined(separator: "|")
    static let examples = [
        ("eval \"$(blog completions bash)\"", "put this into ~/.bashrc"),
        ("eval \"$(blog completions zsh)\"", "put this into ~/.zshrc, after compinit"),
        ("blog completions fish > ~/.config/fish/completions/blog.fish", "install for fish"),
    ]
    static let options: [Option] = []
    static let hasSettings = false
    static let choices = Shell.allCases.map(\.rawValue)

    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
        guard let name = invocation.operands.first else {
            throw UsageError.missingOperand(Counted.choices(choices))
        }
        if invocation.operands.count > 1 { throw UsageError.needlessOperand(invocation.operands[1]) }
        guard let shell = Shell(rawValue: name) else {
            throw UsageError.unknownAction(name, known: choices, nearest: NearestName.of(name, among: choices))
        }
        try await context.console.print(shell.script)
        return .success
    }

    /// Prints the candidates for a shell: one a line, a tab, and a description.
    static func printCandidates(_ words: [String], in context: Context) async throws -> ExitCode {
        let completion = Completion(words)
        let candidates: [Completion.Candidate]
        switch completion.place {
        case .words(let found): candidates = found
        // Completion prints no error messages; without ids there are no candidates.
        case .id: candidates = (try? await ids(completion, in: context)) ?? []
        case .folder: candidates = (try? await folders(completion, in: context)) ?? []
        case .source: candidates = (try? await sources(completion, in: context)) ?? []
        case .author, .tag, .cursor: candidates = (try? await values(completion, in: context)) ?? []
        }
        for candidate in candidates {
            let meaning = TextLayout.truncate(Sanitizer.line(candidate.meaning), width: 60)
            try await context.console.print(Sanitizer.line(candidate.word) + "\t" + meaning + "\n")
        }
        return .success
    }

    /// The ids of the newest posts that are stored, with their titles.
    private static func ids(_ completion: Completion, in context: Context) async throws -> [Completion.Candidate] {
        let session = try await session(completion, in: context)
        // The beginning of an id may name another source than the options do.
        let prefix = completion.current.split(separator: ":", omittingEmptySubsequences: false)
        let named = prefix.count > 1 ? try? await session.library.scope(named: [String(prefix[0])]) : nil
        let list = try await session.library.list(Query(limit: maxLooked), in: named ?? session.scope)
        var candidates: [Completion.Candidate] = []
        for try await post in list.posts {
            let id = session.typedIDs.text(post.id)
            guard id.hasPrefix(completion.current), isHarmless(id) else { continue }
            candidates.append(Completion.Candidate(word: id, meaning: post.metadata.title))
            if candidates.count == maxIDs { break }
        }
        return candidates
    }

    /// The names of the followed sources, and of the kinds of source.
    private static func sources(
        _ completion: Completion, in context: Context
    ) async throws -> [Completion.Candidate] {
        let followed = try? await session(completion, in: context).library.sources().filter(\.isFollowed)
        let kinds = SourceRegistry.kinds.filter { $0.defaultAddress != nil }.map {
            Completion.Candidate(word: $0.idPrefix, meaning: $0.description)
        }
        let isUnfollow = completion.before.contains(UnfollowCommand.name)
        let all =
            (followed ?? []).map { Completion.Candidate(word: $0.name, meaning: $0.title ?? $0.id.address) }
            + (isUnfollow ? [] : kinds)
        // Only the last of several names is completed.
        let start = completion.current.lastIndex { $0 == "," || $0 == "=" }.map { completion.current[...$0] } ?? ""
        let before = Set(start.split { $0 == "," || $0 == "=" }.map(String.init))
        return all.filter { !before.contains($0.word) }
            .map { Completion.Candidate(word: start + $0.word, meaning: $0.meaning) }
            .filter { $0.word.hasPrefix(completion.current) }
    }

    /// The folders of the followed sources, and their parents.
    private static func folders(
        _ completion: Completion, in context: Context
    ) async throws -> [Completion.Candidate] {
        let sources = try await session(completion, in: context).library.sources().filter(\.isFollowed)
        let folders = sources.flatMap { source in
            let names = FolderPath(source.folder).names
            return names.indices.map { FolderPath(Array(names[...$0])).text }
        }
        return fitting(folders, completion)
    }

    /// The authors or tags of stored posts, or the names of `--new`.
    private static func values(
        _ completion: Completion, in context: Context
    ) async throws -> [Completion.Candidate] {
        let session = try await session(completion, in: context)
        return switch completion.place {
        case .author: fitting(try await session.library.authors(in: session.scope), completion)
        case .tag: fitting(try await session.library.tags(in: session.scope), completion)
        case .cursor: fitting(try await session.library.cursors(), completion)
        default: []
        }
    }

    /// The values that begin as the typed one does, in whatever case.
    private static func fitting(_ values: [String], _ completion: Completion) -> [Completion.Candidate] {
        let option = completion.current.hasPrefix("-") ? completion.current.prefix { $0 != "=" } + "=" : ""
        let typed = Folding.fold(String(completion.current.dropFirst(option.count)))
        return Set(values).filter { isHarmlessValue($0) && Folding.fold($0).hasPrefix(typed) }.sorted()
            .map { Completion.Candidate(word: option + $0, meaning: "") }
    }

    /// A session for the typed options.
    private static func session(_ completion: Completion, in context: Context) async throws -> Session {
        let every = Commands.everyOption
        // The last word may be an option whose value is being typed.
        let flags =
            try (try? Arguments(completion.before, known: every, takesDashes: true).options)
            ?? Arguments(completion.before.dropLast(), known: every, takesDashes: true).options
        let given = try OptionValues(flags: flags, command: nil, every: every, context.environment)
        let options = [Option.source, .url, .store, .folder].reduce(into: [Option.offline.name: ""]) {
            $0[$1.name] = given.values[$1.name]
        }
        let invocation = Invocation(operands: [], options: options, preset: given.preset)
        return try await Session(invocation, in: context, isReadOnly: true)
    }

    /// Whether an id is safe in every shell: ids come from servers, and bash inserts them unquoted.
    private static func isHarmless(_ id: String) -> Bool {
        !id.hasPrefix("-") && id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || "-_.:".contains($0) }
    }

    /// The same of a folder, an author or a tag, which come from others, too.
    ///
    /// Spaces are escaped by the shell's own script.
    private static func isHarmlessValue(_ value: String) -> Bool {
        !value.isEmpty && !value.hasPrefix("-")
            && value.allSatisfy { $0.isLetter || $0.isNumber || "-_./+ ".contains($0) }
    }

    private static let maxIDs = 50
    private static let maxLooked = 2000
}

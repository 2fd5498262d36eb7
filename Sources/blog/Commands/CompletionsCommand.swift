import BlogCommandLine
import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// `blog completions`: prints the completion script of a shell.
enum CompletionsCommand: Command {
    static let description = Commands.completions

    static func run(_ invocation: Invocation, in context: Context) async throws -> CommandResult {
        guard let name = invocation.operands.first else {
            throw UsageError.missingOperand(Counted.choices(description.choices))
        }
        if invocation.operands.count > 1 { throw UsageError.needlessOperand(invocation.operands[1]) }
        guard let shell = Shell(rawValue: name) else {
            let choices = description.choices
            throw UsageError.unknownAction(name, known: choices, nearest: NearestName.of(name, among: choices))
        }
        try await context.console.print(shell.script)
        return CommandResult()
    }

    /// Prints the candidates for a shell: one a line, a tab, and a description.
    ///
    /// - Parameter words: the name of the shell and the typed words; without a shell, nothing is printed, because an older
    ///   script would insert it unquoted.
    static func printCandidates(_ words: [String], in context: Context) async throws -> CommandResult {
        guard let shell = words.first.flatMap(Shell.init) else { return CommandResult() }
        let completion = Completion(Array(words.dropFirst()))
        // Completion prints no errors: without a store, it has no candidates.
        for candidate in (try? await candidates(completion, in: context)) ?? [] {
            let word = shell.inserted(Sanitizer.line(candidate.word), over: completion.current)
            let meaning = TextLayout.truncate(Sanitizer.line(candidate.meaning), width: 60)
            try await context.console.print(word + "\t" + meaning + "\n")
        }
        return CommandResult()
    }

    private static func candidates(
        _ completion: Completion, in context: Context
    ) async throws -> [Completion.Candidate] {
        switch completion.place {
        case .words(let candidates): return candidates
        case .source:
            let followed = try? await followed(try await session(completion, in: context).library)
            return completion.sources((followed ?? []).map { ($0.name, $0.title ?? $0.id.address) })
        case .id: return try await ids(completion, try await session(completion, in: context))
        case .folder:
            let folders = try await followed(try await session(completion, in: context).library).flatMap { source in
                let names = FolderPath(source.folder).names
                return names.indices.map { FolderPath(Array(names[...$0])).text }
            }
            return completion.values(folders)
        case .author:
            let session = try await session(completion, in: context)
            return completion.values(try await session.library.authors(in: session.scope))
        case .tag:
            let session = try await session(completion, in: context)
            return completion.values(try await session.library.listing.tags(in: session.sources))
        case .label:
            return completion.values(try await session(completion, in: context).library.labels().map(\.label))
        case .cursor: return completion.values(try await session(completion, in: context).library.listing.cursors())
        }
    }

    private static func followed(_ library: Library) async throws -> [SourceState] {
        try await library.directory.states(of: library.resolve(.everything)).filter(\.isFollowed)
            + library.searches.all(areCounted: false)
    }

    /// The IDs of the newest stored posts, with their titles.
    private static func ids(_ completion: Completion, _ session: Session) async throws -> [Completion.Candidate] {
        // The beginning of an ID may name another source than the options do.
        let prefix = completion.current.split(separator: ":", omittingEmptySubsequences: false)
        let named = prefix.count > 1 ? try? await session.library.scope(named: [String(prefix[0])]) : nil
        let list = try await session.library.list(Query(limit: maxRead), in: named ?? session.scope)
        var candidates: [Completion.Candidate] = []
        for try await post in list.posts {
            let id = session.shortIDs.text(post.id)
            guard completion.accepts(id: id) else { continue }
            candidates.append(Completion.Candidate(word: id, meaning: post.metadata.title))
            if candidates.count == maxIDs { break }
        }
        return candidates
    }

    /// A session for the typed options.
    private static func session(_ completion: Completion, in context: Context) async throws -> Session {
        let selecting = [Option.source, .url, .store, .folder].map(\.name)
        var options = completion.options.filter { selecting.contains($0.key) }
        options[Option.offline.name] = ""
        let invocation = try Invocation(operands: [], options: options, settings: Settings(context.environment))
        return try await Session(invocation, in: context, for: .existing)
    }

    private static let maxIDs = 50
    private static let maxRead = 2000
}

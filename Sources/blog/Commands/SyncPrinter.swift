import BlogCore

/// Shows a sync while it runs: what was done on stdout where that was asked for, progress and failures on stderr.
actor SyncPrinter {
    private let console: Console
    private let source: String
    /// What is typed behind a command's name to ask the source.
    private let sourceWords: Message
    private var renderer: (any Renderer)?
    private var hasStarted = false
    private var failures = 0
    private var outputError: (any Error)?

    init(_ session: Session, renderer: (any Renderer)?) {
        console = session.console
        source = session.reader.sourceName
        sourceWords = session.sourceWords(for: session.reader)
        self.renderer = renderer
    }

    /// Takes note of a step.
    func take(_ event: SyncEvent) async {
        await console.observe(event)
        guard case .done(let post) = event else { return }
        await tell(post)
        // Whoever reads our output may go away; the sync goes on without.
        guard outputError == nil else { return }
        do {
            let text = start() + (renderer?.record(Self.record(post).typed(of: source)) ?? "")
            guard !text.isEmpty else { return }
            try await console.print(text)
            try await console.flush()
        } catch {
            outputError = error
        }
    }

    /// Ends the output; throws the ``OutputError`` that ended it before.
    func finish() async throws {
        if let outputError { throw outputError }
        let text = start() + (renderer?.end() ?? "")
        if !text.isEmpty { try await console.print(text) }
    }

    private func start() -> String {
        defer { hasStarted = true }
        return hasStarted ? "" : renderer?.start() ?? ""
    }

    private func tell(_ post: SyncedPost) async {
        guard case .failed(let error) = post.outcome else { return }
        failures += 1
        if failures <= Self.mostNamed {
            let id = SourceRegistry.typed(post.metadata.id, of: source)
            await console.error("The post “\(id)” failed: \(Failure(error).message ?? "")")
        } else if failures == Self.mostNamed + 1, renderer == nil {
            await console.error("More posts failed; see them all with: blog sync --json\(sourceWords)")
        }
    }

    private static func record(_ post: SyncedPost) -> Record {
        switch post.outcome {
        case .new: Record(post.metadata, status: "new", reason: nil)
        case .updated: Record(post.metadata, status: "updated", reason: nil)
        case .unchanged: Record(post.metadata, status: "unchanged", reason: nil)
        case .failed(let error): Record(post.metadata, status: "failed", reason: Failure(error).message?.text)
        }
    }

    private static let mostNamed = 5
}

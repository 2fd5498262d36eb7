import BlogCore

/// Shows the first lines of a post while the rest is still under way.
actor EarlyText {
    private(set) var renderer: any Renderer
    /// Whether anything was shown.
    private(set) var hasShown = false
    private let console: Console
    private let isRaw: Bool

    init(renderer: any Renderer, console: Console, isRaw: Bool) {
        self.renderer = renderer
        self.console = console
        self.isRaw = isRaw
    }

    nonisolated var receiver: TextReceiver { { try await self.show($1, of: $0) } }

    private func show(_ text: String, of metadata: PostMetadata) async throws {
        guard let text = renderer.beginning(text, of: metadata) else { return }
        hasShown = true
        try await console.print(text, isRaw: isRaw)
        try await console.flush()
    }
}

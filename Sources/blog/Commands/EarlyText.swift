import Foundation
import Model
import Rendering
import Terminal

/// Shows the first lines of a post while the rest is still arriving.
actor EarlyText {
    private(set) var renderer: any Renderer
    /// Whether anything was shown.
    private(set) var hasShown = false
    /// Whether what comes before the first post has been shown.
    private(set) var hasStarted: Bool
    private let source: SourceID
    private let site: URL?
    private let session: Session
    private let isRaw: Bool

    init(renderer: any Renderer, source: SourceID, site: URL?, hasStarted: Bool, session: Session, isRaw: Bool) {
        self.renderer = renderer
        self.source = source
        self.site = site
        self.hasStarted = hasStarted
        self.session = session
        self.isRaw = isRaw
    }

    nonisolated var receiver: TextReceiver { { try await self.show($1, of: $0) } }

    private func show(_ text: String, of metadata: PostMetadata) async throws {
        var record = session.shown(Record(metadata), of: source)
        record.site = site
        guard let text = renderer.beginning(text, of: record) else { return }
        let start = hasStarted ? "" : renderer.start()
        (hasShown, hasStarted) = (true, true)
        try await session.console.print(start + text, isRaw: isRaw)
        try await session.console.flush()
    }
}

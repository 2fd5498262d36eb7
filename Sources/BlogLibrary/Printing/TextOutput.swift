import Rendering

/// Takes the text of posts and lists.
package protocol TextOutput: Sendable {
    /// Takes a text.
    func print(_ text: StyledText) async throws
    /// Takes a record piece by piece, because a long text with its styles takes many times its memory; returns the
    /// renderer as it is then.
    func print(_ record: Record, with renderer: any Renderer) async throws -> any Renderer
    /// Shows at once all that was taken.
    func flush() async throws
}

/// Text in memory.
package actor TextBuffer: TextOutput {
    package private(set) var text = ""

    package init() {}

    package func print(_ text: StyledText) { self.text += text.plain }

    package func print(_ record: Record, with renderer: any Renderer) -> any Renderer {
        var renderer = renderer
        renderer.record(record) { text += $0.plain }
        return renderer
    }

    package func flush() {}
}

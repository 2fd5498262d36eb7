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
actor TextBuffer: TextOutput {
    private(set) var text = ""

    func print(_ text: StyledText) { self.text += text.plain }

    func print(_ record: Record, with renderer: any Renderer) -> any Renderer {
        var renderer = renderer
        renderer.record(record) { text += $0.plain }
        return renderer
    }

    func flush() {}
}

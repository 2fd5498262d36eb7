/// A text with its structure, wherever it came from and however it will be shown.
package struct Document: Hashable, Sendable {
    package let blocks: [Block]

    package init(blocks: [Block]) {
        self.blocks = blocks
    }
}

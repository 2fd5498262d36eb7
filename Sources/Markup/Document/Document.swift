/// A text with its structure, wherever it came from and however it will be shown.
package struct Document: Hashable, Sendable {
    package let blocks: [Block]

    package init(blocks: [Block]) {
        self.blocks = blocks
    }
}

/// A part of a document that begins on its own line.
package enum Block: Hashable, Sendable {
    /// A heading of level 1 to 6.
    case heading(level: Int, [Span])
    case paragraph([Span])
    /// A list; `start` is the first number of an ordered one. The items of a tight list have no space between them.
    indirect case list(start: Int?, isTight: Bool, items: [[Block]])
    case quote([Block])
    /// Terms and what they mean, in their order.
    case definitions([Definition])
    /// Code as published, each line ended by a line feed.
    indirect case code(String, language: String?)
    indirect case table(Table)
    case rule
    /// HTML that was written as such.
    case html(String)
}

/// A term, or what the terms before it mean.
package struct Definition: Hashable, Sendable {
    package let isTerm: Bool
    package let blocks: [Block]
}

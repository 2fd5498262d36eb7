/// The spans parsed so far, and runs of `*`, `_` and `~` that may still become emphasis.
struct InlineNodes {
    // A text can have as many nodes and runs as letters, so these types are kept small.

    private struct Node {
        var content: Content
        /// The depth of nesting in its span.
        var depth: UInt8 = 0
        /// The index of the next node, skipping those inside a span.
        var next: Int
    }

    private enum Content {
        case span(Span)
        case delimiters(Int)
    }

    private struct Delimiters {
        let character: UInt8
        let opens: Bool
        let closes: Bool
        var isResolved = false
        let length: Int
        var count: Int
        /// The index of its node.
        let node: Int
    }

    private var nodes: [Node] = []
    private var delimiters: [Delimiters] = []
    /// The last node of the maximum depth, which can't be wrapped in a span.
    private var lastDeepNode = -1

    /// The number of nodes so far, with those that are in spans now.
    private(set) var total = 0
    var count: Int { nodes.count }
    var delimiterCount: Int { delimiters.count }

    mutating func append(_ span: Span) {
        total += 1
        nodes.append(Node(content: .span(span), next: nodes.count + 1))
    }

    mutating func appendDelimiters(_ character: UInt8, count: Int, opens: Bool, closes: Bool) {
        total += 1
        nodes.append(Node(content: .delimiters(delimiters.count), next: nodes.count + 1))
        delimiters.append(
            Delimiters(
                character: character, opens: opens, closes: closes, length: count, count: count, node: nodes.count - 1))
    }

    /// Replaces a node and those after it by a span around the latter; false if that would be nested too deeply.
    mutating func wrap(from index: Int, _ span: ([Span]) -> Span) -> Bool {
        guard index > lastDeepNode else { return false }
        let (inner, depth) = spans(from: index + 1, to: nodes.count)
        nodes.removeSubrange((index + 1)...)
        while let last = delimiters.last, last.node > index { delimiters.removeLast() }
        set(index, span(inner), next: index + 1, depth: depth + 1)
        return true
    }

    private mutating func set(_ index: Int, _ span: Span, next: Int, depth: UInt8) {
        nodes[index] = Node(content: .span(span), depth: depth, next: next)
        if depth >= Self.maxDepth { lastDeepNode = index }
    }

    consuming func spans() -> [Span] { spans(from: 0, to: nodes.count).spans }

    /// The nodes in a range as spans, with adjacent texts joined, and their depth.
    private func spans(from start: Int, to end: Int) -> (spans: [Span], depth: UInt8) {
        var result: [Span] = []
        var text = ""
        var (index, depth) = (start, UInt8(0))
        while index < end {
            let node = nodes[index]
            depth = max(depth, node.depth)
            switch node.content {
            case .span(.text(let more)): text += more
            case .span(let span):
                if !text.isEmpty { result.append(.text(text)) }
                text = ""
                result.append(span)
            case .delimiters(let number):
                let run = delimiters[number]
                text += String(repeating: String(UnicodeScalar(run.character)), count: run.count)
            }
            index = node.next
        }
        return (text.isEmpty ? result : result + [.text(text)], depth)
    }

    /// The maximum nesting, as spans are processed recursively.
    private static let maxDepth: UInt8 = 50

    // MARK: Emphasis

    /// Turns the delimiter runs from an index on into emphasis.
    mutating func resolveDelimiters(from first: Int) {
        // For each kind of closer, the run before which it has no opener, so that each run is searched only once.
        var bottoms: [Int: Int] = [:]
        // The runs that may still open emphasis.
        var openers: [Int] = []
        for closer in first..<max(first, delimiters.count) where !delimiters[closer].isResolved {
            if delimiters[closer].closes { match(closer, &openers, &bottoms, first) }
            if delimiters[closer].opens && delimiters[closer].count > 0 { openers.append(closer) }
        }
        for index in first..<max(first, delimiters.count) { delimiters[index].isResolved = true }
    }

    private mutating func match(_ closer: Int, _ openers: inout [Int], _ bottoms: inout [Int: Int], _ first: Int) {
        while delimiters[closer].count > 0 {
            let run = delimiters[closer]
            let kind = Int(run.character) * 8 + (run.opens ? 4 : 0) + run.length % 3
            let bottom = bottoms[kind] ?? first
            guard let position = openers.lastIndex(where: { $0 < bottom || matches(delimiters[$0], run) }),
                openers[position] >= bottom
            else {
                bottoms[kind] = closer
                return
            }
            let opener = openers[position]
            openers.removeSubrange((position + 1)...)
            guard wrap(opener, closer) else { return }
            if delimiters[opener].count == 0 { openers.removeLast() }
        }
    }

    private func matches(_ opener: Delimiters, _ closer: Delimiters) -> Bool {
        guard opener.character == closer.character, opener.count > 0 else { return false }
        if opener.character == UInt8(ascii: "~") { return opener.count == closer.count && opener.count <= 2 }
        // If either can both open and close, their lengths mustn't add up to a multiple of 3, unless both are multiples.
        let isAmbiguous = opener.closes || closer.opens
        return !isAmbiguous || (opener.length + closer.length) % 3 != 0
            || opener.length % 3 == 0 && closer.length % 3 == 0
    }

    /// Wraps the nodes between two runs in a span; false if there are none or it would be nested too deeply.
    private mutating func wrap(_ opener: Int, _ closer: Int) -> Bool {
        let (start, end) = (delimiters[opener].node, delimiters[closer].node)
        // Matching runs are never adjacent: they would be one run.
        guard start + 1 < end, start > lastDeepNode else { return false }
        let (inner, depth) = spans(from: nodes[start].next, to: end)
        let isStrike = delimiters[opener].character == UInt8(ascii: "~")
        let isStrong = min(delimiters[opener].count, delimiters[closer].count) >= 2
        let taken = isStrike ? delimiters[opener].count : isStrong ? 2 : 1
        delimiters[opener].count -= taken
        delimiters[closer].count -= taken
        let span: Span = isStrike ? .strike(inner) : isStrong ? .strong(inner) : .emphasis(inner)
        nodes[start].next = start + 1
        set(start + 1, span, next: end, depth: depth + 1)
        return true
    }
}

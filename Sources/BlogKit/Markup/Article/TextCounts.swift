/// The number of characters and commas in the text of an element.
struct TextCounts {
    /// The number of characters with white space collapsed and trimmed.
    private(set) var length: Int32 = 0
    /// The number of commas of all scripts, and of ASCII commas.
    private(set) var commas: Int32 = 0
    private(set) var asciiCommas: Int32 = 0
    private var startsWithSpace = false
    private var endsWithSpace = false

    /// Adds the counts of the text before this one.
    mutating func prepend(_ other: TextCounts) {
        let isSeparated = other.endsWithSpace || startsWithSpace
        if length == 0 {
            let wasSpace = startsWithSpace
            self = other
            endsWithSpace = other.endsWithSpace || wasSpace
            if length == 0 { startsWithSpace = endsWithSpace }
            return
        }
        guard other.length > 0 else { return startsWithSpace = startsWithSpace || other.startsWithSpace }
        length += other.length + (isSeparated ? 1 : 0)
        commas += other.commas
        asciiCommas += other.asciiCommas
        startsWithSpace = other.startsWithSpace
    }

    init() {}

    /// Counts a text node.
    init(of node: Int, in tree: HTMLTree) {
        let text = tree.withSource(of: node) { CharacterReferences.replaced(in: $0, as: .html) }
        for scalar in text.unicodeScalars {
            if scalar.value <= 0x20 || scalar.value >= 0x80 && Self.isSpace(scalar) {
                if length == 0 { startsWithSpace = true }
                endsWithSpace = true
                continue
            }
            if endsWithSpace, length > 0 { length += 1 }
            endsWithSpace = false
            // In UTF-16 code units as in JavaScript, for which the heuristics were made.
            length += scalar.value > 0xFFFF ? 2 : 1
            if scalar == "," { asciiCommas += 1 }
            if scalar == "," || scalar.value >= 0x60C && Self.commas.contains(scalar) { commas += 1 }
        }
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{A0}" || (0x2000...0x3000).contains(scalar.value) && scalar.properties.isWhitespace
    }

    private static let commas = Set("،﹐︐︑⹁⸴⸲，".unicodeScalars)

    /// Counts the text of an element.
    init(in root: Int, of tree: HTMLTree) {
        for node in tree.all(in: root).reversed() where tree.tag(node) == .text {
            prepend(TextCounts(of: node, in: tree))
        }
    }
}

/// Statistics about the content of an element.
struct ContentCounts {
    var text = TextCounts()
    /// The number of characters in links; links to fragments of the page count less.
    var linked: Double = 0
    /// The number of links with text.
    var links: Int32 = 0
    var headings: Int32 = 0
    var lists: Int32 = 0
    var paragraphs: Int32 = 0
    var pictures: Int32 = 0
    var items: Int32 = 0
    var inputs: Int32 = 0
    var embeds: Int32 = 0
    var hasVideo = false
    var hasDataTable = false
    /// Whether an element that usually holds text does.
    var hasTextElement = false

    var linkDensity: Double { text.length == 0 ? 0 : linked / Double(text.length) }
    var headingDensity: Double { text.length == 0 ? 0 : Double(headings) / Double(text.length) }
    var listDensity: Double { text.length == 0 ? 0 : Double(lists) / Double(text.length) }

    /// Adds a child, which comes before those already counted.
    mutating func prepend(_ child: ContentCounts, tag: HTMLTag, facts: ElementFacts, isDataTable: Bool) {
        text.prepend(child.text)
        linked += child.linked
        links += child.links
        headings += child.headings
        lists += child.lists
        paragraphs += child.paragraphs
        pictures += child.pictures
        items += child.items
        inputs += child.inputs
        embeds += child.embeds
        hasVideo = hasVideo || child.hasVideo || facts.isVideo
        hasDataTable = hasDataTable || child.hasDataTable || isDataTable
        hasTextElement = hasTextElement || child.hasTextElement
        switch tag {
        case .a:
            linked += Double(child.text.length) * facts.linkWeight
            if child.text.length > 0, facts.linkWeight > 0 { links += 1 }
        case .h1, .h2, .h3, .h4, .h5, .h6: headings += child.text.length
        case .ul, .ol: lists += child.text.length
        case .p: paragraphs += 1
        case .img: pictures += 1
        case .li: items += 1
        case .input where !facts.isCheckbox: inputs += 1
        case .object, .embed, .iframe: embeds += 1
        default: break
        }
        switch tag {
        case .span, .li, .td, .blockquote, .dl, .div, .ol, .p, .pre, .table, .ul:
            if child.text.length > 0 { hasTextElement = true }
        default: break
        }
    }
}

/// The statistics of an element and all its descendants.
struct ContentTable {
    /// The index into `counts` for each node of the tree; -1 for nodes outside the element.
    private var indices: [Int32]
    private var counts: [ContentCounts]

    /// - Parameter removes: whether an element is to be removed with its content, given its statistics.
    init(
        counting root: Int, in finder: inout ArticleFinder, dataTables: Set<Int> = [],
        removes: (Int, ContentCounts, ArticleFinder) -> Bool = { _, _, _ in false }
    ) {
        let nodes = finder.tree.all(in: root)
        indices = [Int32](repeating: -1, count: finder.tree.nodes.count)
        for (index, node) in nodes.enumerated() { indices[node] = Int32(index) }
        counts = [ContentCounts](repeating: ContentCounts(), count: nodes.count)
        for index in nodes.indices.reversed() {
            let node = nodes[index]
            let tag = finder.tree.tag(node)
            if tag == .text { counts[index].text = finder.text(node) }
            guard node != root, let parent = finder.tree.parent(node) else { continue }
            if tag != .text, removes(node, counts[index], finder) {
                finder.tree.remove(node)
                continue
            }
            counts[Int(indices[parent])].prepend(
                counts[index], tag: tag, facts: finder.facts(node), isDataTable: dataTables.contains(node))
        }
    }

    /// The statistics of nodes in a row.
    func sum(of nodes: [Int], in finder: ArticleFinder) -> ContentCounts {
        nodes.reversed().reduce(into: ContentCounts()) { sum, node in
            sum.prepend(self[node], tag: finder.tree.tag(node), facts: finder.facts(node), isDataTable: false)
        }
    }

    /// Those of a node that wasn't there yet are empty.
    subscript(node: Int) -> ContentCounts {
        node < indices.count && indices[node] >= 0 ? counts[Int(indices[node])] : ContentCounts()
    }
}

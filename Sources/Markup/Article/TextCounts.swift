/// The text of an element, measured: its characters and commas, and how much of it is in links, lists and headings.
struct TextCounts {
    /// The number of characters, with white space collapsed and none at either end.
    private(set) var length: Int32 = 0
    /// Commas of all scripts, and those of ASCII.
    private(set) var commas: Int32 = 0
    private(set) var asciiCommas: Int32 = 0
    /// Whether there is white space at the beginning or the end.
    private var leads = false
    private var trails = false

    /// Puts a text before this one.
    mutating func prepend(_ other: TextCounts) {
        let isSpaced = other.trails || leads
        if length == 0 {
            let wasSpace = leads
            self = other
            trails = other.trails || wasSpace
            if length == 0 { leads = trails }
            return
        }
        guard other.length > 0 else { return leads = leads || other.leads }
        length += other.length + (isSpaced ? 1 : 0)
        commas += other.commas
        asciiCommas += other.asciiCommas
        leads = other.leads
    }

    init() {}

    /// Counts a text of a page.
    init(of node: Int, in tree: HTMLTree) {
        let text = tree.withSource(of: node) { CharacterReferences.replaced(in: $0, of: .html) }
        for scalar in text.unicodeScalars {
            if scalar.value <= 0x20 || scalar.value >= 0x80 && Self.isSpace(scalar) {
                if length == 0 { leads = true }
                trails = true
                continue
            }
            if trails, length > 0 { length += 1 }
            trails = false
            // As in JavaScript, for which the rules were made.
            length += scalar.value > 0xFFFF ? 2 : 1
            if scalar == "," { asciiCommas += 1 }
            if scalar == "," || scalar.value >= 0x60C && Self.commas.contains(scalar) { commas += 1 }
        }
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{A0}" || (0x2000...0x3000).contains(scalar.value) && scalar.properties.isWhitespace
    }

    private static let commas = Set("،﹐︐︑⹁⸴⸲，".unicodeScalars)

    /// Counts an element and all in it.
    init(in root: Int, of tree: HTMLTree) {
        for node in tree.all(in: root).reversed() where tree.tag(node) == .text {
            prepend(TextCounts(of: node, in: tree))
        }
    }
}

/// The content of an element, counted.
struct ContentCounts {
    var text = TextCounts()
    /// Characters in links; those of links within the page count less.
    var linked: Double = 0
    var headings: Int32 = 0
    var lists: Int32 = 0
    var paragraphs: Int32 = 0
    var pictures: Int32 = 0
    var items: Int32 = 0
    var inputs: Int32 = 0
    var embeds: Int32 = 0
    var hasVideo = false
    var hasDataTable = false
    /// Whether some text stands in an element that usually has text.
    var hasTextElement = false

    var linkDensity: Double { text.length == 0 ? 0 : linked / Double(text.length) }
    var headingDensity: Double { text.length == 0 ? 0 : Double(headings) / Double(text.length) }
    var listDensity: Double { text.length == 0 ? 0 : Double(lists) / Double(text.length) }

    /// Adds the content of a child, and the child itself, in front of what is there.
    mutating func prepend(_ child: ContentCounts, tag: HTMLTag, facts: ElementFacts, isDataTable: Bool) {
        text.prepend(child.text)
        linked += child.linked
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
        case .a: linked += Double(child.text.length) * (facts.isLocalLink ? 0.3 : 1)
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

/// The counts of many nodes, which come in the order of the page.
struct ContentTable {
    private let nodes: [Int]
    private var places: [Int32]
    private var counts: [ContentCounts]

    /// Counts an element and all in it.
    ///
    /// - Parameter leavesOut: whether an element is to be removed with its content, by its counts.
    static func counting(
        _ root: Int, in finder: inout ArticleFinder, dataTables: Set<Int> = [],
        leavesOut: (Int, ContentCounts, ArticleFinder) -> Bool = { _, _, _ in false }
    ) -> ContentTable {
        var table = ContentTable(finder.tree.all(in: root), of: finder.tree.nodes.count)
        for place in table.nodes.indices.reversed() {
            let node = table.nodes[place]
            let tag = finder.tree.tag(node)
            if tag == .text { table.counts[place].text = TextCounts(of: node, in: finder.tree) }
            guard node != root, let parent = finder.tree.parent(node) else { continue }
            if tag != .text, leavesOut(node, table.counts[place], finder) {
                finder.tree.remove(node)
                continue
            }
            table.counts[Int(table.places[parent])].prepend(
                table.counts[place], tag: tag, facts: finder.facts(node), isDataTable: dataTables.contains(node))
        }
        return table
    }

    private init(_ nodes: [Int], of count: Int) {
        self.nodes = nodes
        places = [Int32](repeating: -1, count: count)
        for (place, node) in nodes.enumerated() { places[node] = Int32(place) }
        counts = [ContentCounts](repeating: ContentCounts(), count: nodes.count)
    }

    subscript(node: Int) -> ContentCounts {
        node < places.count && places[node] >= 0 ? counts[Int(places[node])] : ContentCounts()
    }
}

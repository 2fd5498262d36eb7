import BlogEssentials

/// Writes elements of a page as HTML that is safe to store: only what this program shows, and no scripts.
struct HTMLWriter {
    private let tree: HTMLTree
    private let base: LinkBase?
    /// Whether links to fragments of the page stay as they are, because the page has no `base`.
    private let keepsLocalLinks: Bool
    private let limit: Int
    private var output: [UInt8] = []
    /// The elements around the next node, with their end tags; "" for one that isn't written.
    private var open: [(node: Int, end: String)] = []
    /// The address in the `source` elements of the last parent that was asked for it.
    private var source: (parent: Int, address: String?)?

    /// The content of an element; nil if it would be longer than a limit in bytes, because every character of a page can
    /// become five.
    static func html(
        of element: Int, in tree: HTMLTree, base: LinkBase?, keepsLocalLinks: Bool, limit: Int
    ) -> String? {
        var writer = HTMLWriter(tree: tree, base: base, keepsLocalLinks: keepsLocalLinks, limit: limit)
        var node = tree.nextInOrder(element, within: element)
        while let current = node {
            guard writer.output.count <= limit else { return nil }
            writer.close(downTo: tree.parent(current))
            let isOpen = writer.begin(current)
            node = isOpen ? tree.nextInOrder(current, within: element) : tree.nextOutside(current, within: element)
        }
        writer.close(downTo: nil)
        return writer.output.count <= limit ? writer.output.text : nil
    }

    private mutating func close(downTo element: Int?) {
        while let last = open.last, last.node != element {
            output += last.end.utf8
            open.removeLast()
        }
    }

    /// Writes a text or start tag; false if nothing else is to be written for the node.
    private mutating func begin(_ node: Int) -> Bool {
        let tag = tree.tag(node)
        if tag == .text {
            append(Sanitizer.block(tree.text(of: node)))
            return false
        }
        guard let name = Self.names[tag] else {
            if tag == .input, tree.isCheckbox(node) {
                output +=
                    "<input type=\"checkbox\"\(tree.attribute("checked", of: node) == nil ? "" : " checked")>".utf8
            }
            if Self.unseen.contains(tag) { return false }
            open.append((node, ""))
            return true
        }
        let all = tree.attributes(of: node)
        if tag == .img, let emoji = all.emoji {
            append(Sanitizer.line(emoji))
            return false
        }
        let attributes = written(tag, all, node)
        if Self.needsAttributes.contains(tag), !attributes.contains(where: { tag == .span || $0.name != "id" }) {
            if tag.isVoid { return false }
            open.append((node, ""))
            return true
        }
        output += "<\(name)".utf8
        for (name, value) in attributes {
            output += " \(name)=\"".utf8
            append(Sanitizer.line(value), isAttribute: true)
            output.append(UInt8(ascii: "\""))
        }
        output.append(UInt8(ascii: ">"))
        if tag.isVoid { return false }
        open.append((node, "</\(name)>"))
        return true
    }

    private mutating func append(_ text: String, isAttribute: Bool = false) {
        for byte in text.utf8 where output.count <= limit { Self.append(byte, isAttribute, to: &output) }
    }

    private static func append(_ byte: UInt8, _ isAttribute: Bool, to output: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "&"): output += "&amp;".utf8
        case UInt8(ascii: "<"): output += "&lt;".utf8
        case UInt8(ascii: ">"): output += "&gt;".utf8
        case UInt8(ascii: "\"") where isAttribute: output += "&quot;".utf8
        default: output.append(byte)
        }
    }

    /// A link whose text is its address.
    static func link(to address: String) -> String {
        var target: [UInt8] = []
        for byte in Sanitizer.line(address).utf8 { append(byte, true, to: &target) }
        return "<a href=\"\(target.text)\">\(target.text)</a>"
    }

    // MARK: Elements

    /// The names under which elements are written; only the content of other elements is.
    private static let names: [HTMLTag: String] = {
        let blocks: [HTMLTag] = [
            .address, .article, .aside, .body, .center, .dialog, .fieldset, .footer, .form, .header, .hgroup, .html,
            .legend, .main, .nav, .section,
        ]
        let unwrapped: [HTMLTag] = [
            .acronym, .area, .base, .big, .col, .colgroup, .data, .font, .label, .meter, .nobr, .optgroup,
            .option, .other, .output, .picture, .progress, .text,
        ]
        let same = HTMLTag.allCases.filter { !unseen.contains($0) && !unwrapped.contains($0) }
        var names = Dictionary(uniqueKeysWithValues: same.map { ($0, $0.rawValue) })
        for tag in blocks { names[tag] = "div" }
        for tag in [HTMLTag.dir, .menu] { names[tag] = "ul" }
        names[.embed] = "iframe"
        return names
    }()

    /// Elements left out with their content.
    private static let unseen: Set<HTMLTag> = [
        .button, .canvas, .datalist, .head, .input, .link, .meta, .noembed, .noframes, .noscript, .object, .param,
        .script, .select, .style, .svg, .template, .textarea, .title, .track,
    ]

    /// Elements that are pointless without any attribute.
    private static let needsAttributes: Set<HTMLTag> = [.a, .span, .img, .source, .iframe, .embed]

    // MARK: Attributes

    private mutating func written(
        _ tag: HTMLTag, _ attributes: ElementAttributes, _ node: Int
    ) -> [(name: String, value: String)] {
        var written: [(name: String, value: String)] = []
        func keep(link name: String, _ value: String?) {
            if let link = value.flatMap(link), tag == .a || !link.hasPrefix("mailto:") { written.append((name, link)) }
        }
        switch tag {
        case .a: keep(link: "href", attributes["href"])
        case .img:
            keep(link: "src", picture(attributes, node))
            if attributes.formula != nil { written.append(("class", "latex")) }
        case .iframe, .embed, .video, .audio, .source:
            keep(link: "src", attributes.mediaAddress)
            keep(link: "poster", attributes["poster"])
        case .ol: if let style = attributes.numberStyle { written.append(("type", style.rawValue)) }
        case .code, .pre:
            if let language = attributes.codeLanguage { written.append(("class", "language-\(language)")) }
        case .span:
            if let color = CodeColor(attributes),
                tree.ancestors(of: node, atMost: 16).contains(where: { tree.tag($0) == .pre })
            {
                written.append(("class", color.className))
            }
        default: break
        }
        if !Self.needsAttributes.contains(tag) || !written.isEmpty {
            for name in Self.kept[tag] ?? [] { if let value = attributes[name] { written.append((name, value)) } }
        }
        if let kept = attributes.keptSpace { written.append(("style", "white-space:\(kept.rawValue)")) }
        for name in ["id", "lang", "dir"] { if let value = attributes[name] { written.append((name, value)) } }
        return written
    }

    /// Attributes written unchanged.
    private static let kept: [HTMLTag: [String]] = [
        .a: ["title"], .img: ["alt", "title", "width", "height"], .iframe: ["title"], .embed: ["title"],
        .video: ["title"], .audio: ["title"], .td: ["colspan", "rowspan"], .th: ["colspan", "rowspan"],
        .ol: ["start", "reversed"], .li: ["value"], .details: ["open"], .time: ["datetime"],
        .abbr: ["title"], .dfn: ["title"],
        .math: ["alttext"], .mfrac: ["linethickness"], .mfenced: ["open", "close", "separators"],
        .annotation: ["encoding"],
    ]

    /// The absolute address of a link; nil unless it leads to a page, a mail address or a fragment of this page.
    private func link(_ text: String) -> String? {
        var text = text.trimmed
        text.unicodeScalars.removeAll(where: Sanitizer.isControl)
        guard !text.isEmpty, text.utf8.count <= Self.maxLinkBytes else { return nil }
        if text.hasPrefix("#"), keepsLocalLinks { return text }
        let address = base?.resolve(text) ?? text
        let start = address.prefix(8).lowercased()
        return ["http://", "https://", "mailto:"].contains(where: start.hasPrefix) ? address : nil
    }

    private static let maxLinkBytes = 8192

    /// The address of a picture, which may be only in a sibling `source`.
    private mutating func picture(_ attributes: ElementAttributes, _ node: Int) -> String? {
        let address = PictureAddress.of(attributes)
        guard !PictureAddress.isAddress(address), let parent = tree.parent(node) else { return address }
        if let source, source.parent == parent { return source.address }
        let sources = tree.children(of: parent).lazy.filter { [tree] in tree.tag($0) == .source }
        let first = sources.map { [tree] in PictureAddress.of(tree.attributes(of: $0)) }
            .first(where: PictureAddress.isAddress)
        source = (parent, first)
        return first
    }
}

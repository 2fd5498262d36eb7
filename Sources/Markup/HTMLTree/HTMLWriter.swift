import Essentials
import Model

/// Writes elements of a page as HTML that is safe to keep: with what this program shows, and nothing that runs.
struct HTMLWriter {
    private let tree: HTMLTree
    private let base: LinkBase?
    /// Whether links to a place in the page stay as they are, because the page has no other base.
    private let keepsLocalLinks: Bool
    private var output: [UInt8] = []
    /// The end tags that are due.
    private var ends: [String] = []

    init(tree: HTMLTree, base: LinkBase?, keepsLocalLinks: Bool) {
        self.tree = tree
        self.base = base
        self.keepsLocalLinks = keepsLocalLinks
    }

    /// The content of an element.
    static func html(of element: Int, in tree: HTMLTree, base: LinkBase?, keepsLocalLinks: Bool) -> String {
        var writer = HTMLWriter(tree: tree, base: base, keepsLocalLinks: keepsLocalLinks)
        writer.writeContent(of: element)
        return writer.output.text
    }

    private mutating func writeContent(of root: Int) {
        var node = tree.firstChild(root)
        while let current = node {
            if begin(current) {
                if let child = tree.firstChild(current) {
                    node = child
                    continue
                }
                end()
            }
            var last = current
            while tree.next(last) == nil, let parent = tree.parent(last), parent != root {
                end()
                last = parent
            }
            node = tree.next(last)
        }
    }

    private mutating func end() {
        output.append(contentsOf: (ends.popLast() ?? "").utf8)
    }

    /// Writes a text or a start tag; false if that is all.
    private mutating func begin(_ node: Int) -> Bool {
        let tag = tree.tag(node)
        if tag == .text {
            append(Sanitizer.block(tree.text(of: node)))
            return false
        }
        guard let name = Self.names[tag] else {
            if tag == .input, tree.isCheckbox(node) { append(checkbox: tree.attributes(of: node)) }
            if Self.unseen.contains(tag) { return false }
            ends.append("")
            return true
        }
        let attributes = written(tag, tree.attributes(of: node), node)
        if Self.needsAttributes.contains(tag), !attributes.contains(where: { tag == .span || $0.name != "id" }) {
            if tag.isVoid { return false }
            ends.append("")
            return true
        }
        output.append(contentsOf: "<\(name)".utf8)
        for (name, value) in attributes {
            output.append(contentsOf: " \(name)=\"".utf8)
            append(Sanitizer.line(value), isAttribute: true)
            output.append(UInt8(ascii: "\""))
        }
        output.append(UInt8(ascii: ">"))
        if tag.isVoid { return false }
        ends.append("</\(name)>")
        return true
    }

    private mutating func append(checkbox attributes: [String: String]) {
        output.append(contentsOf: "<input type=\"checkbox\"\(attributes["checked"] == nil ? "" : " checked")>".utf8)
    }

    private mutating func append(_ text: String, isAttribute: Bool = false) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\"") where isAttribute: output.append(contentsOf: "&quot;".utf8)
            default: output.append(byte)
            }
        }
    }

    // MARK: Elements

    /// The names under which elements are written; of others, only their content is.
    private static let names: [HTMLTag: String] = {
        let blocks: [HTMLTag] = [
            .address, .article, .aside, .body, .center, .dialog, .fieldset, .footer, .form, .header, .hgroup, .html,
            .legend, .main, .nav, .section,
        ]
        let others: [HTMLTag] = [
            .acronym, .area, .base, .big, .col, .colgroup, .data, .font, .label, .meter, .nobr, .optgroup,
            .option, .other, .output, .picture, .progress, .text,
        ]
        let same = HTMLTag.allCases.filter { !unseen.contains($0) && !others.contains($0) }
        var names = Dictionary(uniqueKeysWithValues: same.map { ($0, $0.rawValue) })
        for tag in blocks { names[tag] = "div" }
        for tag in [HTMLTag.dir, .menu] { names[tag] = "ul" }
        names[.embed] = "iframe"
        return names
    }()

    /// Elements that are left out with their content.
    private static let unseen: Set<HTMLTag> = [
        .button, .canvas, .datalist, .head, .input, .link, .meta, .noembed, .noframes, .noscript, .object, .param,
        .script, .select, .style, .svg, .template, .textarea, .title, .track,
    ]

    /// Elements that mean nothing without the attributes that are written.
    private static let needsAttributes: Set<HTMLTag> = [.a, .span, .img, .source, .iframe, .embed]

    // MARK: Attributes

    private func written(
        _ tag: HTMLTag, _ attributes: [String: String], _ node: Int
    ) -> [(name: String, value: String)] {
        var written: [(name: String, value: String)] = []
        func keep(link name: String, _ value: String?) {
            if let link = value.flatMap(link), tag == .a || !link.hasPrefix("mailto:") { written.append((name, link)) }
        }
        switch tag {
        case .a: keep(link: "href", attributes["href"])
        case .img: keep(link: "src", picture(attributes, node))
        case .iframe, .embed, .video, .audio, .source:
            keep(link: "src", attributes["src"])
            keep(link: "poster", attributes["poster"])
        case .code, .pre: if let language = language(attributes) { written.append(("class", language)) }
        default: break
        }
        if !Self.needsAttributes.contains(tag) || !written.isEmpty {
            for name in Self.kept[tag] ?? [] { if let value = attributes[name] { written.append((name, value)) } }
        }
        for name in ["id", "lang", "dir"] { if let value = attributes[name] { written.append((name, value)) } }
        return written
    }

    /// The attributes that are written as they are.
    private static let kept: [HTMLTag: [String]] = [
        .a: ["title"], .img: ["alt", "title", "width", "height"], .iframe: ["title"], .embed: ["title"],
        .video: ["title"], .audio: ["title"], .td: ["colspan", "rowspan"], .th: ["colspan", "rowspan"],
        .ol: ["start", "type", "reversed"], .li: ["value"], .details: ["open"], .time: ["datetime"],
        .abbr: ["title"], .dfn: ["title"],
        .math: ["alttext"], .mfrac: ["linethickness"], .mfenced: ["open", "close", "separators"],
        .annotation: ["encoding"],
    ]

    /// The address of a link, if it is one to a page, a mail address or a place in the page.
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

    /// The address of a picture, which scripts would take from another attribute or from a `source` beside it.
    private func picture(_ attributes: [String: String], _ node: Int) -> String? {
        let address = PictureAddress.of(attributes)
        let isLazy = attributes["class"]?.lowercased().contains("lazy") == true
        guard isLazy || !PictureAddress.isAddress(address) else { return address }
        let others = attributes.filter { !["src", "srcset", "alt", "title", "href"].contains($0.key) }
        if let late = others.filter({ Self.isPicture($0.value) }).min(by: { $0.key < $1.key })?.value { return late }
        if PictureAddress.isAddress(address) { return address }
        let sources = tree.parent(node).map(tree.children) ?? []
        return sources.lazy.filter { tree.tag($0) == .source }.map { PictureAddress.of(tree.attributes(of: $0)) }
            .first(where: PictureAddress.isAddress)
    }

    /// Whether an attribute is the address of a picture.
    static func isPicture(_ value: String) -> Bool {
        guard value.utf8.count < maxLinkBytes, !value.contains(where: \.isWhitespace), !value.hasPrefix("data:") else {
            return false
        }
        let text = value.lowercased()
        return [".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif"].contains(where: text.contains)
    }

    /// The class of code that names its language.
    private func language(_ attributes: [String: String]) -> String? {
        attributes["class"]?.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("language-") }.map(String.init)
    }
}

extension HTMLTree {
    /// Whether an element is the box of a task in a list.
    func isCheckbox(_ node: Int) -> Bool {
        guard tag(node) == .input, let parent = parent(node) else { return false }
        let isInItem = tag(parent) == .li || [.label, .p].contains(tag(parent)) && self.parent(parent).map(tag) == .li
        return isInItem && attributes(of: node)["type"]?.lowercased() == "checkbox"
    }
}

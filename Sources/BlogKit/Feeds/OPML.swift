import BlogEssentials
import BlogMarkup
import BlogModel

/// OPML, the format in which feed readers exchange subscriptions (https://opml.org/spec2.opml).
package enum OPML {
    /// Reads a list, which may be malformed; throws ``FeedError/notOPML``.
    ///
    /// - Returns: its feeds, the texts of outlines that are neither feeds nor folders, and whether it has an end, so that
    ///   nothing is missing.
    package static func read(
        _ bytes: [UInt8]
    ) throws -> (feeds: [Subscription], others: [String], isComplete: Bool) {
        try CharacterDecoding.utf8(bytes, charset: nil).withUnsafeBufferPointer { text in
            var reader = OPMLReader(text)
            guard let feeds = reader.feeds() else { throw FeedError.notOPML }
            return (feeds, reader.others, reader.isClosed)
        }
    }

    /// Writes OPML 2.0: folders in the order of their first feeds, and in each folder its feeds before its subfolders.
    package static func write(_ feeds: [Subscription], title: String) -> String {
        var root = Folder()
        for feed in feeds {
            root.add(feed, to: FolderPath(feed.folder ?? "").names.prefix(OPMLReader.maxDepth))
        }
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <opml version="2.0">
              <head>
                <title>\(escaped(title))</title>
              </head>
              <body>

            """
        root.write(to: &text, indent: "    ")
        return text + "  </body>\n</opml>\n"
    }

    private struct Folder {
        private var feeds: [Subscription] = []
        private var folders: [(name: String, folder: Folder)] = []
        /// The indices of the folders by name.
        private var indices: [String: Int] = [:]

        mutating func add(_ feed: Subscription, to path: ArraySlice<String>) {
            guard let name = path.first else { return feeds.append(feed) }
            let index = indices[name] ?? folders.count
            if index == folders.count {
                indices[name] = index
                folders.append((name, Folder()))
            }
            folders[index].folder.add(feed, to: path.dropFirst())
        }

        func write(to text: inout String, indent: String) {
            for feed in feeds {
                let title = escaped(feed.title ?? feed.address)
                text += indent + "<outline type=\"rss\" text=\"\(title)\" title=\"\(title)\" "
                text += "xmlUrl=\"\(escaped(feed.address))\""
                text += feed.site.map { " htmlUrl=\"\(escaped($0))\"" } ?? ""
                text += (feed.name.map { " blogName=\"\(escaped($0))\"" } ?? "") + "/>\n"
            }
            for (name, folder) in folders {
                text += indent + "<outline text=\"\(escaped(name))\" title=\"\(escaped(name))\">\n"
                folder.write(to: &text, indent: indent + "  ")
                text += indent + "</outline>\n"
            }
        }
    }

    /// A text escaped for an attribute; control characters, which XML can't represent, become spaces.
    private static func escaped(_ text: String) -> String {
        text.mapScalars { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": " "
            default: nil
            }
        }
    }
}

/// Reads the outlines of OPML.
struct OPMLReader {
    private var scanner: TagScanner
    private struct Outline {
        /// The folder of its children; nil for none.
        let folder: String?
        /// What it is called in ``others`` if it has no children; nil for an address or a folder.
        let label: String?
        /// The number of outlines up to it.
        let number: Int
    }

    private var open: [Outline] = []
    private var count = 0
    /// Whether the end of the list was read.
    private(set) var isClosed = false
    /// The texts of outlines with a type or an address, but not that of a feed, and no children.
    private(set) var others: [String] = []
    /// The number of open outlines beyond the maximum depth, whose children go into the innermost folder.
    private var excessDepth = 0

    static let maxDepth = 64

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        scanner = TagScanner(bytes)
    }

    /// All feeds; nil if the text isn't OPML.
    mutating func feeds() -> [Subscription]? {
        var feeds: [Subscription] = []
        var isOPML = false
        while let token = scanner.next() {
            switch token {
            case .open(let name, let isEmpty):
                let name = scanner.lowercased(name)
                if name == "opml" { isOPML = true }
                guard isOPML, name == "outline" else { continue }
                let attributes = attributes()
                // Readers let users edit the text; the title is the feed's own.
                let title = ["text", "title"].lazy.compactMap { attributes[$0] }.first
                let address = attributes["xmlurl"]
                if let address {
                    feeds.append(
                        Subscription(
                            address: address, title: title,
                            folder: open.last?.folder ?? attributes["category"].flatMap(Self.folder(ofCategories:)),
                            name: attributes["blogname"],
                            site: attributes["htmlurl"]))
                }
                count += 1
                let kind = address == nil ? attributes["url"] ?? attributes["type"] : nil
                let label = kind.map { title ?? $0 }
                if isEmpty { label.map { others.append($0) } } else { open(address == nil ? title : nil, label) }
            case .close(let name) where scanner.lowercased(name) == "outline": close()
            case .close(let name) where scanner.lowercased(name) == "opml": isClosed = true
            default: break
            }
        }
        return isOPML ? feeds : nil
    }

    /// The attributes of the current tag, each value on one line; in addresses, line breaks count for nothing
    /// (https://url.spec.whatwg.org/#concept-basic-url-parser).
    private func attributes() -> [String: String] {
        var attributes: [String: String] = [:]
        for attribute in scanner.attributes {
            let name = scanner.lowercased(attribute.name)
            var value = CharacterReferences.replaced(in: scanner[attribute.value])
            if name.hasSuffix("url") {
                value = value.split(whereSeparator: \.isNewline).map { String($0).trimmed }.joined()
            }
            attributes[name] = FeedText.line(value.utf8)
        }
        return attributes
    }

    /// The folder in the first of some categories: `/News/Science,/Daily`.
    ///
    /// Those without a slash are tags (http://opml.org/spec2.opml#1629042198000).
    private static func folder(ofCategories text: String) -> String? {
        guard let first = text.split(separator: ",").map({ String($0).trimmed }).first(where: { $0.hasPrefix("/") })
        else { return nil }
        let path = FolderPath(first.split(separator: "/").map(String.init)).text
        return path.isEmpty ? nil : path
    }

    /// Opens a folder; the children of an unnamed one belong to the folder around it.
    private mutating func open(_ name: String?, _ label: String?) {
        guard open.count < Self.maxDepth else {
            excessDepth += 1
            return
        }
        let outer = open.last?.folder
        let inner = name.map { FolderPath([$0]).text } ?? ""
        let folder = inner.isEmpty ? outer : outer.map { "\($0)/\(inner)" } ?? inner
        open.append(Outline(folder: folder, label: label, number: count))
    }

    private mutating func close() {
        if excessDepth > 0 { return excessDepth -= 1 }
        if let outline = open.popLast(), let label = outline.label, outline.number == count { others.append(label) }
    }
}

/// A subscription of a feed reader.
package struct Subscription: Hashable, Sendable {
    /// As written in the list.
    package let address: String
    package let title: String?
    /// The folder as a ``FolderPath``: `News/Science`.
    package let folder: String?
    /// The source's name in this program, in an attribute of our own.
    package let name: String?
    /// The address of the feed's site.
    package let site: String?
    /// newsboat tags that are ignored.
    package let ignoredTags: [String]

    package init(
        address: String, title: String? = nil, folder: String? = nil, name: String? = nil, site: String? = nil,
        ignoredTags: [String] = []
    ) {
        self.address = address
        self.title = title
        self.folder = folder
        self.name = name
        self.site = site
        self.ignoredTags = ignoredTags
    }
}

import Essentials
import Markup
import Model

/// Lists of feeds, as feed readers exchange them (https://opml.org/spec2.opml).
package enum OPML {
    /// The feeds of a list, which needn't be well-formed; throws ``FeedError/notOPML``.
    package static func read(_ bytes: [UInt8]) throws -> [Subscription] {
        try CharacterDecoding.utf8(bytes, charset: nil).withUnsafeBufferPointer { text in
            var reader = OPMLReader(text)
            guard let feeds = reader.feeds() else { throw FeedError.notOPML }
            return feeds
        }
    }

    /// A list in OPML 2.0: folders in the order of their first feeds, each with its feeds before its folders.
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

    /// A folder to write.
    private struct Folder {
        private var feeds: [Subscription] = []
        private var folders: [(name: String, folder: Folder)] = []
        private var places: [String: Int] = [:]

        mutating func add(_ feed: Subscription, to names: ArraySlice<String>) {
            guard let name = names.first else { return feeds.append(feed) }
            let place = places[name] ?? folders.count
            if place == folders.count {
                places[name] = place
                folders.append((name, Folder()))
            }
            folders[place].folder.add(feed, to: names.dropFirst())
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

    /// A text escaped for an attribute, with spaces for control characters, which XML can't represent.
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
    /// For each open outline, the folder of its children; nil for none.
    private var folders: [String?] = []
    /// The number of open outlines below these, whose children are in the innermost folder.
    private var deeper = 0

    /// The maximum depth: more than any list has.
    static let maxDepth = 64

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        scanner = TagScanner(bytes)
    }

    /// All feeds; nil if it isn't OPML.
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
                // People see and change the text; the title is the feed's own.
                let title = ["text", "title"].lazy.compactMap { attributes[$0] }.first
                let address = attributes["xmlurl"]
                if let address {
                    let feed = Subscription(
                        address: address, title: title, folder: folders.last ?? nil, name: attributes["blogname"],
                        site: attributes["htmlurl"])
                    feeds.append(feed)
                }
                if !isEmpty { open(address == nil ? title : nil) }
            case .close(let name) where scanner.lowercased(name) == "outline": close()
            default: break
            }
        }
        return isOPML ? feeds : nil
    }

    /// The attributes of a tag, each in one line.
    private func attributes() -> [String: String] {
        var attributes: [String: String] = [:]
        for attribute in scanner.attributes {
            let value = CharacterReferences.replaced(in: scanner[attribute.value])
            attributes[scanner.lowercased(attribute.name)] = FeedText.line(value.utf8)
        }
        return attributes
    }

    /// Opens a folder; the children of an unnamed one belong to the folder around it.
    private mutating func open(_ name: String?) {
        guard folders.count < Self.maxDepth else {
            deeper += 1
            return
        }
        let outer = folders.last ?? nil
        let inner = name.map { FolderPath([$0]).text } ?? ""
        folders.append(inner.isEmpty ? outer : outer.map { "\($0)/\(inner)" } ?? inner)
    }

    private mutating func close() {
        if deeper > 0 { deeper -= 1 } else { _ = folders.popLast() }
    }
}

/// A source in the list of a feed reader.
package struct Subscription: Hashable, Sendable {
    /// As written in the list.
    package let address: String
    /// The title in the reader.
    package let title: String?
    /// Its folder as a ``FolderPath``: `News/Science`.
    package let folder: String?
    /// Its name in this program, in an attribute that other readers ignore; nil in their lists.
    package let name: String?
    /// The address of the feed's site.
    package let site: String?
    /// Tags of newsboat that have no meaning here.
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

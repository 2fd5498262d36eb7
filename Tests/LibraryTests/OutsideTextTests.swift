import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogMarkup
@testable import BlogModel
@testable import BlogStore

/// What reads text from outside, and takes time in proportion to it.
@Suite("Text from outside") struct OutsideTextTests {
    /// Each file that reads such text, with the test that gives it texts of a length and of eight times that.
    static let readers = [
        "BlogKit/Essentials/Files/LineReader.swift": "OutsideTextTests.json",
        "BlogKit/Feeds/DeclaredEntities.swift": "HardTextTests.feed",
        "BlogKit/Feeds/FeedDiscovery.swift": "FeedDiscoveryTests.hostile",
        "BlogKit/Feeds/FeedParser.swift": "HardTextTests.feed",
        "BlogKit/Feeds/FeedText.swift": "HardTextTests.line",
        "BlogKit/Feeds/FeedTree.swift": "HardTextTests.feed",
        "BlogKit/Feeds/RelativeLinks.swift": "HardTextTests.feed",
        "BlogKit/Feeds/OPML.swift": "OutsideTextTests.opml",
        "BlogKit/Library/ArchiveImport.swift": "OutsideTextTests.json",
        "BlogKit/Library/Articles/WebPage.swift": "HardTextTests.page",
        "BlogKit/Library/Following/SubscriptionFile.swift": "SubscriptionLineTests.time",
        "BlogKit/Library/SourceKinds/BlogAPI/PostDocument.swift": "OutsideTextTests.json",
        "BlogKit/Library/SourceKinds/BlogAPI/RecordReader.swift": "OutsideTextTests.json",
        "BlogKit/Library/SourceKinds/JSON/JSONScanner.swift": "OutsideTextTests.json",
        "BlogKit/Library/SourceKinds/JSON/WireJSON.swift": "OutsideTextTests.json",
        "BlogKit/Markup/Article/PageMetadata.swift": "HardTextTests.page",
        "BlogKit/Markup/HTML/HTML.swift": "HardTextTests.body",
        "BlogKit/Markup/HTML/HTMLBuilder.swift": "HardTextTests.body",
        "BlogKit/Markup/HTML/ProtectedAddresses.swift": "HardTextTests.body",
        "BlogKit/Markup/HTML/Visibility.swift": "HardTextTests.body",
        "BlogKit/Markup/HTML/VisibleTokens.swift": "HardTextTests.line",
        "BlogKit/Feeds/ReaderItems.swift": "OutsideTextTests.json",
        "BlogKit/Library/SourceKinds/Service/ReaderAPI.swift": "OutsideTextTests.json",
        "BlogKit/Markup/HTML/InlineBuilder.swift": "HardTextTests.body",
        "BlogKit/Markup/HTML/MetaRefresh.swift": "OutsideTextTests.pages",
        "BlogKit/Markup/HTMLTree/HTMLTree.swift": "HardTextTests.page",
        "BlogKit/Markup/HTMLTree/HTMLTreeBuilder.swift": "HardTextTests.page",
        "BlogKit/Markup/Markdown/Markdown.swift": "HardTextTests.body",
        "BlogKit/Markup/Text/CharacterDecoding.swift": "HardTextTests.feed",
        "BlogKit/Markup/Text/JSONTree.swift": "OutsideTextTests.json",
        "BlogKit/Model/ExportEnd.swift": "OutsideTextTests.json",
        "BlogKit/Model/PostMetadata.swift": "OutsideTextTests.json",
        "BlogKit/Store/Marks/ChangeHistory.swift": "OutsideTextTests.json",
        "BlogKit/Store/Search/Segmentation.swift": "HardTextTests.line",
    ]

    @Test("is read only where a test makes it long")
    func table() throws {
        let marks = [
            "TagScanner(", "JSONTree.document", "JSONTreeReader(", "JSONDecoder()", "CharacterDecoding.",
            "HTMLToken.forEach", "JSONScanner", "BlockParser(", "whereSeparator: \\.isNewline",
        ]
        let settings = "Interface/CommandLine/Settings.swift"
        let found = try Repository.swiftFiles(below: "Sources").filter { path, text in
            path != settings && !path.hasSuffix("TagScanner.swift") && marks.contains(where: text.contains)
        }
        let paths = Set(found.map(\.path)).union(["BlogKit/Markup/Text/CharacterDecoding.swift"])
        #expect(paths.subtracting(Self.readers.keys) == [], "these files need a test of their growth")
        #expect(Set(Self.readers.keys).subtracting(paths) == [])
        let tests = try Repository.swiftFiles(below: "Tests")
        for test in Set(Self.readers.values) {
            let parts = test.split(separator: ".")
            let isThere = tests.contains { path, text in
                path.hasSuffix("/\(parts[0]).swift") && text.contains("func \(parts[1])(") && text.contains("Growth.")
            }
            #expect(isThere, "\(test)")
        }
    }

    /// Foundation's decoder takes more time for deeper values, up to 512 levels: more of them are in either text.
    private static let length = 4096
    private static let most = 20.0

    /// The texts of the two lengths, made once.
    private static func texts<Text>(_ make: (Int) -> Text) -> [Int: Text] {
        Dictionary(uniqueKeysWithValues: [length, 8 * length].map { ($0, make($0)) })
    }

    private static let url = URL(filePath: "/")

    @Test("takes linear time as JSON, whatever is expected in it", arguments: HardText.all(.json))
    func json(shape: HardText) async throws {
        let texts = [
            Self.length: shape.text(length: Self.length), 8 * Self.length: shape.text(length: 8 * Self.length),
        ]
        let steps: [(String, (String) -> Void)] = [
            ("feed", { _ = try? FeedParser.parse(Array($0.utf8), base: Self.url) }),
            (
                "item",
                { text in
                    let item = try? WireJSON.decode(HackerNewsItem.self, from: Data(text.utf8), of: Self.url)
                    _ = item.map { SortKey($0.entry(options: []).metadata) }
                }
            ),
            ("ids", { _ = try? WireJSON.decode([Int?].self, from: Data($0.utf8), of: Self.url) }),
            ("photos", { _ = try? WireJSON.decode(PhotoRecord.self, from: Data($0.utf8), of: Self.url) }),
            ("service", { _ = ReaderItems(Array($0.utf8), isFreshRSS: true) }),
            ("export", { _ = try? JSONDecoder().decode(ExportedPost.self, from: Data($0.utf8)) }),
            (
                "list",
                { text in
                    let document = DocumentBody(Array(text.utf8))
                    for windowSize in [1 << 10, 1 << 20] {
                        var reader = RecordReader(document, of: Self.url, windowSize: windowSize)
                        while (try? reader.next()) != nil {}
                    }
                }
            ),
            ("post", { _ = PostDocument(scanning: Array($0.utf8)) }),
            ("change", { _ = try? JSONDecoder().decode(Change.self, from: Data($0.utf8)) }),
            ("details", { _ = try? JSONDecoder().decode(Details.self, from: Data($0.utf8)) }),
        ]
        for (name, step) in steps {
            let growth = Growth.ofEightfoldInput(enough: Self.most, from: Self.length) { step(texts[$0] ?? "") }
            #expect(growth < Self.most, "\(name)")
        }
    }

    @Test("takes linear time as OPML", arguments: HardText.all(.opml))
    func opml(shape: HardText) {
        let texts = Self.texts { Array(shape.text(length: $0).utf8) }
        let growth = Growth.ofEightfoldInput(enough: Self.most, from: Self.length) {
            _ = try? OPML.read(texts[$0] ?? [])
        }
        #expect(growth < Self.most)
    }

    @Test(
        "takes linear time as a page that may redirect or name feeds",
        arguments: HardText.all(.page) + HardText.all(.head))
    func pages(shape: HardText) throws {
        let address = try #require(URL(string: "http://127.0.0.1/"))
        let steps: [(String, (String) -> Void)] = [
            ("redirect", { _ = MetaRefresh.target(in: Data($0.utf8)) }),
            ("feeds", { _ = FeedDiscovery.candidates(in: Data($0.utf8), at: address) }),
        ]
        let texts = Self.texts { shape.page(length: 2 * $0) }
        for (name, step) in steps {
            let growth = Growth.ofEightfoldInput(enough: Self.most, from: Self.length) { step(texts[$0] ?? "") }
            #expect(growth < Self.most, "\(name)")
        }
    }
}

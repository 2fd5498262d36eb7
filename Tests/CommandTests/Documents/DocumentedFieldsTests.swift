import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogCommandLine
@testable import BlogRendering

@Suite("docs/formats.md") struct DocumentedFieldsTests {
    /// The types of fields by name, below each heading.
    private let tables: [String: [String: String]]

    init() throws {
        var (tables, heading): ([String: [String: String]], String) = ([:], "")
        for line in try DocumentedCommand.text(of: "docs/formats.md").components(separatedBy: "\n") {
            if line.hasPrefix("### ") { heading = String(line.dropFirst(4)) }
            guard let row = line.wholeMatch(of: #/\| `([A-Za-z.]+)` \| ([a-z]+) \|.*/#) else { continue }
            tables[heading, default: [:]][String(row.1)] = String(row.2)
        }
        self.tables = tables
    }

    /// Headings, and the fields that commands take.
    static let known: [(heading: String, fields: [String])] = [
        ("Posts", Field.ofSearches.map(\.rawValue)), ("Sources", Commands.sources.fields),
        ("Sync", Commands.sync.fields), ("Store", Commands.store.fields), ("Marks", Commands.undo.fields),
        ("Settings", Commands.config.fields),
    ]

    @Test("lists the fields of each command", arguments: known)
    func fields(heading: String, fields: [String]) {
        #expect(tables[heading].map { Set($0.keys) } == Set(fields))
    }

    @Test("lists those of a post that others don't have")
    func post() {
        let members = Set(tables["A post"]?.keys.map { String($0) } ?? [])
        let own = Set(Field.ofReadings.map(\.rawValue)).subtracting(Field.ofLists.map(\.rawValue))
        #expect(members == own.union(["id", "typedId", "metadata"]))
    }

    /// Headings, and commands that print the members.
    static let outputs = [
        ("Posts", "list --json"), ("Posts", "list -s hn --json"), ("Posts", "list -s photos --json"),
        ("Posts", "list -s feed --json"), ("Posts", "search a --json"), ("Posts", "search in:comments the --json"),
        ("A post", "read latest:3 --json"), ("A post", "read hn:8863 --json"), ("Sources", "sources --json"),
        ("Sync", "sync --json"), ("Store", "store --json"), ("Marks", "undo --list --json"),
        ("Settings", "config --json"),
    ]

    @Test("has the types of all members that commands print", arguments: outputs)
    func types(heading: String, line: String) async throws {
        let site = try TestSite()
        let data = Repository.mockBlog.deletingLastPathComponent()
        let others = try MockServer(sites: [
            HackerNewsSite(folder: data.appending(path: "hackernews")), FeedSite(folder: Repository.mockFeeds),
            PhotoSite(folder: data.appending(path: "photos")),
        ])
        defer { others.stop() }
        for (address, options) in [
            (site.server.address, ["--as", "nerds"]), (others.address + "/v0", ["--as", "hn"]),
            (others.address + "/feeds/feed.xml", ["--as", "feed"]),
            (others.address + "/v1", ["--as", "photos", "--kind", "500px"]),
        ] {
            #expect(try await site.blog(["follow", address] + options).code == 0)
        }
        _ = try await site.blog("read", "hn:8863", "nerds:11")
        let json = try JSONSerialization.jsonObject(with: Data(try await site.run(line).output.utf8))
        let objects = json as? [[String: Any]] ?? (json as? [String: Any]).map { [$0] } ?? []
        #expect(!objects.isEmpty)
        for object in objects {
            for (name, value) in object where !(value is NSNull) {
                let type = try #require(tables[heading]?[name], "\(name) isn't documented")
                #expect(Self.type(of: value) == type, "\(name)")
            }
        }
        let metadata = objects.compactMap { $0["metadata"] as? [String: Any] }
        #expect(metadata.allSatisfy { Set($0.keys).isSubset(of: tables["Posts"]?.keys.map { String($0) } ?? []) })
    }

    private static func type(of value: Any) -> String {
        switch value {
        case is String: "string"
        // Foundation's true and false are numbers, too.
        case let number as NSNumber: String(cString: number.objCType) == "c" ? "boolean" : "number"
        case is [Any]: "array"
        default: "object"
        }
    }
}

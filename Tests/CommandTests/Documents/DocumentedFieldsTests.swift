import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogCommandLine
@testable import BlogRendering

@Suite("docs/formats.md") struct DocumentedFieldsTests {
    /// The types of fields by name, below each heading.
    private let tables: [String: [String: String]]
    /// The fields that a post has once it has been read or synced.
    private let ofReadPosts: Set<String>

    init() throws {
        var (tables, heading): ([String: [String: String]], String) = ([:], "")
        var ofReadPosts: Set<String> = []
        for line in try DocumentedCommand.text(of: "docs/formats.md").components(separatedBy: "\n") {
            if line.hasPrefix("### ") { heading = String(line.dropFirst(4)) }
            guard let row = line.wholeMatch(of: #/\| `([A-Za-z.]+)` \| ([a-z]+) \|.*/#) else { continue }
            tables[heading, default: [:]][String(row.1)] = String(row.2)
            if line.contains("once read or synced") { ofReadPosts.insert(String(row.1)) }
        }
        self.tables = tables
        self.ofReadPosts = ofReadPosts
    }

    /// Headings, and the fields that commands take.
    static let known: [(heading: String, fields: [String])] = [
        ("Posts", Field.ofSearches.map(\.rawValue)), ("Sources", Commands.sources.fields),
        ("Sync", Commands.sync.fields), ("Store", Commands.store.fields), ("Changes", Commands.undo.fields),
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
        #expect(members == own)
    }

    /// Headings, and commands that print the members.
    static let outputs = [
        ("Posts", "list --json"), ("Posts", "list -s hn --json"), ("Posts", "list -s photos --json"),
        ("Posts", "list -s feed --json"), ("Posts", "search a --json"), ("Posts", "search in:comments the --json"),
        ("A post", "read latest:3 --json"), ("A post", "read hn:8863 --json"), ("Sources", "sources --json"),
        ("Sync", "sync --json"), ("Store", "store --json"), ("Changes", "undo --list --json"),
        ("Settings", "config --json"),
    ]

    @Test("has the types of all members that commands print", arguments: outputs)
    func types(heading: String, line: String) async throws {
        let site = try await FollowingSite()
        _ = try await site.run("read hn:8863 nerds:11")
        let objects = try await site.objects(line)
        #expect(!objects.isEmpty)
        let others = heading == "A post" ? documented("Posts") : []
        #expect(Self.members(of: objects).isSubset(of: documented(heading).union(others)))
        // What isn't known is absent everywhere.
        #expect(!objects.joined().contains { $1 is NSNull || $0 != "body" && $1 as? String == "" })
    }

    @Test(
        "has all fields of the posts of each kind of source, of the same types before and after a sync",
        arguments: FollowingSite.sources + ["pages", "found"])
    func everySource(source: String) async throws {
        let site = try await FollowingSite()
        _ = try await site.run("mark saved \(site.page)")
        #expect(try await site.run("search in:posts --as found").code == 0)
        let fields = Field.ofLists.map(\.rawValue).joined(separator: ",")
        let lines = ["list -s \(source) --json", "list -s \(source) --json=\(fields)"]
        var before: [Set<Member>] = []
        for line in lines { before.append(Self.members(of: try await site.objects(line))) }
        #expect(try await site.run("sync -s \(source) --limit 5").code == 0)
        for (line, before) in zip(lines, before) {
            let after = Self.members(of: try await site.objects(line))
            for post in try await site.objects(line) where post["source"] as? String != "nerds" {
                let texts = [post["title"], post["summary"]].compactMap { $0 as? String }
                #expect(texts.allSatisfy { !$0.contains(where: \.isNewline) }, "\(texts)")
            }
            #expect(!before.isEmpty && before.isSubset(of: after), "\(before.subtracting(after))")
            let added = after.subtracting(before).map(\.name)
            #expect(Set(added).isSubset(of: ofReadPosts), "\(added)")
            #expect(after.isSubset(of: documented("Posts")), "\(after.subtracting(documented("Posts")))")
        }
    }

    /// A member of an object, and its type.
    private struct Member: Hashable {
        let name: String
        let type: String
    }

    private func documented(_ heading: String) -> Set<Member> {
        Set((tables[heading] ?? [:]).map { Member(name: $0, type: $1) })
    }

    private static func members(of objects: [[String: Any]]) -> Set<Member> {
        Set(objects.joined().compactMap { $1 is NSNull ? nil : Member(name: $0, type: type(of: $1)) })
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

/// A home in which a source of each kind is followed.
private final class FollowingSite {
    static let sources = ["nerds", "hn", "feed", "photos", "home"]

    private let site: TestSite
    private let service: MockServer
    /// The address of a web page.
    var page: String { site.server.address + "/feeds/lantern/fog.html" }

    init() async throws {
        let data = Repository.mockBlog.deletingLastPathComponent()
        site = try TestSite(sites: [
            BlogSite(folder: Repository.mockBlog, isTimed: false),
            HackerNewsSite(folder: data.appending(path: "hackernews")), FeedSite(folder: Repository.mockFeeds),
            PhotoSite(folder: data.appending(path: "photos")),
        ])
        service = try MockServer(sites: [ServiceSite(.freshRSS, feeds: 2, items: 5)])
        try site.login("alice", password: "apipass1")
        let addresses = ["", "/v0", "/feeds/feed.xml", "/v1 --kind 500px"].map { site.server.address + $0 }
        for (name, address) in zip(Self.sources, addresses + [service.address]) {
            let followed = try await site.run("follow \(address) --as \(name)")
            #expect(followed.code == 0, "\(followed.errors)")
        }
    }

    deinit { service.stop() }

    func run(_ line: String) async throws -> Outcome { try await site.run(line) }

    /// The objects that a command prints.
    func objects(_ line: String) async throws -> [[String: Any]] {
        let json = try await site.run(line).json()
        return json as? [[String: Any]] ?? (json as? [String: Any]).map { [$0] } ?? []
    }
}

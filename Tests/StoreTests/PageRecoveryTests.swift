import BlogTestSupport
import Foundation
import Testing
@testable import BlogLibrary
@testable import BlogFeeds
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

/// A store that loses one page at a time.
@Suite("An export of a store that lost a page", .serialized) struct PageRecoveryTests {
    private static let count = 30
    private let folder: TemporaryFolder
    private let whole: Data

    /// Posts of two sources with short and long bodies and articles, one body of them in parts.
    init() async throws {
        folder = try TemporaryFolder()
        let path = folder.path("whole")
        let store = try PostStore(path: path)
        for source in [SourceID.one, .two] {
            let numbers = source == .one ? 1...20 : 21...Self.count
            try await store.list(
                numbers.map { try sample(id: "\($0)", title: Self.title($0), summary: Self.text($0, words: 30)) },
                of: source)
            for number in numbers where number % 3 > 0 {
                let words = number == 20 ? 15_000 : number % 3 == 1 ? 20 : 600
                try await store.store(Self.text(number, words: words), of: "\(number)", source)
            }
            for number in numbers where number % 10 == 0 || number == 15 {
                try await store.storeArticle(Self.article(number), of: PostID(source: source, local: "\(number)"))
            }
        }
        _ = try await store.follow(.one, in: nil, site: nil, at: Date(timeIntervalSince1970: 5)) { _ in "one" }
        try await store.vacuum()
        whole = try Data(contentsOf: URL(filePath: path))
    }

    private static func title(_ number: Int) -> String { "The title of post \(number) of this store." }

    private static func text(_ number: Int, words: Int) -> String {
        (0..<words).map { "\(number)-\($0 &* 7919 % 9973)" }.joined(separator: " ")
    }

    /// A post's article: a short one, stored on the page of its row, or a long one.
    private static func article(_ number: Int) -> String {
        "Article of post \(number): " + text(number, words: number % 2 == 0 ? 30 : 900)
    }

    private enum Damage: String, CaseIterable {
        case zeros
        case noise
        case end
    }

    private func damaged(_ damage: Damage, page: Int) -> Data {
        let range = page * 4096..<(page + 1) * 4096
        var data = whole
        var random = SplitMix(state: UInt64(page))
        switch damage {
        case .zeros: data.replaceSubrange(range, with: Data(count: 4096))
        case .noise:
            data.replaceSubrange(range, with: Data((0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) }))
        case .end: data = data[..<range.lowerBound]
        }
        return data
    }

    /// The result of an export; nil if it fails with an error.
    private func export(_ data: Data) async throws -> (posts: [ExportedPost], lost: UnreadablePosts)? {
        let path = folder.path(UUID().uuidString)
        try data.write(to: URL(filePath: path))
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        do {
            let (_, exported) = try await Archive.export(at: path)
            var posts: [ExportedPost] = []
            for try await post in exported { posts.append(post) }
            return (posts, exported.unreadable)
        } catch is StoreError {
            return nil
        }
    }

    /// The ranges of a text in the whole file.
    private func ranges(of text: String) -> [Range<Int>] {
        let bytes = Data(text.utf8)
        var ranges: [Range<Int>] = []
        while let range = whole.range(of: bytes, in: (ranges.last?.upperBound ?? 0)..<whole.count) {
            ranges.append(range)
        }
        return ranges
    }

    @Test("has every post of the other pages complete, and reports the losses", arguments: Damage.allCases)
    private func everyPage(damage: Damage) async throws {
        let originals = try #require(try await export(whole)).posts.reduce(into: [:]) { $0[$1.metadata.id] = $1 }
        #expect(originals.count == Self.count)
        let places = (1...Self.count).map { ranges(of: Self.title($0)) }
        let articlePlaces = (1...Self.count).filter { $0 % 10 == 0 }.map { ($0, ranges(of: Self.article($0))) }
        var (reached, articles) = (0, 0)
        var possible = 0
        // Each page is lost in one way only, as the others lead to the same code.
        for page in stride(from: 0, to: whole.count / 4096, by: damage == .zeros ? 1 : 5) {
            let data = damaged(damage, page: page)
            let lostBytes = page * 4096..<(damage == .end ? whole.count : (page + 1) * 4096)
            let healthy = (1...Self.count).filter { places[$0 - 1].contains { !$0.overlaps(lostBytes) } }
            possible += healthy.count
            guard let (posts, lost) = try await export(data) else {
                #expect(healthy.isEmpty, "page \(page): nothing")
                continue
            }
            reached += posts.count
            let ids = Set(posts.map(\.metadata.id))
            #expect(ids.count == posts.count && ids.isSuperset(of: healthy.map(String.init)), "page \(page)")
            for post in posts {
                let original = try #require(originals[post.metadata.id])
                #expect(post.metadata == original.metadata, "page \(page)")
                #expect(post.body == nil || post.body == original.body, "page \(page)")
                #expect(post.article == nil || post.article == original.article, "page \(page)")
            }
            let found = Set(posts.filter { $0.article != nil }.map(\.metadata.id))
            for (number, places) in articlePlaces where healthy.contains(number) {
                guard places.contains(where: { !$0.overlaps(lostBytes) }) else { continue }
                #expect(found.contains("\(number)"), "page \(page), article of \(number)")
                articles += 1
            }
            let bodies = posts.count { $0.body != nil }
            let all = originals.values.count { ids.contains($0.metadata.id) && $0.body != nil }
            #expect(lost.bodies == all - bodies, "page \(page)")
            if !lost.isCountUnknown, page > 0 || damage != .end {
                #expect(lost.posts == Self.count - posts.count, "page \(page)")
            }
            if ids.count < Self.count || bodies < all, page > 0 || damage != .end {
                #expect(lost.isDamaged, "page \(page)")
            }
        }
        #expect(reached >= possible && reached > 0 && articles > 0)
    }

    @Test("has the posts and sources of a store whose version is invalid", arguments: [-1, -5, Int(Int32.min)])
    func negativeVersion(version: Int) async throws {
        let path = folder.path("negative")
        try whole.write(to: URL(filePath: path))
        try Database(path: path, mode: .readWrite).execute("PRAGMA user_version = \(version)")
        #expect(throws: StoreError(path: path, reason: .notADatabase)) { try PostStore(path: path) }
        let (sources, posts) = try await Archive.export(at: path)
        #expect(sources.map(\.name) == ["one"])
        #expect(try await posts.reduce(into: 0) { count, _ in count += 1 } == Self.count)
        #expect(posts.unreadable.isDamaged)
    }

    @Test("fails for a file that was never a store")
    func garbage() async throws {
        let path = folder.path("garbage")
        try Data((0..<40_960).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: URL(filePath: path))
        await #expect(throws: StoreError(path: path, reason: .beyondRecovery)) {
            _ = try await Archive.export(at: path)
        }
    }
}

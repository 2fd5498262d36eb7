import BlogModel
import BlogStore
import BlogTestSupport
import Foundation
import Testing

@Suite("Posts sorted in memory") struct ArrangedPostsTests {
    static let titles = [
        "", " ", "🚀", "Part 2", "Part 10", "part 2", "PART 02", "Part 007", "Éclairs", "E\u{301}clairs", "éclairs",
        "“Done”", "3 things", "３ things", "٣ things", "½ a thing", "99999999999999999999", "日本", "日本 2", "Ａ wide",
        "ßtraße", "Strasse", "ǰ", "ﬁne", "İstanbul", "ısı", "\u{1F1E6}\u{1F1F9}", "a\u{0}b", "a", "A", "\u{212B}", "Å",
        "\u{1100}\u{1161}\u{11A8}", "\u{AC01}", "Ωmega", "\u{2126}mega", "ÿ", "\u{FFFF}", "𝔄bc", "z",
    ]
    static let authors = [
        "Kim", "KIM", "kim", "Zoë", "Zoe\u{308}", "Zoe", "ZOË", "", " ", "田中 美咲", "R2 D2", "R10 D2", "R02 D2",
        "\u{0}", "Ａda", "Ada", "👩‍💻",
    ]
    static let dates = [
        "2018-07-15T23:03:29Z", "2018-07-16T00:03:29+01:00", "2018-07-31T23:59:59-04:00", "2018-08-01T03:59:59Z",
        "2018-08-01T00:00:00.001Z", "0001-01-01T00:00:00+23:00", "9999-12-31T23:59:59-23:00", "1969-12-31T23:59:59Z",
    ]

    /// Posts whose IDs differ in more than leading zeros, since SQLite promises no order for such ties.
    private func posts(_ count: Int, _ random: inout SplitMix) throws -> [PostMetadata] {
        try (0..<count).map { number in
            let isPlain = Bool.random(using: &random)
            let title = isPlain ? Self.titles.randomElement(using: &random) : HostileText.next(&random)
            let date = try #require(Self.dates.randomElement(using: &random))
            return PostMetadata(
                id: ["", "p", "P", "é-", "e\u{301}-", "日"][Int.random(in: 0..<6, using: &random)] + String(number),
                title: try #require(title), publishDate: try #require(Timestamp(date)), postId: "1", summary: nil,
                author: Author(name: try #require(Self.authors.randomElement(using: &random))),
                score: [nil, 0, 1, 1, -7, .max, .min].randomElement(using: &random) ?? nil,
                commentCount: [nil, 0, 5].randomElement(using: &random) ?? nil,
                details: [nil, .photo(Photo()), .photo(Photo(rating: 0)), .photo(Photo(rating: 87.25))]
                    .randomElement(using: &random) ?? nil)
        }
    }

    @Test("match the store's order and groups", arguments: [1, 2, 3] as [UInt64])
    func sameAsStore(seed: UInt64) async throws {
        var random = SplitMix(state: seed)
        let posts = try posts(seed == 1 ? 1 : 100, &random)
        let store = try PostStore()
        try await store.list(posts)
        let blog = try #require(try await store.read { try Sources($0).find(.one) })
        for sorting in Sorting.allCases {
            for isReversed in [false, true] {
                let sorted = posts.shuffled(using: &random).sorted(by: sorting, reversed: isReversed)
                let ids = try await store.ids(Query(arrangement: Arrangement(sorting: sorting, isReversed: isReversed)))
                #expect(sorted.map(\.id) == ids, "\(sorting), reversed \(isReversed)")
                for grouping in [Grouping.author, .date, .title] {
                    let query = Query(
                        arrangement: Arrangement(
                            sorting: sorting, grouping: grouping, isReversed: isReversed,
                            areGroupsReversed: isReversed))
                    let listed = try await store.posts(query)
                    let groups = sorted.grouped(by: grouping, reversed: isReversed)
                    #expect(
                        groups.flatMap(\.posts).map(\.id) == listed.map(\.metadata.id),
                        "\(sorting) by \(grouping), reversed \(isReversed)")
                    #expect(groups.flatMap { group in group.posts.map { _ in group.name } } == listed.map(\.group))
                    let headers = try await store.openList(query, in: SourceScope([blog])).groups
                    #expect(groups.map { PostGroup(name: $0.name, count: $0.posts.count) } == headers)
                }
            }
        }
    }

    @Test("reverse the order of posts and of groups independently")
    func reversal() throws {
        let posts = try [
            sample(id: "1", title: "A", date: "2018-01-01T00:00:00Z", author: "Kim"),
            sample(id: "2", title: "B", date: "2018-01-02T00:00:00Z", author: "Zoë"),
            sample(id: "3", title: "C", date: "2018-01-03T00:00:00Z", author: "Kim"),
        ]
        func ids(_ groups: [PostsInGroup]) -> [[String]] { groups.map { $0.posts.map(\.id) } }
        #expect(ids(posts.sorted(by: .title).grouped(by: .author)) == [["1", "3"], ["2"]])
        #expect(ids(posts.sorted(by: .title, reversed: true).grouped(by: .author)) == [["3", "1"], ["2"]])
        #expect(ids(posts.sorted(by: .title).grouped(by: .author, reversed: true)) == [["2"], ["1", "3"]])
        #expect(posts.grouped(by: .date).map(\.name) == ["January 2018"])
        #expect([PostMetadata]().grouped(by: .title).isEmpty)
    }

    @Test("keep ties in input order, reversed in a reversed sort")
    func ties() throws {
        let posts = try ["1", "01", "001"].map { try sample(id: $0) }
        #expect(posts.sorted(by: .title).map(\.id) == ["1", "01", "001"])
        #expect(posts.reversed().sorted(by: .title).map(\.id) == ["001", "01", "1"])
        #expect(posts.sorted(by: .title, reversed: true).map(\.id) == ["001", "01", "1"])
    }
}

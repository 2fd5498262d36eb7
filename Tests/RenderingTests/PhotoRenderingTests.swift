import BlogMarkup
import BlogTestSupport
import Foundation
import Testing
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A rendered photo") struct PhotoRenderingTests {
    private static let camera = Camera(
        model: "Canon EOS 6D", lens: "EF24-70mm", focalLength: "35", shutterSpeed: "1/250", aperture: "2.8", iso: "100",
        takenAt: Timestamp("2018-07-01T10:00:00Z"))
    private static let place = Place(
        name: "Jökulsárlón, Iceland", coordinates: Coordinates(latitude: 64.0784, longitude: -16.2306))

    private func post(_ photo: Photo?, body: String? = nil, rank: Int? = nil) throws -> Record {
        let metadata = PostMetadata(
            id: "500px:49", title: "Ice", publishDate: try #require(Timestamp("2018-07-03T04:06:09Z")), postId: "49",
            summary: nil, author: Author(name: "Ana Ruiz"), link: "https://photos.example/photo/49", commentCount: 2,
            details: photo.map { .photo($0) })
        var record = Record(
            StoredPost(
                metadata: metadata, source: .one, group: nil, state: PostState(isRead: false, isSaved: false),
                rank: rank))
        (record.body, record.bodyFormat) = (body, .plain)
        return record
    }

    private var whole: Photo {
        Photo(
            pictures: [Picture(url: "https://i.example/1.jpg", size: 440)], rating: 87.25, highestRating: 99.1,
            views: 1234, votes: 56, category: "Landscapes", license: "Creative Commons Attribution", isAdult: true,
            photographer: Photographer(username: "ana", city: "Oslo", country: "Norway"), camera: Self.camera,
            place: Self.place, replies: ["49:1"])
    }

    @Test("has its facts in a fixed order: photographer, camera, place, statistics")
    func order() throws {
        var article = PostTextRenderer(.sample(60), codeWidth: 60)
        #expect(
            try article.post(post(whole, body: "Ice on black sand")).plain == """
                Ice
                ━━━
                nsfw · 500px:49

                Ice on black sand

                By            Ana Ruiz (ana)
                From          Oslo, Norway

                Camera        Canon EOS 6D
                Lens          EF24-70mm
                Focal length  35 mm
                Shutter       1/250 s
                Aperture      f/2.8
                ISO           100
                Taken         1 July 2018

                Where         Jökulsárlón, Iceland
                Coordinates   64.0784° N, 16.2306° W
                Map           https://www.openstreetmap.org/?mlat=64.0784&mlon=-16.2306&zoom=10

                Category      Landscapes
                Rating        87.2, highest 99.1
                Views         1234
                Votes         56
                Licence       Creative Commons Attribution
                Published     3 July 2018
                Page          https://photos.example/photo/49

                """)
    }

    @Test("omits sections without facts")
    func unknown() throws {
        var article = PostTextRenderer(.sample(60), codeWidth: 60)
        #expect(
            try article.post(post(Photo())).plain == """
                Ice
                ━━━
                500px:49

                By            Ana Ruiz

                Published     3 July 2018
                Page          https://photos.example/photo/49

                """)
    }

    static let values: [(Camera, [String])] = [
        (Camera(focalLength: "35mm"), ["35mm"]), (Camera(shutterSpeed: "2s"), ["2s"]),
        (Camera(aperture: "f/8"), ["f/8"]),
        (Camera(shutterSpeed: "30"), ["30 s"]), (Camera(model: " "), []),
    ]

    @Test("has units even if the source left them out", arguments: values)
    func units(camera: Camera, texts: [String]) throws {
        let facts = PhotoFacts(try post(Photo(camera: camera)).metadata, date: \.utc)
        #expect(facts?.camera.map(\.text) == texts)
    }

    @Test("has no date if it is unknown")
    func undated() throws {
        let metadata = PostMetadata(
            id: "500px:1", title: "Ice", publishDate: Timestamp(secondsSince1970: 0), postId: "1", summary: nil,
            author: Author(name: "ana"), details: .photo(Photo(rating: 90)))
        let post = StoredPost(metadata: metadata, source: .one, group: nil, state: PostState(), rank: 1)
        var cards = CardRenderer(.sample(80))
        #expect(cards.record(Record(post)).plain.hasSuffix("  ana · 500px:1\n"))
        var lines = TableRenderer(.sample(80), orders: [.rank, .rating])
        #expect(!(lines.record(Record(post)) + lines.end()).plain.contains("1970"))
        var columns = TabSeparatedRenderer(fields: [.id, .publishDate, .title])
        #expect(columns.record(Record(post)).plain == "500px:1\t\tIce\n")
        let story = PostMetadata(
            id: "hn:1", title: "Ice", publishDate: Timestamp(secondsSince1970: 0), postId: "1", summary: nil,
            author: Author(name: "ana"), details: .discussion(Discussion(parent: nil, replies: [])))
        let read = Post(id: "1", metadata: story, body: "b")
        var renderers: [any PostRenderer] = [
            PostTextRenderer(.sample(60), codeWidth: 60), MarkdownRenderer(isGrouped: false),
            BodyRenderer(isRaw: false, hasHead: true),
        ]
        for index in renderers.indices {
            var text = ""
            try renderers[index].post(Record(read)) { text += $0.plain }
            #expect(text.contains("ana") && !text.contains("1970"), "\(text)")
        }
    }

    @Test("fits a narrow terminal", arguments: [20, 39, 40])
    func narrow(width: Int) throws {
        var article = PostTextRenderer(.sample(width), codeWidth: width)
        let lines = try article.post(post(whole, body: "b")).plain.split(separator: "\n")
        #expect(lines.filter { !$0.contains("://") }.allSatisfy { DisplayWidth.of($0) <= width })
        #expect(lines.contains(width < 40 ? "Aperture: f/2.8" : "Aperture      f/2.8"))
    }

    @Test("is a card with rank, rating, views, author and date")
    func card() throws {
        var cards = CardRenderer(.sample(80))
        #expect(
            cards.record(try post(whole, rank: 1)).plain == """
                  1. ●  Ice
                         rated 87.2    1234 views  Ana Ruiz · 3 Jul 2018 · nsfw · 500px:49

                """)
        #expect(
            cards.record(try post(Photo(), rank: 12)).plain.hasSuffix(
                "\n" + String(repeating: " ", count: 35) + "Ana Ruiz · 3 Jul 2018 · 500px:49\n"))
        var narrow = CardRenderer(.sample(30))
        #expect(
            narrow.record(try post(whole, rank: 1)).plain.contains(
                "rated 87.2\n        1234 views\n        2 comments · Ana"))
        #expect(cards.record(try post(whole)).plain.contains("Ana Ruiz · rated 87.2 · 1234 views · 2 comments"))
    }

    @Test("is a line in a table, and in tab-separated output")
    func line() throws {
        var table = TableRenderer(.sample(80), orders: [.rank, .rating])
        let record = try post(whole, rank: 1)
        #expect((table.record(record) + table.end()).plain == "500px:49 ●    1 Ice Ana Ruiz 87.2 3 Jul 2018    1234\n")
        var tabs = TabSeparatedRenderer(fields: [.id, .rank, .rating, .views, .link])
        #expect(tabs.record(record).plain == "500px:49\t1\t87.2\t1234\thttps://photos.example/photo/49\n")
    }

    static let fields: [(Field, String, String?)] = [
        (.rating, "87.2", "87.25"), (.views, "1234", "1234"), (.votes, "56", "56"),
        (.category, "Landscapes", #""Landscapes""#), (.lens, "EF24-70mm", #""EF24-70mm""#), (.nsfw, "true", "true"),
        (.license, "Creative Commons Attribution", #""Creative Commons Attribution""#),
        (.place, "Jökulsárlón, Iceland", nil), (.camera, "Canon EOS 6D", nil),
        (.image, "https://i.example/1.jpg", #""https://i.example/1.jpg""#),
    ]

    @Test("has fields that can be selected", arguments: fields)
    func field(field: Field, text: String, json: String?) throws {
        let record = try post(whole)
        #expect(field.text(record) == text)
        if let json { #expect(field.json(record) == json) }
        let none = try [post(Photo()), post(nil)].filter { field != .nsfw || $0.metadata.photo == nil }
        for record in none { #expect((field.text(record), field.json(record)) == ("", nil)) }
    }

    @Test("has its largest picture as its image")
    func image() throws {
        let pictures = [1, 2, 3].map { Picture(url: "https://i.example/\($0).jpg", size: $0 * 440) }
        let record = try post(Photo(pictures: pictures))
        #expect(Field.image.text(record) == "https://i.example/3.jpg")
        #expect(Field.image.json(record) == #""https://i.example/3.jpg""#)
    }

    @Test("is the same after decoding JSON, except for its comments' IDs")
    func json() throws {
        for photo in [
            whole, Photo(), Photo(rating: .nan, place: Place(name: nil, coordinates: Self.place.coordinates)),
        ] {
            let text = JSONRecord(fields: nil).text(try post(photo))
            let decoded = try JSONDecoder().decode(PostMetadata.self, from: Data(text.utf8)).photo
            let expected = Photo(
                pictures: photo.pictures, rating: photo.rating?.isNaN == true ? nil : photo.rating,
                highestRating: photo.highestRating, views: photo.views, votes: photo.votes, category: photo.category,
                license: photo.license, isAdult: photo.isAdult, photographer: photo.photographer, camera: photo.camera,
                place: photo.place)
            #expect(decoded == expected)
        }
    }

    @Test("is a list of facts below its description in Markdown")
    func markdown() throws {
        var renderer = MarkdownRenderer(isGrouped: false)
        let photo = Photo(camera: Camera(model: "A*7*"), place: Self.place)
        #expect(
            renderer.record(try post(photo, body: "Text")).plain == """
                # [Ice](<https://photos.example/photo/49>)

                *Ana Ruiz, 2018-07-03*, 2 comments

                Text

                - **By:** Ana Ruiz
                - **Camera:** A\\*7\\*
                - **Where:** Jökulsárlón, Iceland
                - **Coordinates:** 64.0784° N, 16.2306° W
                - **Map:** [https://www.openstreetmap.org/?mlat=64.0784&mlon=-16.2306&zoom=10](<https://www.openstreetmap.org/?mlat=64.0784&mlon=-16.2306&zoom=10>)
                - **Published:** 2018-07-03
                - **Page:** [https://photos.example/photo/49](<https://photos.example/photo/49>)

                """)
    }

    @Test("has comments in plain text and in HTML")
    func comments() throws {
        func lines(_ body: String, _ format: BodyFormat?) -> [String] {
            var thread = CommentLines(screen: .sample(50), codeRoom: 0)
            let comment = BlogModel.Comment(
                id: "49:1", author: Author(name: "bo"), publishDate: Timestamp(secondsSince1970: 1_767_225_600 - 7200),
                body: body, bodyFormat: format, depth: 0, removal: nil, replyCount: 0, isNew: false)
            return thread.lines(comment).map(\.plain)
        }
        #expect(lines("1 < 2 &amp;\n*x*", .plain) == ["", "bo · 2h · 49:1", "1 < 2 &amp;", "*x*"])
        #expect(lines("1 &lt; 2<br>x", .html) == ["", "bo · 2h · 49:1", "1 < 2", "x"])
    }

    @Test("does nothing on a terminal, whatever its facts contain", arguments: UInt64(1)...60)
    func hostile(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        func text() -> String { HostileText.next(&random) }
        let camera = Camera(
            model: text(), lens: text(), focalLength: text(), shutterSpeed: text(), aperture: text(), iso: text())
        let photo = Photo(
            pictures: [Picture(url: text())], rating: [.nan, .infinity, -1e308, 1e308].randomElement(using: &random),
            views: .max, votes: .min, category: text(), license: text(),
            photographer: Photographer(username: text(), city: text(), country: text()), camera: camera,
            place: Place(name: text(), coordinates: Self.place.coordinates))
        let record = try post(photo, body: text(), rank: 1)
        var (article, cards) = (PostTextRenderer(.sample(20), codeWidth: 20), CardRenderer(.sample(60)))
        var (table, markdown) = (
            TableRenderer(.sample(40), orders: [.rank, .rating]), MarkdownRenderer(isGrouped: false)
        )
        let texts = [
            try article.post(record), cards.record(record), table.record(record), table.end(), markdown.record(record),
        ]
        for text in texts.map(\.plain) + [JSONRecord(fields: nil).text(record)] {
            #expect(HostileText.isHarmless(text, but: ["\n", "\t"]), "\(text.debugDescription)")
        }
        let json = JSONRecord(fields: [.photo]).text(record)
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(json.utf8)) }
    }
}

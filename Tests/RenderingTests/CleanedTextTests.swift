import BlogTestSupport
import Foundation
import Testing
@testable import BlogMarkup
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

/// No text of a post may bring a line break or an escape sequence to a terminal.
@Suite("A post with line breaks or escape sequences in its texts") struct CleanedTextTests {
    private static let marks = [
        "\n", "\r\n", "\t", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}", "\u{0}", "\u{7F}", "\u{1B}[31m",
        "\u{1B}]0;x\u{7}", "\u{9B}2J", "\u{202E}", "\u{2066}",
    ]

    enum Kind: CaseIterable { case article, story, comment, photo }

    /// A post with a mark in each of its texts, or the same post sanitized.
    private func record(_ kind: Kind, _ seed: Int, isClean: Bool) -> Record {
        var random = SplitMix(state: UInt64(seed))
        func text(_ word: String) -> String {
            let text = "\(word)\(Self.marks.randomElement(using: &random) ?? "")Lee"
            return isClean ? Sanitizer.line(text) : text
        }
        let details: Details? =
            switch kind {
            case .article: nil
            case .story: .discussion(Discussion(parent: nil, replies: [], removal: nil))
            case .comment: .discussion(Discussion(parent: text("parent"), replies: [], removal: nil))
            case .photo:
                .photo(
                    Photo(
                        rating: 5, category: text("category"), license: text("license"),
                        photographer: Photographer(
                            username: text("user"), city: text("city"), country: text("country")),
                        camera: Camera(model: text("model"), lens: text("lens"), aperture: text("aperture")),
                        place: Place(name: text("place"))))
            }
        let metadata = PostMetadata(
            id: text("id"), title: text("title"), publishDate: Timestamp(secondsSince1970: 1_500_000_000),
            postId: "1", summary: text("summary"), author: Author(name: text("Ann"), title: text("role")),
            score: kind == .story ? 7 : nil, commentCount: kind == .story ? 3 : nil, details: details)
        let snippet = Snippet(pieces: [
            .init(text: text("snippet"), isHit: false), .init(text: text("hit"), isHit: true),
        ])
        let hasSnippet = Bool.random(using: &random)
        return Record(
            StoredPost(
                metadata: metadata, source: .one, group: text("group"),
                story: Story(id: text("s"), title: text("story")),
                snippet: hasSnippet ? snippet : nil))
    }

    private func comment(_ seed: Int, isClean: Bool) -> BlogModel.Comment {
        let mark = Self.marks[seed % Self.marks.count]
        func text(_ word: String) -> String { isClean ? Sanitizer.line("\(word)\(mark)Lee") : "\(word)\(mark)Lee" }
        return Comment(
            id: text("id"), author: Author(name: text("Cat")), publishDate: Timestamp(secondsSince1970: 0),
            body: "words", depth: 1, removal: nil, replyCount: 2, isNew: true)
    }

    private func texts(_ record: Record, _ comment: BlogModel.Comment) throws -> [String] {
        let fields: [Field] = [.id, .title, .summary, .authorName, .authorTitle, .snippet]
        let group = PostGroup(name: record.group ?? "", count: 1)
        var texts: [String] = []
        func add(_ renderer: some ListRenderer) {
            var renderer = renderer
            texts += [renderer.group(group), renderer.record(record), renderer.end()].map(\.plain)
        }
        for width in [30, 60, 120] {
            add(CardRenderer(.sample(width)))
            add(TableRenderer(.sample(width)))
            add(TableRenderer(.sample(width), fields: fields))
            var article = PostTextRenderer(.sample(width), codeWidth: width)
            texts += [try article.post(record), try article.thread(record), article.comment(comment)].map(\.plain)
        }
        add(TabSeparatedRenderer(fields: fields))
        add(IDRenderer())
        return texts
    }

    @Test("looks like one whose texts were sanitized before", arguments: Kind.allCases, 0..<30)
    func same(kind: Kind, seed: Int) throws {
        let shown = try texts(record(kind, seed, isClean: false), comment(seed, isClean: false))
        let expected = try texts(record(kind, seed, isClean: true), comment(seed, isClean: true))
        #expect(shown.count == expected.count)
        for (shown, expected) in zip(shown, expected) { #expect(scalars([shown]) == scalars([expected]), "\(shown)") }
    }
}

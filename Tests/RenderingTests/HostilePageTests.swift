import BlogMarkup
import BlogTestSupport
import Foundation
import Testing
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("Hostile text on a web page") struct HostilePageTests {
    static let attacks = [
        #""><script>alert(1)</script>"#, "'><img src=x onerror=alert(1)>", #"" onmouseover="alert(1)"#,
        "</style><script>alert(1)</script>", "</title><script>alert(1)</script>", "--><svg onload=alert(1)>",
        "javascript:alert(1)", "JaVaScRiPt:alert(1)", "\u{1}javascript:alert(1)", "java\nscript:alert(1)",
        "data:text/html,<script>alert(1)</script>", "vbscript:x", "file:///etc/passwd", "//evil.example/\"><b>",
        "https://x.y/\"onload=\"alert(1)", "https://x.y/' onload='alert(1)", "&#34;&gt;&lt;script&gt;",
        "&lt;script&gt;",
        "<iframe src=javascript:alert(1)>", "<a href='javascript:alert(1)' onclick=x>y</a>", "<p style='x'>a</p>",
        "[x](javascript:alert(1))", "![x](javascript:alert(1) \"\\\" onload=x\")", "<!-- <b> -->", "<![CDATA[<b>]]>",
        "\u{202E}evil\u{202C}", "a\u{0}b", noncharacters, "\u{1B}[31mred", "a\"\u{301}b",
        "mailto:a@b.c?attach=/etc/passwd",
        "<meta http-equiv=refresh content='0;url=//evil.example'>", "<base href=//evil.example>", "#\"><b>",
        "<form action=//evil.example><input name=q></form>", "<svg><script>alert(1)</script></svg>",
        "<math><mi//xlink:href=x>",
    ]

    /// Noncharacters, which aren't allowed in HTML.
    private static let noncharacters = String(
        String.UnicodeScalarView([0xFFFE, 0x1FFFF, 0xFDD0].compactMap(Unicode.Scalar.init)))

    /// Parses a page strictly; the words of an attack are allowed as text, but not as markup.
    private func check(_ html: String, _ attack: String) throws {
        do {
            _ = try StrictPage(html)
        } catch let error as StrictPage.Malformed {
            Issue.record("\(attack.debugDescription): \(error.reason)")
        }
        #expect(HostileText.isHarmless(html.components(separatedBy: "</style>")[1], but: ["\n", "\t"]))
    }

    /// Posts of every kind, with the text in every field.
    private func records(_ text: String) -> [Record] {
        let article = EntryDetails(
            tags: [text], enclosures: [Enclosure(url: text, type: text, title: text)], image: text)
        let details: [Details?] = [
            nil, .entry(article), .discussion(Discussion(parent: text, replies: [text], type: .ask)),
            samplePhoto(pictures: [text, text], text: { _ in text }).details,
        ]
        return details.flatMap { details -> [Record] in
            let metadata = PostMetadata(
                id: text, title: text, publishDate: Timestamp(secondsSince1970: 0), postId: text, summary: text,
                author: Author(name: text, image: text, title: text), link: text, score: 1, commentCount: 2,
                details: details)
            let snippet = Snippet(pieces: [.init(text: text, isHit: false), .init(text: text, isHit: true)])
            let story = Story(id: text, title: text)
            let posts = [
                StoredPost(metadata: metadata, source: .one, group: text, rank: 1, story: story, snippet: snippet),
                StoredPost(metadata: metadata, source: .one, group: text),
            ]
            return posts.map { Record($0).shown(of: text, at: text) { $0 } }
        }
    }

    private func check(_ text: String) throws {
        let records = records(text)
        try check(listPage(records, title: text), text)
        for format in [BodyFormat.plain, .markdown, .html, nil] {
            let bodies = records.map { record in
                var record = record
                (record.body, record.bodyFormat) = (text, format)
                return record
            }
            try check(articlePage(bodies), text)
        }
        let comment = BlogModel.Comment(
            id: text, author: Author(name: text), publishDate: Timestamp(secondsSince1970: 0), body: text, depth: 0,
            removal: nil, replyCount: 0, isNew: true)
        try check(threadPage(records[0], [comment, comment]), text)
    }

    @Test("is nothing but text", arguments: attacks)
    func attack(text: String) throws { try check(text) }

    @Test("is nothing but text in any combination", arguments: UInt64(1)...UInt64(Mutation.count(8)))
    func random(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let parts = (0..<3).map { _ in
            HostileText.next(&random) + (Self.attacks.randomElement(using: &random) ?? "")
        }
        try check(parts.joined())
    }

    @Test(
        "leaves only letters, digits and dashes in a file name",
        arguments: attacks + ["../../etc/passwd", "Éa b", "."])
    func slug(text: String) {
        let slug = Slug.of(text)
        #expect(slug.utf8.count <= 60)
        #expect(slug.wholeMatch(of: #/([a-z0-9]+(-[a-z0-9]+)*)?/#) != nil, "\(slug)")
    }
}

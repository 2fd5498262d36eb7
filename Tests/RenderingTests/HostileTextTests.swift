import BlogTestSupport
import Foundation
import Testing
@testable import BlogMarkup
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("Hostile text") struct HostileTextTests {
    private static let seeds = Array(UInt64(1)...UInt64(Mutation.count(120)))

    /// Posts, in groups or not, with hostile text in every field.
    private func records(_ seed: UInt64, isGrouped: Bool = false) throws -> [Record] {
        var random = SplitMix(state: seed)
        let date = try #require(Timestamp("2018-07-15T23:03:29Z"))
        return (0..<3).map { _ in
            func text() -> String { HostileText.next(&random) }
            let metadata = PostMetadata(
                id: text(), title: text(), publishDate: date, postId: text(), summary: text(),
                author: Author(name: text(), image: text(), title: text()), link: "http://a.b/" + text())
            let snippet = Snippet(pieces: [.init(text: text(), isHit: false), .init(text: text(), isHit: true)])
            let story = Story(id: text(), title: text())
            return Record(
                StoredPost(
                    metadata: metadata, source: .one, group: isGrouped ? text() : nil, story: story, snippet: snippet))
        }
    }

    private func render(_ renderer: some ListRenderer, _ records: [Record]) -> [String] {
        var renderer = renderer
        var texts = [renderer.start()]
        for record in records {
            if let group = record.group { texts.append(renderer.group(PostGroup(name: group, count: 1))) }
            texts.append(renderer.record(record))
        }
        return (texts + [renderer.end()]).map(\.plain)
    }

    private let fields: [Field] = [.id, .title, .summary, .authorName, .authorTitle, .link, .snippet]

    @Test("is one field of its own row in CSV, without control characters", arguments: seeds)
    func commaSeparated(seed: UInt64) throws {
        for isGrouped in [false, true] {
            let records = try records(seed, isGrouped: isGrouped)
            let text = render(CommaSeparatedRenderer(fields: fields, isGrouped: isGrouped, isSafe: false), records)
                .joined()
            let expected = records.map { record in
                ((record.group.map { [$0] } ?? []) + fields.map { $0.text(record) }).map(Sanitizer.block)
            }
            #expect(try StrictCSV.records(text).dropFirst().map(scalars) == expected.map(scalars))
            #expect(HostileText.isHarmless(text, but: ["\n", "\t"]))
        }
        #expect(try StrictCSV.records(try table(seed).commaSeparated()).map(\.count) == [3, 3, 3])
    }

    /// A table about something other than posts.
    private func table(_ seed: UInt64) throws -> FactTable {
        var random = SplitMix(state: seed)
        let rows = (0..<2).map { _ in (0..<3).map { _ in Fact.text(HostileText.next(&random)) } }
        return FactTable(columns: ["a", "b", "c"], rows: rows)
    }

    @Test("is one field on one line of tab-separated output", arguments: seeds)
    func tabSeparated(seed: UInt64) throws {
        func check(_ text: String, fields: Int) {
            let lines = text.unicodeScalars.split(omittingEmptySubsequences: false) { $0.isLineBreak }
            #expect(lines.count == 2 && lines[1].isEmpty, "\(text.debugDescription)")
            #expect(lines[0].count { $0 == "\t" } == fields - 1)
            #expect(HostileText.isHarmless(text, but: ["\n", "\t"]))
        }
        for text in render(TabSeparatedRenderer(fields: fields), try records(seed)).dropFirst().dropLast() {
            check(text, fields: fields.count)
        }
        for text in render(IDRenderer(), try records(seed)).dropFirst().dropLast() { check(text, fields: 1) }
        let aligned = try table(seed).aligned.plain
        #expect(aligned.unicodeScalars.split(omittingEmptySubsequences: false) { $0.isLineBreak }.count == 4)
        #expect(HostileText.isHarmless(aligned, but: ["\n"]))
        for line in MarkdownRow.lines(try table(seed).tabSeparated).dropLast() { check(line + "\n", fields: 3) }
    }

    @Test("is the same after decoding JSON, which has no control characters", arguments: seeds)
    func json(seed: UInt64) throws {
        let records = try records(seed)
        let expected = records.map { record in
            scalars(
                fields.map { field in
                    let text = field.text(record)
                    return [.id, .link].contains(field) ? text : InvisibleCharacters.removed(from: text)
                })
        }
        let names = fields.map(\.rawValue)
        func values(_ object: [String: String]) -> [[Unicode.Scalar]] { scalars(names.compactMap { object[$0] }) }
        let array = render(JSONRenderer(fields: fields, isGrouped: false), records).joined()
        #expect(
            try JSONDecoder().decode([[String: String]].self, from: Data(array.utf8)).map(values) == expected)
        let lines = render(JSONLinesRenderer(fields: fields), records).filter { !$0.isEmpty }
        #expect(
            try lines.map { try JSONDecoder().decode([String: String].self, from: Data($0.utf8)) }.map(values)
                == expected)
        for text in lines + [array, try table(seed).json] { #expect(HostileText.isHarmless(text)) }
    }

    @Test("is the same after decoding a discussion in JSON", arguments: seeds.prefix(50))
    func discussion(seed: UInt64) throws {
        struct Tree: Decodable {
            let body: String
            let comments: [Tree]
        }
        var random = SplitMix(state: seed)
        let record = try #require(try records(seed).first)
        let bodies = (0..<4).map { _ in HostileText.next(&random) }
        var renderer = JSONLinesRenderer(fields: [.title])
        var text = try renderer.thread(record)
        for (depth, body) in bodies.enumerated() { text += renderer.comment(comment(body, depth: depth)) }
        text += renderer.endThread()
        var trees = try #require(
            JSONDecoder().decode([String: Value].self, from: Data(text.plain.utf8))["comments"]?.trees)
        for body in bodies {
            #expect(scalars(trees.map(\.body)) == scalars([body]))
            trees = trees.first?.comments ?? []
        }
        #expect(HostileText.isHarmless(text.plain))
        enum Value: Decodable {
            case text, list([Tree])

            var trees: [Tree]? { if case .list(let trees) = self { trees } else { nil } }

            init(from decoder: any Decoder) throws {
                self = (try? .list([Tree](from: decoder))) ?? .text
            }
        }
    }

    private func comment(_ body: String, depth: Int) -> BlogModel.Comment {
        Comment(
            id: body, author: Author(name: body), publishDate: Timestamp(secondsSince1970: 0), body: body, depth: depth,
            removal: nil, replyCount: 0, isNew: false)
    }

    @Test("does nothing on a terminal", arguments: seeds.prefix(100))
    func terminal(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        for isColored in [false, true] {
            let records = try records(seed, isGrouped: true)
            var texts = render(CardRenderer(.sample(20, isColored: isColored)), records)
            texts += render(TableRenderer(.sample(40, isColored: isColored)), records)
            var article = PostTextRenderer(.sample(20, isColored: isColored), codeWidth: 20)
            var body = BodyRenderer(isRaw: false)
            for format in [BodyFormat.plain, .markdown, .html, nil] {
                var record = records[0]
                (record.body, record.bodyFormat) = (HostileText.next(&random), format)
                let comment = comment(record.body ?? "", depth: 1)
                texts += [try article.post(record), article.comment(comment), try body.post(record)].map(\.plain)
            }
            for text in texts {
                #expect(HostileText.isHarmless(text, but: ["\n", "\t", "\u{C}"]), "\(text.debugDescription)")
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether a program might end a line here.
    fileprivate var isLineBreak: Bool {
        (0x0A...0x0D).contains(value) || [0x85, 0x2028, 0x2029].contains(value)
    }
}

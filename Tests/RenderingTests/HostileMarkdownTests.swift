import BlogMarkup
import BlogModel
import BlogStore
import BlogTestSupport
import Foundation
import Testing
@testable import BlogRendering

@Suite("Hostile text in Markdown") struct HostileMarkdownTests {
    private static let seeds = Array(UInt64(1)...300)

    private func post(_ random: inout SplitMix, group: String? = nil) throws -> Record {
        let metadata = PostMetadata(
            id: HostileText.next(&random), title: HostileText.next(&random),
            publishDate: try #require(Timestamp("2018-07-15T23:03:29Z")), postId: "1", summary: nil,
            author: Author(name: HostileText.next(&random)),
            link: Bool.random(using: &random) ? "http://a.b/" + HostileText.next(&random) : nil)
        return Record(StoredPost(metadata: metadata, source: .one, group: group))
    }

    @Test("stays in one cell of its row", arguments: seeds)
    func table(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        var renderer = MarkdownRenderer(isGrouped: false)
        let text = try (0..<3).map { _ in renderer.record(try post(&random)) }.joined().plain
        let lines = MarkdownRow.lines(text)
        #expect(lines.map(MarkdownRow.cells) == [4, 4, 4, 4, 4, -1], "\(text.debugDescription)")
        #expect(HostileText.isHarmless(text))
        let block = Markdown.document(text).blocks.first
        guard case .table(let table) = block else {
            return #expect(block == nil, "no table in \(text.debugDescription)")
        }
        #expect(table.rows.count == 3)
    }

    @Test("stays on one line of a list, below one heading", arguments: seeds)
    func groups(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        var renderer = MarkdownRenderer(isGrouped: true)
        let group = HostileText.next(&random)
        let heading = renderer.group(PostGroup(name: group, count: 1)).plain
        let text = renderer.record(try post(&random, group: group)).plain
        #expect(MarkdownRow.lines(heading).count == 3)
        #expect(MarkdownRow.lines(text).count == 2)
        #expect(HostileText.isHarmless(heading + text))
        guard case .list(nil, _, let items)? = Markdown.document(text).blocks.first else {
            return #expect(Bool(false), "no list in \(text.debugDescription)")
        }
        #expect(items.count == 1)
    }

    @Test("reads back as the same text, link and code", arguments: seeds)
    func same(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        // Whitespace between words has no meaning in Markdown.
        let hostile = InvisibleCharacters.removed(from: HostileText.next(&random, hasControls: false))
        let text = "x" + hostile.split(separator: " ").joined(separator: " ") + "x"
        let path = String(text.unicodeScalars.filter { $0.isASCII && !" <>".contains(Character($0)) })
        let target = LinkTarget.written("http://a.b/" + path)
        let spans: [[Span]] = [
            [.text(text)], [.code(text)], [.link([.text(text)], target: target, title: text)],
            [.image([.text(text)], source: target, title: nil)],
        ]
        for spans in spans {
            for block in [Block.paragraph(spans), .heading(level: 2, spans), .quote([.paragraph(spans)])] {
                let printed = MarkdownPrinter().text(Document(blocks: [block]))
                let read = Markdown.document(printed).blocks
                #expect(read.first?.joined == block.joined && read.count == 1, "\(printed.debugDescription)")
            }
        }
    }

    @Test("keeps the structure of a document", arguments: seeds)
    func shape(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        func cell() -> [Span] {
            let text = HostileText.next(&random)
            return [[.text(text)], [.code(text)], [.link([.text(text)], target: text, title: text)]].randomElement(
                using: &random) ?? []
        }
        let table = Table(alignments: [nil, .left], header: [cell(), cell()], rows: [[cell(), cell()]])
        let code = HostileText.next(&random)
        let text = MarkdownPrinter().text(
            Document(blocks: [.table(table), .code(code, language: HostileText.next(&random)), .html(code)]))
        let lines = MarkdownRow.lines(text)
        #expect(lines.prefix(4).map(MarkdownRow.cells) == [2, 2, 2, -1], "\(text.debugDescription)")
        #expect(HostileText.isHarmless(text, but: ["\n", "\t"]))
        guard case .code(let same, _, _)? = Markdown.document(text).blocks.dropFirst().first else {
            return #expect(Bool(false), "no code in \(text.debugDescription)")
        }
        let published = Sanitizer.block(code)
        #expect(
            scalars([same]) == scalars([published.isEmpty || published.hasSuffix("\n") ? published : published + "\n"]))
    }
}

extension Block {
    /// The block with adjacent texts joined, since the parser may split them.
    fileprivate var joined: Block {
        switch self {
        case .paragraph(let spans): .paragraph(Self.joined(spans))
        case .heading(let level, let spans): .heading(level: level, Self.joined(spans))
        case .quote(let blocks): .quote(blocks.map(\.joined))
        default: self
        }
    }

    private static func joined(_ spans: [Span]) -> [Span] {
        spans.reduce(into: []) { result, span in
            switch (result.last, span) {
            case (.text(let first), .text(let second)): result[result.count - 1] = .text(first + second)
            case (_, .link(let inner, let target, let title)):
                result.append(.link(joined(inner), target: target, title: title))
            case (_, .image(let inner, let source, let title, let size)):
                result.append(.image(joined(inner), source: source, title: title, size: size))
            default: result.append(span)
            }
        }
    }
}

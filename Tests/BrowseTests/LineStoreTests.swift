import BlogRendering
import Testing
@testable import BlogBrowse

@Suite("The lines of a long post") struct LineStoreTests {
    @Test("keep their styles and links, even those in a file, and copies don't affect each other")
    func long() {
        let lines = (0..<10_100).map { number in
            StyledText("\(number) ", .muted)
                + StyledText("é", [.strong, .heading(level: 2)], link: "http://x.y/\(number)")
                + StyledText("│", .branch(depth: number % 3))
        }
        var store = LineStore()
        store.append(lines[..<10_050])
        var copy = store
        store.append(lines[10_050...])
        copy.append(lines[..<1])
        #expect(store.count == 10_100 && lines.indices.allSatisfy { store[$0] == lines[$0] })
        #expect(copy.count == 10_051 && copy[10_050] == lines[0] && copy[10_049] == lines[10_049])
    }
}

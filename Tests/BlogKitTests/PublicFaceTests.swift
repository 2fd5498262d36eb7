import Foundation
import Testing

@Suite("The public face") struct PublicFaceTests {
    @Test("has a comment on every symbol")
    func comments() throws {
        var count = 0
        for (path, text) in try Repository.swiftFiles(below: "Sources") {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            for index in publicDeclarations(lines) {
                count += 1
                let above = lines[..<index].last { !$0.drop { $0 == " " }.hasPrefix("@") }
                let isDocumented = above?.drop { $0 == " " }.hasPrefix("///") == true
                #expect(isDocumented, "\(path):\(index + 1) \(lines[index])")
            }
        }
        // Else this no longer sees what there is.
        #expect(count > 300)
    }

    /// The lines with public declarations.
    private func publicDeclarations(_ lines: [Substring]) -> [Int] {
        var caseIndents: [String] = []
        return lines.indices.filter { index in
            let line = lines[index]
            let code = line.drop { $0 == " " }
            let indent = String(line[..<code.startIndex])
            if code == "}" { caseIndents.removeAll { $0 == indent + "    " } }
            if code.hasPrefix("public enum ") { caseIndents.append(indent + "    ") }
            return code.hasPrefix("public ") || code.hasPrefix("case ") && caseIndents.contains(indent)
        }
    }

    @Test(
        "is shown by articles with the code of programs that are run",
        arguments: [("ReadingTheBlogAPI", "ReadTheAPI"), ("KeepingPosts", "KeepPosts")])
    func articles(article: String, program: String) throws {
        func text(_ path: String) throws -> String {
            try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
        }
        let code = try text("docs/examples/\(program).swift")
        let blocks = try text("Sources/BlogKit/BlogKit.docc/\(article).md").matches(of: #/```swift\n((?s:.)*?)```/#)
        #expect(!blocks.isEmpty)
        for block in blocks { #expect(code.contains(block.1), "\(block.1)") }
    }

    @Test("has each of its types on the landing page")
    func landingPage() throws {
        let page = Repository.root.appending(path: "Sources/BlogKit/BlogKit.docc/BlogKit.md")
        let topics = try String(contentsOf: page, encoding: .utf8).split(separator: "## Topics")[1]
        let type = #/^public (?:final )?(?:struct|class|enum|actor|protocol|typealias) (\w+)/#.anchorsMatchLineEndings()
        for (path, text) in try Repository.swiftFiles(below: "Sources") {
            for match in text.matches(of: type) {
                #expect(topics.contains("``\(match.1)``"), "\(match.1) of \(path)")
            }
        }
    }
}

import BlogTestSupport
import Foundation
import Testing

@Suite("The source code") struct LayeringTests {
    @Test("imports Foundation, libcurl and SQLite in one place each")
    func imports() throws {
        for (path, text) in try Repository.swiftFiles(below: "Sources") {
            if text.contains("import FoundationNetworking") {
                #expect(path == "BlogKit/BlogKit/URLSessionTransport.swift")
            }
            // On Linux, Foundation pulls in ICU, which makes a static program three times as large.
            if text.contains("import Foundation") {
                #expect(path.hasPrefix("BlogKit/BlogKit/") || path == "BlogKit/Essentials/Essentials.swift", "\(path)")
            }
            if text.contains("import BlogCCurl") { #expect(path.hasPrefix("BlogKit/HTTP/Curl/")) }
            if text.contains("import BlogCSQLite") { #expect(path.hasPrefix("BlogKit/Store/SQLite/")) }
        }
    }

    @Test("parses URLs in one place, which handles international host names without ICU")
    func urls() throws {
        let known = ["BlogKit/Essentials/WebAddress.swift", "BlogKit/Markup/Text/LinkTarget.swift"]
        for (path, text) in try Repository.swiftFiles(below: "Sources") where !known.contains(path) {
            let texts = text.matches(of: /\bURL\(string: (?!")/)
            #expect(texts.isEmpty || path.hasPrefix("BlogKit/BlogKit/"), "\(path)")
        }
    }

    @Test("prints in one file only")
    func printing() throws {
        for (path, text) in try Repository.swiftFiles(below: "Sources") where path != "Interface/Terminal/Console.swift"
        {
            let prints = text.split(separator: "\n").filter { line in
                line.range(of: #"(^|[^.\w])(print|debugPrint|puts|fputs)\("#, options: .regularExpression) != nil
                    && !line.contains("func print(")
            }
            #expect(prints.isEmpty, "\(path): \(prints)")
        }
    }

    @Test("has escape sequences in one file each for text, the screen and pictures")
    func escapes() throws {
        // The sanitizer has to recognize them.
        let known = [
            "Interface/Terminal/TerminalText.swift", "Interface/Terminal/Screen/ScreenSequences.swift",
            "Interface/Terminal/TerminalGraphics.swift",
            "BlogKit/Markup/Text/Sanitizer.swift",
        ]
        for (path, text) in try Repository.swiftFiles(below: "Sources") where !known.contains(path) {
            #expect(!text.lowercased().contains(#"\u{1b}"#), "\(path)")
        }
    }

    @Test("depends on no other packages")
    func dependencies() throws {
        let manifest = try String(contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)
        #expect(manifest.contains("dependencies: [],"))
        #expect(!manifest.contains(".package("))
    }
}

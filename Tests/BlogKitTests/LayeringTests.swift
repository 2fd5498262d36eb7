import BlogTestSupport
import Foundation
import Testing

@Suite("The source code") struct LayeringTests {
    @Test("imports Foundation, libcurl and SQLite in one place each")
    func imports() throws {
        for (path, text) in try Repository.swiftFiles(below: "Sources") {
            if text.contains("import FoundationNetworking") {
                #expect(path.hasPrefix("BlogKit/BlogKit/"))
            }
            // On Linux, Foundation pulls in ICU, which makes a static program three times as large.
            if text.contains("import Foundation") {
                #expect(path.hasPrefix("BlogKit/BlogKit/") || path == "BlogKit/Essentials/Essentials.swift", "\(path)")
            }
            if text.contains("import BlogCCurl") { #expect(path.hasPrefix("BlogKit/HTTP/Curl/")) }
            if text.contains("import BlogCSQLite") { #expect(path.hasPrefix("BlogKit/Store/SQLite/")) }
        }
    }

    /// The files that make a thread wait, and which thread that is: never one of Swift's pool, which has only one for each
    /// processor.
    static let waits = [
        "BlogKit/Store/SQLite/Database.swift":
            "any: a hundredth of a second for the lock, longer only where another process repairs the store",
        "BlogKit/Store/File/StoreFile.swift": "that of the program's start",
        "BlogKit/HTTP/Curl/CurlWorker.swift": "that of all transfers",
        "BlogKit/Essentials/Files/FileStream.swift": "the console's",
        "Interface/Terminal/Console.swift": "its own, for the pager",
        "Interface/Terminal/StandardStreams.swift": "the console's, for the reader of a pipe",
        "Interface/Terminal/ChildProcess.swift": "one for each process",
        "Interface/Terminal/UserPrograms.swift": "one for each process",
        "Interface/Terminal/Screen/FullScreen.swift": "that of the keys",
        "Interface/Terminal/Screen/RawTerminal.swift": "the screen's",
        "blog/Browsing/StoreWatch.swift": "its own",
        "blog/Browsing/LineBrowsing.swift": "that of the lines",
    ]

    @Test("makes no thread of Swift's pool wait")
    func waiting() throws {
        let marks = [
            /\.wait\(\)/, /sleep\(\.?[0-9a-zA-Z]/, /waitpid\(/, /[^.a-z]poll\(/, /multi_poll\(/, /Semaphore/,
            /DispatchGroup/,
            /busy_timeout/, /readLine\(/, /waitUntilExit/,
        ]
        let files = try Repository.swiftFiles(below: "Sources").filter { _, text in
            let code = text.split(separator: "\n").filter { !$0.contains("//") && !$0.contains("Task.sleep(") }
            return code.contains { line in marks.contains { line.contains($0) } }
        }
        #expect(Set(files.map(\.path)) == Set(Self.waits.keys))
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

    @Test("has every file that the page on its architecture names")
    func namedFiles() throws {
        let page = try String(contentsOf: Repository.root.appending(path: "docs/architecture.md"), encoding: .utf8)
        let files = try Repository.swiftFiles(below: "Sources").map { "/\($0.path)" }
        let named = page.matches(of: /`([\w\/]+\.swift)`/).map { "/\($0.1)" }
        #expect(named.count > 10)
        for name in named { #expect(files.contains { $0.hasSuffix(name) }, "\(name)") }
    }

    @Test("depends on no other packages")
    func dependencies() throws {
        let manifest = try String(contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)
        #expect(manifest.contains("dependencies: [],"))
        #expect(!manifest.contains(".package("))
    }

    @Test("has modules whose names no other package may have")
    func names() throws {
        let manifest = try String(contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)
        let names = manifest.matches(of: /(?:arget|ibrary)\(\s*name: "(\w+)"/).map { $0.1 }
        #expect(names.count > 10)
        #expect(names.allSatisfy { $0.hasPrefix("Blog") || $0 == "blog" })
    }

    @Test("is in layers that use only those before them")
    func order() throws {
        let layers = try Layer.declared()
        let library = ["Essentials", "Model", "Markup", "HTTP", "Feeds", "Store", "Library", "BlogKit"]
        let interface = ["Rendering", "Terminal", "CommandLine", "Browse"]
        #expect(layers.map(\.folder) == library + interface + ["blog"])
        for (index, layer) in layers.enumerated() {
            let before = Set(layers[..<index].map(\.module))
            let others = layer.uses.subtracting([
                "BlogCSQLite", "BlogCCurl", "BlogCArguments", "BlogCBuild", "BlogCMalloc",
            ])
            #expect(others.isSubset(of: before), "\(layer.module)")
            #expect(
                layer.room == (library.contains(layer.folder) ? "BlogKit" : layer.folder == "blog" ? "" : "Interface"))
        }
    }

    @Test(
        "keeps apart what has nothing to do with each other",
        arguments: [
            ("BlogTerminal", ["BlogLibrary", "BlogStore", "BlogHTTP"]), ("BlogFeeds", ["BlogHTTP", "BlogStore"]),
            ("BlogStore", ["BlogHTTP", "BlogFeeds"]), ("BlogRendering", ["BlogHTTP", "BlogStore"]),
            ("BlogBrowse", ["BlogHTTP", "BlogStore"]), ("blog", ["BlogFeeds", "BlogStore"]), ("BlogKit", ["BlogStore"]),
        ])
    func separation(module: String, others: [String]) throws {
        let layer = try #require(try Layer.declared().first { $0.module == module })
        #expect(layer.uses.isDisjoint(with: others))
    }

    @Test("imports the layers that its own one declares, and each of those somewhere")
    func declaredImports() throws {
        let files = try Repository.swiftFiles(below: "Sources").map { (path: $0.0, text: $0.1) }
        for layer in try Layer.declared() {
            let own = files.filter { $0.path.hasPrefix(layer.path) }
            #expect(!own.isEmpty, "\(layer.path)")
            var imported: Set<String> = []
            for file in own {
                let modules = Set(file.text.matches(of: /(?m)^ *(?:@\w+ )?import (Blog\w+)$/).map { String($0.1) })
                #expect(modules.isSubset(of: layer.uses), "\(file.path)")
                imported.formUnion(modules)
            }
            #expect(imported == layer.uses, "\(layer.module)")
        }
    }
}

/// A target of the library, the interface or the program, as Package.swift declares it.
private struct Layer {
    let folder: String
    /// The folder of its folder; "" for the program.
    let room: String
    /// The modules that it depends on.
    let uses: Set<String>

    var module: String { folder.lowercased().hasPrefix("blog") ? folder : "Blog" + folder }
    var path: String { room.isEmpty ? "\(folder)/" : "\(room)/\(folder)/" }

    /// In the order of Package.swift.
    static func declared() throws -> [Layer] {
        let manifest = try String(contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)
        let sources = manifest.prefix(upTo: try #require(manifest.firstRange(of: "let development")).lowerBound)
        let targets = sources.matches(
            of: /(?:layer\(\s*"(\w+)", in: "(\w+)"|arget\(\s*name: "(blog|BlogKit)")(?:,\s*\w+: \[([^\]]*)\])?/)
        return targets.map { target in
            let modules = (target.4 ?? "").matches(of: /"(Blog\w+)"/).map { String($0.1) }
            let folder = String(target.1 ?? target.3 ?? "")
            let room = target.2.map { String($0) } ?? (folder == "BlogKit" ? folder : "")
            return Layer(folder: folder, room: room, uses: Set(modules))
        }
    }
}

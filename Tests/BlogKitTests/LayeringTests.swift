import Foundation
import Testing

@Suite("The layering") struct LayeringTests {
    /// What each folder of BlogKit may name of the others; the library's face, Library, may name everything.
    static let mayKnow: [String: Set<String>] = [
        "Models": [],
        "JSON": ["Models"],
        "HTTP": [],
        "Pictures": ["HTTP"],
        "SQLite": [],
        "Markup": ["Models"],
        "Arrangement": ["Models"],
        "BlogSources": ["Models", "HTTP", "JSON", "Markup", "Arrangement"],
        "Store": ["Models", "Markup", "Arrangement", "SQLite", "HTTP", "BlogSources", "Library"],
        "Rendering": ["Models", "Arrangement", "Markup", "Store"],
    ]

    /// Types that cross a layer on purpose, each a plain value.
    static let exceptions: [String: Set<String>] = [
        "Store": [
            "Query", "ListPosition", "CacheValidators", "HostWaits", "Entry", "Coverage", "Checkpoint",
        ],
        "Rendering": ["ListedPost", "ExportedPost", "ExportedSource"],
    ]

    @Test("names in a folder only what its layer may know", arguments: mayKnow.keys.sorted())
    func layer(folder: String) throws {
        let names = try DeclaredNames.all.get()
        let allowed = try #require(Self.mayKnow[folder])
        var (seen, crossing): (Set<String>, Set<String>) = ([], [])
        for (path, text) in try Repository.swiftFiles(below: "Sources/BlogKit/\(folder)") {
            for (name, owner) in names.used(in: text) where owner.folder != folder {
                let isCrossing =
                    ["Library", "Store"].contains(owner.folder)
                    || folder == "Store" && ["HTTP", "BlogSources"].contains(owner.folder)
                let isAllowed =
                    allowed.contains(owner.folder)
                    && (!isCrossing || Self.exceptions[folder]?.contains(owner.type) == true)
                #expect(isAllowed, "\(folder)/\(path) names \(name), which is of \(owner.folder)")
                seen.insert(owner.folder)
                if isCrossing { crossing.insert(owner.type) }
            }
        }
        #expect(allowed.isSubset(of: seen), "\(folder) no longer names anything of \(allowed.subtracting(seen))")
        let unused = Self.exceptions[folder, default: []].subtracting(crossing)
        #expect(unused.isEmpty, "\(folder) no longer names \(unused)")
    }

    @Test("imports networking and SQLite in one folder each")
    func imports() throws {
        for (path, text) in try Repository.swiftFiles(below: "Sources") {
            if text.contains("import FoundationNetworking") {
                #expect(path == "BlogKit/URLSession/URLSessionTransport.swift")
            }
            if text.contains("import CCurl") { #expect(path.hasPrefix("BlogKit/HTTP/Curl/")) }
            if text.contains("import CSQLite") { #expect(path.hasPrefix("BlogKit/SQLite/")) }
        }
    }

    @Test("prints in one file only")
    func printing() throws {
        for (path, text) in try Repository.swiftFiles(below: "Sources") where path != "blog/Terminal/Console.swift" {
            let prints = text.split(separator: "\n").filter { line in
                line.range(of: #"(^|[^.\w])(print|debugPrint|puts|fputs)\("#, options: .regularExpression) != nil
                    && !line.contains("func print(")
            }
            #expect(prints.isEmpty, "\(path): \(prints)")
        }
    }

    @Test("has the terminal's escape sequences in one file for text and in one for pictures, which takes no text")
    func escapes() throws {
        // The sanitizer knows them to take them out.
        let known = [
            "blog/Terminal/TerminalText.swift", "blog/Terminal/TerminalGraphics.swift",
            "BlogKit/Markup/Text/EscapeSequences.swift",
        ]
        for (path, text) in try Repository.swiftFiles(below: "Sources") where !known.contains(path) {
            #expect(!text.lowercased().contains(#"\u{1b}"#), "\(path)")
        }
    }

    @Test("depends on no package")
    func dependencies() throws {
        let manifest = try String(contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)
        #expect(manifest.contains("dependencies: [],"))
        #expect(!manifest.contains(".package("))
    }
}

import Foundation
import Testing

@Suite("The layering") struct LayeringTests {
    /// What each folder of BlogKit may name of the others; the library's face, Library, may name everything.
    static let mayKnow: [String: Set<String>] = [
        "Models": [],
        "JSON": [],
        "HTTP": [],
        "SQLite": [],
        "Markup": [],
        "Arrangement": ["Models"],
        "BlogSources": ["Models", "HTTP", "JSON", "Markup", "Arrangement"],
        "Store": ["Models", "Markup", "Arrangement", "SQLite", "HTTP", "BlogSources", "Library"],
        "Rendering": ["Models", "Arrangement", "Markup", "Store"],
    ]

    /// Types that cross a layer on purpose, each a plain value.
    static let exceptions: [String: Set<String>] = [
        "Store": [
            "Query", "CacheValidators", "HostWaits", "Entry", "EntryBatch", "Coverage",
        ],
        "Rendering": ["ListedPost", "ExportedPost", "ExportedSource"],
    ]

    @Test("names in a folder only what its layer may know", arguments: mayKnow.keys.sorted())
    func layer(folder: String) throws {
        let owners = try typeOwners()
        let allowed = try #require(Self.mayKnow[folder])
        for (path, text) in try Repository.swiftFiles(below: "Sources/BlogKit/\(folder)") {
            for word in identifiers(in: text) {
                guard let owner = owners[word], owner != folder else { continue }
                let isCrossing =
                    ["Library", "Store"].contains(owner)
                    || folder == "Store" && ["HTTP", "BlogSources"].contains(owner)
                let isAllowed =
                    allowed.contains(owner) && (!isCrossing || Self.exceptions[folder]?.contains(word) == true)
                #expect(isAllowed, "\(folder)/\(path) names \(word), which is of \(owner)")
            }
        }
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

    @Test("has no source longer than 250 lines", arguments: ["Sources", "mocks", "Tests"])
    func length(folder: String) throws {
        for (path, text) in try Repository.swiftFiles(below: folder) {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
            #expect(lines <= 250, "\(folder)/\(path) has \(lines) lines")
        }
    }

    @Test("depends on no package")
    func dependencies() throws {
        let manifest = try String(contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)
        #expect(manifest.contains("dependencies: [],"))
        #expect(!manifest.contains(".package("))
    }

    /// The folder of every type that is declared at the left margin.
    private func typeOwners() throws -> [String: String] {
        let declaration =
            #/^(?:public |package |final |private |@\w+ )*(?:struct|class|enum|actor|protocol|typealias) (\w+)/#
        var owners: [String: String] = [:]
        for (path, text) in try Repository.swiftFiles(below: "Sources/BlogKit") {
            let parts = path.split(separator: "/")
            for line in text.split(separator: "\n") where !line.hasPrefix("private ") {
                guard let match = line.prefixMatch(of: declaration) else { continue }
                owners[String(match.1)] = parts.count == 1 ? "." : String(parts[0])
            }
        }
        return owners
    }

    /// The words of the code, comments and strings aside.
    private func identifiers(in text: String) -> Set<String> {
        let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
            .replacing(#/"[^"\n]*"/#, with: "")
        return Set(code.matches(of: #/\b[A-Z]\w+/#).map { String($0.0) })
    }
}

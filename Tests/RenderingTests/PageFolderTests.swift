import BlogRendering
import BlogEssentials
import Foundation
import Synchronization
import Testing
@testable import BlogLibrary
@testable import BlogFeeds
@testable import BlogModel
@testable import BlogStore

@Suite("A folder of pages") struct PageFolderTests {
    private let home: URL

    init() throws {
        home = FileManager.default.temporaryDirectory.appending(path: "blog-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    }

    private static let old = "posts/old-0123456789ab.html"
    private static let kept = "posts/kept-0123456789ac.html"
    private static let new = "posts/new-0123456789ad.html"
    private static let first = [old: "old", kept: "kept", "index.html": "first index"]
    private static let second = [kept: "kept, changed", new: "new", "index.html": "second index"]

    @discardableResult
    private func make(
        _ pages: [String: String], in name: String, didStep: @escaping @Sendable () -> Void = {}
    ) throws -> [String] {
        let folder = try PageFolder(path: home.appending(path: name).path, didStep: didStep)
        try folder.check(Array(pages.keys))
        for (file, text) in pages.sorted(by: { $0.key > $1.key }) { try folder.write(text, to: file) }
        return try folder.finish()
    }

    private func put(_ text: String, at path: String) throws {
        try Data(text.utf8).write(to: home.appending(path: path))
    }

    private func link(_ path: String, to target: String) throws {
        let link = home.appending(path: path)
        try? FileManager.default.removeItem(at: link)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: home.appending(path: target))
    }

    /// All files below a folder with their text, except the manifest.
    private func files(in name: String) throws -> [String: String] {
        let folder = home.appending(path: name).path
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
            $0 != "posts" && $0 != ".blog-pages"
        }
        return try paths.reduce(into: [:]) { $0[$1] = try String(contentsOfFile: folder + "/" + $1, encoding: .utf8) }
    }

    /// Makes pages, and copies the folder after each step, as a kill would leave it; returns the number of steps.
    private func makeWithKills(_ pages: [String: String], in name: String) throws -> Int {
        let home = home
        let count = Mutex(0)
        try make(pages, in: name) {
            let number = count.withLock {
                $0 += 1; return $0
            }
            try? FileManager.default.copyItem(
                at: home.appending(path: name), to: home.appending(path: "\(name)-\(number)"))
        }
        return count.withLock { $0 }
    }

    @Test("left by a killed run is completed by the next, whichever step was the last")
    func kills() throws {
        let beginnings = try makeWithKills(Self.first, in: "empty")
        try make(Self.first, in: "full")
        try put("mine", at: "full/mine.txt")
        try put("mine", at: "full/posts/mine-0123456789ae.html")
        let changes = try makeWithKills(Self.second, in: "full")
        #expect(beginnings > 10 && changes > 10)
        let mine = ["mine.txt": "mine", "posts/mine-0123456789ae.html": "mine"]
        #expect(try files(in: "full") == Self.second.merging(mine) { $1 })
        for number in 1...changes {
            try make(Self.second, in: "full-\(number)")
            #expect(try files(in: "full-\(number)") == Self.second.merging(mine) { $1 }, "step \(number)")
        }
        for number in 1...beginnings {
            try make(Self.second, in: "empty-\(number)")
            #expect(try files(in: "empty-\(number)") == Self.second, "step \(number)")
        }
    }

    @Test("is recognized even if its manifest is incomplete")
    func incompleteManifest() throws {
        try make(Self.first, in: "f")
        let manifest = try Data(contentsOf: home.appending(path: "f/.blog-pages"))
        let line = Data((SHA256.hex(of: "x".utf8) + "  " + Self.new + "\n").utf8)
        for count in stride(from: 0, through: line.count, by: 7) {
            try (manifest + line.prefix(count)).write(to: home.appending(path: "f/.blog-pages"))
            try make(Self.second, in: "f")
            #expect(try files(in: "f") == Self.second)
            try make(Self.first, in: "f")
        }
        for count in [0, 1, 20] {
            try FileManager.default.createDirectory(
                at: home.appending(path: "g\(count)"), withIntermediateDirectories: true)
            try manifest.prefix(count).write(to: home.appending(path: "g\(count)/.blog-pages"))
            try make(Self.first, in: "g\(count)")
            #expect(try files(in: "g\(count)") == Self.first)
        }
    }

    @Test("has a manifest that sha256sum can check")
    func list() throws {
        try make(Self.first, in: "f")
        let lines = try String(contentsOf: home.appending(path: "f/.blog-pages"), encoding: .utf8).split(
            separator: "\n")
        #expect(lines.count == 4 && lines[0].hasPrefix("# "))
        #expect(lines.dropFirst().contains { $0 == SHA256.hex(of: "kept".utf8) + "  " + Self.kept })
    }

    @Test("isn't written if another file has the name of a page", arguments: [old, kept, "index.html"])
    private func inTheWay(file: String) throws {
        try make(["index.html": "index"], in: "f")
        try put("mine", at: "f/" + file)
        let before = try files(in: "f")
        let path = home.appending(path: "f/" + file).path
        #expect(throws: FileError.fileInTheWay(path)) { try make(Self.first, in: "f") }
        #expect(try files(in: "f") == before)
    }

    @Test("keeps a page that was edited, and reports it if it is no longer listed")
    func changed() throws {
        try make(Self.first, in: "f")
        try put("old, by me", at: "f/" + Self.old)
        #expect(try make(Self.second, in: "f") == [Self.old])
        #expect(try files(in: "f")[Self.old] == "old, by me")
        try put("kept, by me", at: "f/" + Self.kept)
        #expect(throws: FileError.self) { try make(Self.second, in: "f") }
        #expect(try files(in: "f")[Self.kept] == "kept, by me")
    }

    @Test(
        "is never written or emptied through a symbolic link",
        arguments: [old, kept, ".blog-pages.draft", ".blog-pages", "posts"])
    private func links(file: String) throws {
        try make(Self.first, in: "f")
        try make(Self.first, in: "target")
        try put("kept", at: "mine")
        try link(
            "f/" + file, to: file == "posts" ? "target/posts" : file == ".blog-pages" ? "target/.blog-pages" : "mine")
        let before = try files(in: "target")
        let isDraft = file == ".blog-pages.draft"
        if [kept, ".blog-pages", "posts"].contains(file) {
            #expect(throws: FileError.self) { try make(Self.second, in: "f") }
        } else {
            #expect(try make(Self.second, in: "f") == (isDraft ? [] : [file]))
        }
        #expect(try files(in: "target") == before)
        #expect(try String(contentsOf: home.appending(path: "mine"), encoding: .utf8) == "kept")
    }

    @Test("may itself be a symbolic link, and is written by one process at a time")
    func folder() throws {
        try FileManager.default.createDirectory(at: home.appending(path: "f"), withIntermediateDirectories: true)
        try link("l", to: "f")
        try make(Self.first, in: "l")
        #expect(try files(in: "f") == Self.first)
        let first = try PageFolder(path: home.appending(path: "f").path)
        #expect(throws: FileError.folderInUse(home.appending(path: "l").path)) {
            try make(Self.second, in: "l")
        }
        try first.check([])
    }

    private var kept: String { Self.kept }
}

import BlogEssentials
import BlogRendering
import BlogTestSupport
import Foundation
import Testing

@Suite("A folder of pages") struct PageFolderTests {
    private let temporary: TemporaryFolder
    private var home: URL { temporary.url }

    init() throws {
        temporary = try TemporaryFolder()
    }

    private static let old = "posts/old-0123456789ab.html"
    private static let kept = "posts/kept-0123456789ac.html"
    private static let new = "posts/new-0123456789ad.html"
    private static let first = [old: "old", kept: "kept", "index.html": "first index"]
    private static let second = [kept: "kept, changed", new: "new", "index.html": "second index"]

    private func make(_ pages: [String: String], in name: String) throws {
        let folder = try PageFolder(path: home.appending(path: name).path)
        try folder.begin(Array(pages.keys))
        for (file, text) in pages.sorted(by: { $0.key > $1.key }) { try folder.write(text, to: file) }
        try folder.finish(Array(pages.keys))
    }

    private func put(_ text: String, at path: String) throws {
        try Data(text.utf8).write(to: home.appending(path: path))
    }

    private func link(_ path: String, to target: String) throws {
        let link = home.appending(path: path)
        try? FileManager.default.removeItem(at: link)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: home.appending(path: target))
    }

    /// All files below a folder with their text, except the list.
    private func files(in name: String) throws -> [String: String] {
        let folder = home.appending(path: name).path
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
            $0 != "posts" && $0 != ".blog-pages"
        }
        return try paths.reduce(into: [:]) { $0[$1] = try String(contentsOfFile: folder + "/" + $1, encoding: .utf8) }
    }

    private func list(in name: String) throws -> [Substring] {
        try String(contentsOf: home.appending(path: name + "/.blog-pages"), encoding: .utf8).split(separator: "\n")
    }

    @Test("left by a killed run is completed by the next, however many pages were written", arguments: 0...3)
    func interrupted(count: Int) throws {
        try make(Self.first, in: "f")
        let folder = try PageFolder(path: home.appending(path: "f").path)
        try put("mine", at: "f/mine.txt")
        try put("mine", at: "f/posts/mine-0123456789ae.html")
        let other = Self.second.merging(["posts/other-0123456789af.html": "other"]) { $1 }
        try folder.begin(Array(other.keys))
        for (file, text) in other.sorted(by: { $0.key > $1.key }).prefix(count) { try folder.write(text, to: file) }
        try put("half", at: "f/posts/other-0123456789af.html.part")
        try put("half", at: "f/.blog-pages.part")
        try make(Self.second, in: "f")
        let mine = ["mine.txt": "mine", "posts/mine-0123456789ae.html": "mine"]
        #expect(try files(in: "f") == Self.second.merging(mine) { $1 })
    }

    @Test("is new if an interrupted run left only a part of its list")
    func empty() throws {
        try FileManager.default.createDirectory(at: home.appending(path: "f"), withIntermediateDirectories: true)
        try put("# Written", at: "f/.blog-pages.part")
        try make(Self.first, in: "f")
        #expect(try files(in: "f") == Self.first)
        #expect(try list(in: "f").dropFirst() == ["index.html", Self.kept[...], Self.old[...]])
    }

    @Test("isn't written if another file has the name of a page", arguments: [old, kept, "index.html"])
    private func inTheWay(file: String) throws {
        try make([Self.new: "new"], in: "f")
        try put("mine", at: "f/" + file)
        let before = try files(in: "f")
        let path = home.appending(path: "f/" + file).path
        #expect(throws: FileError.fileInTheWay(path)) { try make(Self.first, in: "f") }
        #expect(try files(in: "f") == before)
        #expect(try list(in: "f").dropFirst() == [Self.new[...]])
    }

    @Test("has pages of blog only, whatever somebody wrote into them")
    func changed() throws {
        try make(Self.first, in: "f")
        for page in [Self.old, Self.kept] { try put("by me", at: "f/" + page) }
        try make(Self.second, in: "f")
        #expect(try files(in: "f") == Self.second)
    }

    @Test("loses no file that its list names but that can't be a page")
    func hostileList() throws {
        try make(Self.first, in: "f")
        let page = "0123456789ae.html"
        let names = [
            "mine.txt", "index.htm", "page-1.html", page, "posts/mine.html", "../\(page)", "posts/../\(page)",
            "posts/../../\(page)", "posts//\(page)", "./posts/\(page)", home.path + "/" + page, "posts/", "posts", "..",
            "",
        ]
        for file in ["f/mine.txt", "f/index.htm", "f/page-1.html", "f/\(page)", "f/posts/mine.html", page] {
            try put("mine", at: file)
        }
        let before = try files(in: "f")
        try put(list(in: "f").joined(separator: "\n") + "\n" + names.joined(separator: "\n"), at: "f/.blog-pages")
        try make(Self.first, in: "f")
        #expect(try files(in: "f") == before)
        #expect(FileManager.default.fileExists(atPath: home.appending(path: page).path))
        #expect(try list(in: "f").count == Self.first.count + 1)
    }

    @Test(
        "isn't written if its list isn't one", arguments: ["", "mine", "# Written by me\nindex.html\n", "index.html\n"])
    func foreignList(text: String) throws {
        try make(Self.first, in: "f")
        try put(text, at: "f/.blog-pages")
        #expect(throws: FileError.self) { try make(Self.second, in: "f") }
        #expect(try files(in: "f") == Self.first)
    }

    @Test(
        "is never written or emptied through a symbolic link",
        arguments: [old, kept, kept + ".part", ".blog-pages.part", ".blog-pages", "posts"])
    private func links(file: String) throws {
        try make(Self.first, in: "f")
        try make(Self.first, in: "target")
        try put("kept", at: "mine")
        try link(
            "f/" + file, to: file == "posts" ? "target/posts" : file == ".blog-pages" ? "target/.blog-pages" : "mine")
        let before = try files(in: "target")
        if [".blog-pages", "posts"].contains(file) {
            #expect(throws: FileError.self) { try make(Self.second, in: "f") }
        } else {
            try make(Self.second, in: "f")
            #expect(try files(in: "f") == Self.second)
        }
        #expect(try files(in: "target") == before)
        #expect(try String(contentsOf: home.appending(path: "mine"), encoding: .utf8) == "kept")
    }

    @Test("may itself be a symbolic link")
    func folder() throws {
        try FileManager.default.createDirectory(at: home.appending(path: "f"), withIntermediateDirectories: true)
        try link("l", to: "f")
        try make(Self.first, in: "l")
        #expect(try files(in: "f") == Self.first)
    }
}

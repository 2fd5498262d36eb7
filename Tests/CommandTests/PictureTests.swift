import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("Pictures of a post", .serialized) struct PictureTests {
    private let site: TestSite

    init() throws {
        site = try TestSite(PictureSite(body: "Before.\n\n![One](HOST/images/1.png)\n\nAfter."))
    }

    /// An environment whose PATH has only these programs.
    private func environment(_ variables: [String: String], programs: [String: String] = [:]) throws -> [String: String]
    {
        let folder = site.home.appending(path: "bin")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, script) in programs { _ = try site.script(script, named: "bin/\(name)") }
        return ["PATH": folder.path].merging(variables) { $1 }
    }

    private var imageRequests: [String] { site.server.requestLines.filter { $0.contains("/images/") }.sorted() }

    static let start = [
        "xterm-kitty": "\u{1B}_Ga=T,f=100,q=2,c=10,r=5,m=0;",
        "wezterm": "\u{1B}]1337;File=inline=1;size=\(PictureSite.png.count);width=10;height=5;",
    ]

    @Test(
        "are shown in their places if they are stored, else below the text",
        arguments: ["xterm-kitty", "wezterm"])
    func places(term: String) async throws {
        let environment = try environment(["TERM": term])
        let start = try #require(Self.start[term])
        let first = try await site.screen(["read", "1", "--hyperlinks", "never"], environment: environment)
        let text = try #require(first.firstRange(of: "After."))
        // The server may be faster than the text.
        #expect(first.contains(start) && first[..<text.upperBound].contains("One"))
        let second = try await site.screen(
            ["read", "1", "--hyperlinks", "never", "--offline"], environment: environment)
        let end = term == "wezterm" ? "\u{7}" : "\u{1B}\\"
        let place = try #require(second.firstRange(of: start))
        #expect(second[..<place.lowerBound].hasSuffix("Before.\n\n"))
        let rest = second[place.upperBound...]
        #expect(rest[(try #require(rest.firstRange(of: end))).upperBound...].hasPrefix("\n\u{1B}[4;2mOne"))
        #expect(!second.contains("pwned"))
        // The author's portrait isn't waited for, so a busy machine may not have requested it yet.
        #expect(imageRequests.filter { $0 != "GET /images/ann.png" } == ["GET /images/1.png"])
        #expect(imageRequests.count <= 2)
    }

    @Test(
        "don't change anything if stdout isn't a terminal",
        arguments: [["read", "1"], ["read", "1", "--json", "--no-mark"], ["list"]])
    func pipes(arguments: [String]) async throws {
        func output(_ more: [String]) async throws -> String {
            try await site.blog(arguments + more, environment: environment(["TERM": "xterm-kitty"])).output
        }
        let usual = try await output([])
        #expect(!usual.contains("\u{1B}"))
        #expect(imageRequests.isEmpty)
        if arguments[0] == "read" { #expect(try await output(["--images", "never"]) == usual) }
    }

    @Test(
        "aren't requested if nothing can show them",
        arguments: [
            ["TERM": "dumb"], ["TERM": "xterm-kitty", "ACCESSIBLE": "1"], ["TERM": "xterm-kitty", "STY": "x"],
            ["TERM": "xterm-kitty", "TMUX": "/tmp/x,1,0"], ["TERM": "xterm-256color"],
        ])
    func unsupported(variables: [String: String]) async throws {
        let screen = try await site.screen(["read", "1"], environment: try environment(variables))
        #expect(screen.contains("After.") && !screen.contains("_G") && !screen.contains("\u{1B}[>q"))
        _ = try await site.screen(
            ["read", "1", "--images", "never"], environment: try environment(["TERM": "xterm-kitty"]))
        _ = try await site.screen(["read", "1", "--body"], environment: try environment(["TERM": "xterm-kitty"]))
        #expect(imageRequests.isEmpty)
    }

    @Test("are shown always if requested, by an option or the settings, but only if a protocol is known")
    func always() async throws {
        let environment = try environment(["TERM": "xterm-kitty"])
        let run = try await site.blog("read", "1", "--images", "always", environment: environment)
        #expect(run.code == 0 && run.output.contains("\u{1B}_Ga=T"))
        try site.set("images = always\n")
        for (term, isShown) in [("xterm-kitty", true), ("vt100", false)] {
            let environment = environment.merging(["TERM": term]) { $1 }
            let again = try await site.blog("read", "1", environment: environment)
            #expect(again.code == 0 && again.output.contains("After."))
            #expect(again.output.contains("\u{1B}_Ga=T") == isShown)
        }
        #expect(try await site.blog("sync", environment: environment).code == 0)
    }

    @Test("are drawn by another program if the terminal can't, which can output only symbols")
    func symbols() async throws {
        let chafa =
            #"printf '\033[31mX\033[2J\033]0;bad\007\033[0m\n'; for word; do :; done; printf '%s\n' "${word%/*}""#
        let environment = try environment(["TERM": "alacritty"], programs: ["chafa": chafa])
        _ = try await site.screen(["read", "1"], environment: environment)
        let screen = try await site.screen(["read", "1", "--offline"], environment: environment)
        #expect(screen.contains("Before.\n\n\u{1B}[31mX\u{1B}[0m\u{1B}[0m\n\(site.storePath)-pictures\u{1B}[0m\n"))
        #expect(!screen.contains("bad") && !screen.contains("[2J"))
        let colorless = try await site.screen(["read", "1", "--offline", "--color", "never"], environment: environment)
        #expect(!colorless.contains("X"))
    }

    @Test(
        "that claim too many pixels aren't shown, which is said in their place",
        arguments: ["xterm-kitty", "wezterm", "alacritty"])
    func huge(term: String) async throws {
        for name in ["1", "ann"] {
            site.server.setFault(
                .body(MadeUpPicture.png(4_294_967_295, 4_294_967_295)), for: "/images/\(name).png")
        }
        let environment = try environment(["TERM": term], programs: ["chafa": "echo DRAWN"])
        let line = "(picture not shown: 4,294,967,295 by 4,294,967,295 pixels are too many)"
        for arguments in [["read", "1"], ["read", "1", "--offline"]] {
            let screen = try await site.screen(arguments + ["--hyperlinks", "never"], environment: environment)
            #expect(screen.contains(line) && !screen.contains("DRAWN"), "\(screen)")
            #expect(!screen.contains("_Ga=T") && !screen.contains("File=inline"))
        }
    }

    @Test("are symbols in a pager, which isn't started if pictures are always wanted")
    func pager() async throws {
        let pager = "/usr/bin/sed 's/^/> /'"
        let environment = try environment(
            ["TERM": "xterm-kitty", "BLOG_PAGER": pager], programs: ["chafa": "echo SYMBOLS"])
        _ = try await site.screen(["read", "1"], environment: environment)
        let screen = try await site.screen(["read", "1", "--offline"], rows: 5, environment: environment)
        #expect(screen.contains("> SYMBOLS") && !screen.contains("_G"))
        let always = try await site.screen(
            ["read", "1", "--offline", "--images", "always"], rows: 5, environment: environment)
        #expect(always.contains("\u{1B}_Ga=T") && !always.contains("> "))
    }

    @Test("that fail are reported in one line, and the text is complete")
    func failures() async throws {
        let body = """
            Text.\n\n![a](HOST/images/4.svg)\n\n![b](HOST/images/none.png)\n\n![c](HOST/images/gone.png)\n\n\
            ![d](http://10.0.0.1/x.png)\n\nEnd.
            """
        let site = try TestSite(PictureSite(body: body))
        let screen = try await site.screen(
            ["read", "1"], columns: 200, environment: ["TERM": "xterm-kitty", "PATH": "/nowhere"])
        let lines = screen.split(separator: "\n").filter { $0.contains("blog: ") }
        #expect(lines.count == 1)
        #expect(
            lines.first?.contains("Could not load 4 pictures, 2 of them for the same reason: http://127.0.0.1:") == true
        )
        #expect(lines.first?.contains(".png: HTTP 404 Not Found (to skip pictures, use --images never)") == true)
        let end = try #require(screen.firstRange(of: "End."))
        #expect(
            screen[..<end.lowerBound].contains("Text.") && !screen.contains("_Ga=T,f=100,q=2,c=10"))
    }

    @Test("that are slow don't hold up the text")
    func slow() async throws {
        site.server.setFault(.stall, for: "/images/1.png")
        let terminal = try Terminal(columns: 80, rows: 100)
        let process = try site.process(["read", "1"], environment: environment(["TERM": "xterm-kitty"]))
        async let code = terminal.run(process)
        try await terminal.wait(for: "After.")
        process.interrupt()
        #expect(try await code == 130)
    }

    @Test("are fetched by a sync for reading offline, and by two at once")
    func sync() async throws {
        let both = try await site.bash("blog sync --images & blog sync --images; status=$?; wait $! && exit $status")
        #expect(both.code == 0)
        #expect(both.errors.split(separator: "\n").count { $0.hasPrefix("blog: 2 pictures: ") } == 2, "\(both.errors)")
        let folder = site.storePath + "-pictures"
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).map(\.count) == [64, 64])
        #expect(try await site.blog("sync", "--images").errors.hasSuffix("blog: 2 pictures: 2 unchanged.\n"))
        site.server.stop()
        let screen = try await site.screen(
            ["read", "1", "--offline"], environment: try environment(["TERM": "xterm-kitty"]))
        #expect(screen.split(separator: "\u{1B}_Ga=T").count == 3)
        let facts = try #require(try await site.blog("store", "--json").json() as? [String: Any])
        #expect(facts["pictures"] as? Int == 2 && facts["pictureBytes"] as? Int == 2 * PictureSite.png.count)
        #expect(try await site.blog("store", "clear-pictures").code == 0)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("that a sync can't fetch are reported in one line, and don't make it fail")
    func failingSync() async throws {
        for name in ["1", "ann"] { site.server.setFault(.status(404), for: "/images/\(name).png") }
        let run = try await site.blog("sync", "--images")
        #expect(run.code == 0)
        #expect(
            run.errors.contains(
                "blog: 2 pictures: 2 failed.\nblog: Could not load 2 pictures, all for the same reason: "))
        #expect(run.errors.split(separator: "\n").count == 3)
    }

    @Test("are shown even if they can't be stored")
    func unwritable() async throws {
        _ = try await site.blog("list")
        try Data("x".utf8).write(to: URL(filePath: site.storePath + "-pictures"))
        let screen = try await site.screen(["read", "1"], environment: try environment(["TERM": "xterm-kitty"]))
        #expect(screen.contains("After.") && screen.contains("\u{1B}_Ga=T,f=100,q=2,c=10,r=5"))
        #expect(!screen.contains("blog: "))
    }

    @Test("include the author's, which has an absolute address")
    func author() async throws {
        let run = try await site.blog("list", "--json=author.image,author.imageURL")
        let expected = ["author.image": "/images/ann.png", "author.imageURL": site.server.address + "/images/ann.png"]
        #expect(try run.json() as? [[String: String]] == [expected])
    }
}

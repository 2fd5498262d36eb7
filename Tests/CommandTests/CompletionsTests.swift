import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("blog completions", .serialized) struct CompletionsTests {
    private let site: TestSite

    init() throws {
        site = try TestSite()
    }

    @Test("prints a script that calls the program", arguments: ["bash", "zsh", "fish"])
    func script(shell: String) async throws {
        let run = try await site.blog("completions", shell)
        #expect(run.code == 0)
        #expect(run.output.contains("blog __complete"))
    }

    @Test(
        "lists the shells if none or an unknown one is given", arguments: [["completions"], ["completions", "tcsh"]])
    func otherShell(arguments: [String]) async throws {
        let run = try await site.blog(arguments)
        #expect(run.code == 2)
        #expect(run.errors.contains("bash, zsh or fish"))
    }

    @Test("prints its script even if the settings are invalid, since shells run it at their start")
    func wrongSettings() async throws {
        try site.set("nonsense\n")
        #expect(try await site.blog("list").code == 2)
        #expect(try await site.blog("completions", "bash").code == 0)
    }

    @Test("completes the IDs of the newest stored posts, without a request")
    func ids() async throws {
        #expect(try await site.blog("__complete", "zsh", "read", "").output == "")
        let title = try await secondTitle()
        site.server.clearRequests()
        let run = try await site.blog("__complete", "zsh", "read", "")
        #expect(run.lines.first == "14\tCaches: 3 Hard Things")
        #expect(run.lines.count == 15)
        #expect(try await site.blog("__complete", "zsh", "mark", "saved", "2").lines == ["2\t" + title])
        #expect(site.server.requests.isEmpty)
    }

    @Test("offers no ID that a shell would take for more than a word")
    func harmful() async throws {
        let ids = ["1;echo", "$(id)", "`id`", "--store=x", "a b", "a\u{202E}b", "fine-1.a_B"]
        let records = ids.map {
            #"{"id":"\#($0)","title":"t","publishDate":"2018-07-15T23:03:29Z","postId":"1","author":{"name":"a"}}"#
        }
        site.server.setFault(.body(Data("[\(records.joined(separator: ","))]".utf8)), for: "/post-metadata")
        // The one that isn't printed as it is, is refused.
        #expect(try await site.blog("list", "--format", "ids").lines.count == ids.count - 1)
        #expect(try await site.blog("__complete", "zsh", "read", "").lines == ["fine-1.a_B\tt"])
    }

    @Test("completes authors, tags, the names of --new, and sources with their titles")
    func values() async throws {
        _ = try await site.blog("list", "--new=cron")
        #expect(try await site.blog("__complete", "zsh", "list", "--author", "ker").lines == ["Kerri Lane\t"])
        #expect(try await site.blog("__complete", "zsh", "list", "--author=K").lines == ["--author=Kerri Lane\t"])
        #expect(try await site.blog("__complete", "zsh", "list", "--new=").lines == ["--new=cron\t"])
        let items = ["Swift", "swim", "x;y", "-x"].map { "<category>\($0)</category>" }.joined()
        let feed =
            "<rss version='2.0'><channel><title>Fine Feed</title><item><guid>1</guid><title>t</title>\(items)</item>"
        site.server.setFault(.body(Data("\(feed)</channel></rss>".utf8)), for: "/feed")
        #expect(try await site.blog("follow", site.server.address + "/feed", "--as", "fine").code == 0)
        #expect(try await site.blog("__complete", "zsh", "list", "--tag", "sw").lines == ["Swift\t", "swim\t"])
        #expect(try await site.blog("__complete", "zsh", "list", "--tag", "").lines == ["Swift\t", "swim\t", "x;y\t"])
        #expect(try await site.blog("__complete", "bash", "list", "--tag", "x").lines == ["x\\;y\t"])
        #expect(try await site.blog("__complete", "list", "--tag", "sw").lines.isEmpty)
        #expect(try await site.blog("__complete", "zsh", "list", "-s", "f").lines == ["fine\tFine Feed"])
    }

    @Test("shows titles in bash's list of IDs, but inserts none")
    func titles() async throws {
        _ = try await site.blog("list")
        #expect(try await completed("blog read 1", type: 63).contains("14  (Caches: 3 Hard Things)"))
        #expect(try await completed("blog read 14", type: 63) == ["14"])
    }

    @Test("completes commands, values after =, and IDs in bash")
    func bash() async throws {
        _ = try await site.blog("list")
        #expect(try await completed("blog li") == ["list"])
        #expect(try await completed("blog list --group=t") == ["title"])
        #expect(try await completed("blog read 1").contains("14"))
        _ = try await site.blog("follow", site.server.address, "--as", "nerds", "--folder", "News/Must Read")
        #expect(try await completed("blog list --folder ") == ["News", #"News/Must\ Read"#])
        #expect(try await completed(#"blog list --folder=News/Must\ R"#) == [#"News/Must\ Read"#])
        #expect(try await completed("blog list -s nerds,h") == ["nerds,hn"])
        #expect(
            try await completed("blog store ") == ["check", "prune", "vacuum", "clear-pictures", "export", "import"])
    }

    /// What bash offers to complete a command line.
    private func completed(_ line: String, type: Int = 9) async throws -> [String] {
        try await site.bash(
            """
            eval "$(blog completions bash)"
            COMP_TYPE=\(type) COMP_LINE='\(line)' COMP_POINT=\(line.utf8.count); _blog; printf '%s\\n' "${COMPREPLY[@]}"
            """
        ).lines
    }

    private func secondTitle() async throws -> String {
        let titles = try await site.blog("list", "--fields", "id,title").lines
        return String(titles.first { $0.hasPrefix("2\t") }?.dropFirst(2) ?? "")
    }
}

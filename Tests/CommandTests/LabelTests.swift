import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("A label", .serialized) struct LabelTests {
    private let site: TestSite

    init() async throws {
        site = try await TestSite.followingFeeds()
    }

    private func ids(_ arguments: String...) async throws -> [String] {
        try await site.blog(arguments + ["--format", "ids"]).lines
    }

    @Test("is added, listed with counts, and removed, by ids, stdin and filters")
    func basics() async throws {
        let added = try await site.blog("label", "add", "read & write 📚", "tide:1", "tide:2", "garden:1")
        #expect(added.errors == "blog: 3 posts labelled “read & write 📚”.\n")
        let again = try await site.blog("label", "add", "Read & Write 📚", "tide:1", "tide:3")
        #expect(again.errors == "blog: 1 post labelled “read & write 📚”; 1 already was.\n")
        #expect(try await site.blog("mark", "read", "tide:3").code == 0)
        #expect(try await site.blog("label").lines == ["read & write 📚\t4\t3"])
        #expect(try await ids("list", "--label", "READ & WRITE 📚", "-s", "tide") == ["tide:3", "tide:2", "tide:1"])
        #expect(try await ids("search", "label:\"read & write 📚\" is:unread source:tide").count == 2)
        let piped = try await site.blog("label", "remove", "read & write 📚", "-", input: "tide:1\ntide:2\n")
        #expect(piped.errors == "blog: “read & write 📚” removed from 2 posts.\n")
        #expect(try await site.blog("label", "add", "code", "--all", "--tag", "code").code == 0)
        #expect(try await ids("list", "--label", "code") == (try await ids("list", "--tag", "code")))
        let json = try await site.blog("list", "--label", "code", "-s", "tide", "--json").output
        #expect(json.contains("\"labels\":[\"code\"]"))
        #expect(try await !site.blog("list", "-s", "garden", "--limit", "1", "--json").output.contains("labels"))
        let card = try await site.blog("list", "--label", "code", "-s", "tide", "--format", "text").output
        #expect(card.contains("labels: code"))
    }

    @Test("is listed even if a rule hides all posts that have it")
    func hidden() async throws {
        #expect(try await site.blog("label", "add", "later", "tide:1").code == 0)
        #expect(try await site.blog("rule", "add", "source:tide", "--hide").code == 0)
        let run = try await site.blog("label")
        #expect(run.lines == ["later\t0\t0"])
        #expect(run.errors.isEmpty)
    }

    @Test("is renamed, merged and deleted, each of which one undo takes back")
    func renamed() async throws {
        for (label, id) in [("a", "tide:1"), ("a", "tide:2"), ("b", "tide:2"), ("b", "tide:3")] {
            #expect(try await site.blog("label", "add", label, id).code == 0)
        }
        let before = try await site.blog("store", "export").output
        let renamed = try await site.blog("label", "rename", "a", "B")
        #expect(renamed.errors == "blog: “a” is “B” now, on 2 posts.\n")
        #expect(try await site.blog("label", "--fields", "posts").lines == ["3"])
        let undone = try await site.blog("undo").errors
        #expect(undone.hasPrefix("blog: 2 posts labelled “a” again: "), "\(undone)")
        #expect(try await site.blog("store", "export").output == before)
        #expect(try await site.blog("label", "rename", "a", "A").code == 0)
        #expect(try await site.blog("label", "--fields", "label,posts").lines == ["A\t2", "b\t2"])
        #expect(try await site.blog("label", "delete", "a").errors == "blog: “a” removed from 2 posts.\n")
        #expect(try await site.blog("label", "--fields", "label").lines == ["b"])
        for _ in 1...2 { #expect(try await site.blog("undo").code == 0) }
        #expect(try await site.blog("store", "export").output == before)
    }

    @Test("is renamed in rules and saved searches, too, and has its name there again if that is undone")
    func renamedInRules() async throws {
        #expect(try await site.blog("rule", "add", "tide", "--label", "soon").code == 0)
        // The rule has the label, even before a post has it.
        #expect(try await site.blog("rule", "add", "nothing yet", "--label", "never").code == 0)
        #expect(try await site.blog("label", "rename", "never", "some day").code == 0)
        #expect(try await site.blog("label", "add", "soon", "tide:1").code == 0)
        #expect(try await site.blog("search", "label:\"soon\"", "--as", "soonish").code == 0)
        let before = try await site.blog("store", "export").output
        #expect(before.contains("labelled some day"))
        #expect(try await site.blog("label", "rename", "soon", "now").code == 0)
        let renamed = try await site.blog("store", "export").output
        #expect(renamed.contains("labelled now") && !renamed.contains("labelled soon"), "\(renamed)")
        #expect(try await site.blog("undo").code == 0)
        #expect(try await site.blog("store", "export").output == before)
        // Where there was a label of the new name, the rule that sets it keeps it.
        #expect(try await site.blog("label", "add", "now", "tide:2").code == 0)
        let both = try await site.blog("store", "export").output
        #expect(try await site.blog("label", "rename", "now", "soon").code == 0)
        #expect(try await site.blog("undo").code == 0)
        #expect(try await site.blog("store", "export").output == both)
    }

    @Test("stays with its post when that is unfollowed, pruned, exported and imported")
    func kept() async throws {
        #expect(try await site.blog("label", "add", "later", "tide:1").code == 0)
        #expect(try await site.blog("unfollow", "tide", "--forget").code == 0)
        #expect(try await ids("list", "--label", "later") == ["tide:1"])
        #expect(try await ids("list", "--label", "later", "--new=x") == ["tide:1"])
        let export = try await site.blog("store", "export").output
        #expect(export.contains("\"labels\":[\"later\"]"))
        let other = try TestSite()
        #expect(try await other.blog("store", "import", "-", input: export).code == 0)
        #expect(try await other.blog("store", "export").output == export)
        #expect(try await other.blog("label").lines == ["later\t1\t1"])
        // A label that nobody could have typed.
        let bad = export.replacing("[\"later\"]", with: "[\"la\\nter\"]")
        #expect(try await other.blog("store", "import", "-", input: bad).errors.contains("Skipped line"))
    }

    @Test(
        "explains what is wrong",
        arguments: [
            (["label", "add"], 2, "Missing argument: a label"),
            (["label", "add", "later"], 2, "Missing argument: post IDs, or --all"),
            (["label", "add", "la\"ter", "tide:1"], 2, "Invalid label “la\"ter”"),
            (["label", "add", " ", "tide:1"], 2, "Invalid label"),
            (["label", "ad", "later", "tide:1"], 2, "Did you mean “add”?"),
            (["label", "add", "later", "--unread"], 2, "Filters need --all, as in: blog label add old --all"),
            (["label", "rename", "later"], 2, "Missing argument: the new name of the label"),
            (["label", "rename", "latr", "x"], 2, "No posts are labelled “latr”"),
            (["label", "delete", "latr"], 2, "Did you mean “later”?"),
            (["label", "delete", "later", "--unread"], 2, "--unread only works with label add or remove"),
            (["list", "--label", "latr"], 0, "No posts are labelled “latr” (use later). Did you mean “later”?"),
            (["search", "label:"], 2, "use a label (at character 1)"),
        ])
    func errors(arguments: [String], code: Int32, message: String) async throws {
        #expect(try await site.blog("label", "add", "later", "tide:1").code == 0)
        let run = try await site.blog(arguments)
        #expect(run.code == code && run.errors.contains(message), "\(run.code): \(run.errors)")
    }

    @Test("is completed by shells")
    func completed() async throws {
        #expect(try await site.blog("label", "add", "to read", "tide:1").code == 0)
        for words in [["label", "add", "to"], ["label", "rename", ""], ["list", "--label", "to"]] {
            let run = try await site.blog(["__complete", "bash"] + words)
            #expect(run.lines == ["to\\ read\t"], "\(words): \(run.output)")
        }
        #expect(try await site.blog("__complete", "zsh", "label", "add", "x", "tide:").output.contains("tide"))
    }
}

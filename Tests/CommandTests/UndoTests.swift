import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("blog undo") struct UndoTests {
    private let site: TestSite

    init() async throws { site = try await TestSite.followingFeeds() }

    private func undo() async throws -> String {
        let run = try await site.blog("undo")
        #expect(run.code == 0)
        return run.errors
    }

    private func names() async throws -> [String] {
        try await site.blog("sources", "--fields", "name").lines.filter { !$0.isEmpty }
    }

    @Test("takes back the last change, whichever it is, and then the ones before it")
    func story() async throws {
        _ = try await site.blog("follow", "tide", "--folder", "sea")
        _ = try await undo()
        #expect(try await site.blog("mark", "saved", "garden:1").code == 0)
        #expect(try await site.blog("unfollow", "tide").code == 0)
        #expect(try await site.blog("search", "fog", "--as", "foggy").code == 0)
        #expect(try await site.blog("rule", "add", "title:ferry", "--hide").code == 0)
        #expect(try await site.blog("mark", "read", "garden:1").code == 0)
        #expect(try await undo().hasPrefix("blog: 1 post marked as unread again"))
        #expect(try await undo() == "blog: Removed the rule “title:ferry”.\n")
        #expect(try await site.blog("rule").output.isEmpty)
        #expect(try await undo() == "blog: Unfollowed foggy.\n")
        #expect(try await names() == ["garden"])
        #expect(try await undo() == "blog: Following tide again.\n")
        #expect(try await names() == ["garden", "tide"])
        #expect(try await site.blog("sources", "--fields", "name,folder").lines.contains("tide\tsea"))
        #expect(try await undo().hasPrefix("blog: 1 post marked as unsaved again"))
        #expect(try await undo() == "blog: Unfollowed garden.\n")
        #expect(try await undo() == "blog: Unfollowed tide.\n")
        #expect(try await undo() == "blog: Nothing to undo.\n")
    }

    @Test("unfollows all that came with a list, and keeps a saved search again")
    func lists() async throws {
        let list = site.home.appending(path: "urls.txt")
        let address = site.server.address + "/feeds/"
        try Data("\(address)saltmarsh/feed.xml\n\(address)lantern/feed.xml\n".utf8).write(to: list)
        let run = try await site.blog("follow", list.path)
        let all = try await names()
        #expect(all.count > 2, "\(run.errors)")
        #expect(try await undo().hasPrefix("blog: Unfollowed "))
        #expect(try await names() == ["garden", "tide"])
        #expect(try await site.blog("search", "fog", "--as", "foggy").code == 0)
        #expect(try await site.blog("unfollow", "foggy").code == 0)
        #expect(try await undo() == "blog: Following foggy again.\n")
        #expect(try await names().sorted() == ["foggy", "garden", "tide"])
    }

    @Test("removes no other rule that has the number of one that was removed")
    func reusedNumber() async throws {
        #expect(try await site.blog("rule", "add", "title:ferry", "--hide").code == 0)
        #expect(try await site.blog("rule", "remove", "1").code == 0)
        #expect(try await site.blog("rule", "add", "source:tide", "--read").code == 0)
        #expect(try await undo() == "blog: Removed the rule “source:tide”, and its marks from 4 posts.\n")
        #expect(try await undo().hasPrefix("blog: Removing a rule can't be undone."))
        #expect(try await undo().hasPrefix("blog: Adding a rule that is removed can't be undone."))
        #expect(try await site.blog("rule", "--format", "ids").lines == [])
        #expect(try await site.blog("list", "-s", "tide", "--unread", "--format", "ids").lines.count == 4)
    }

    @Test("lists what it would take back, latest first, and takes back what one command unfollowed at once")
    func listed() async throws {
        #expect(try await site.blog("mark", "saved", "tide:1").code == 0)
        #expect(try await site.blog("rule", "add", "source:tide", "--read", "--label", "sea").code == 0)
        #expect(try await site.blog("unfollow", "tide", "garden").code == 0)
        let rows = try await site.blog("undo", "--list", "--fields", "mark,posts,titles").lines
        #expect(rows.first == "unfollowed\t\ttide, garden", "\(rows)")
        #expect(rows.dropFirst().first == "rule\t\tsource:tide")
        #expect(rows.dropFirst(2).first?.hasPrefix("saved\t1\t“") == true)
        #expect(try await undo() == "blog: Following tide and garden again.\n")
        #expect(try await undo() == "blog: Removed the rule “source:tide”, and its marks from 4 posts.\n")
        #expect(try await site.blog("list", "--label", "sea", "--format", "ids").lines == [])
        #expect(try await undo().hasPrefix("blog: 1 post marked as unsaved again"))
    }

    @Test("says what can't be taken back, and then goes past it")
    func impossible() async throws {
        #expect(try await site.blog("mark", "saved", "tide:1").code == 0)
        let export = try await site.blog("store", "export").output
        #expect(try await site.blog("store", "import", "-", input: export).code == 0)
        #expect(try await undo() == "blog: The import can't be undone. To undo what was done before: blog undo\n")
        #expect(try await undo().hasPrefix("blog: 1 post marked as unsaved again"))
        #expect(try await site.blog("follow", "tide", "--title", "Other").code == 0)
        #expect(try await undo().hasPrefix("blog: The change of tide can't be undone."))
    }
}

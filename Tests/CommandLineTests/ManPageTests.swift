import BlogTestSupport
import Foundation
import Testing
@testable import blog
@testable import BlogBrowse
@testable import BlogCommandLine

@Suite("A manual page") struct ManPageTests {
    static let commands: [String] = Commands.all.map { $0.name }
    static let files: [String] = ManPages.all.map { $0.file }
    static let helps: [[String]] = [["help", "--man", "list"], ["help", "list", "--man"]]

    private static func has(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
    }

    @Test("has every option of its command with its complete text", arguments: commands)
    func options(name: String) throws {
        let page = try ManPages.about(name).text(width: 10_000)
        for option in try Commands.named(name).options {
            #expect(page.contains("\n    \(option.usage)\n          \(Help.describe(option))"))
            #expect(option.details.isEmpty || page.contains(option.details))
        }
        for field in try Commands.named(name).fields { #expect(page.contains(field)) }
    }

    @Test("of the program has every command, global option and variable")
    func program() throws {
        let page = try ManPages.about(nil).text(width: 10_000)
        for option in Option.global { #expect(page.contains("\n    \(option.usage)\n")) }
        for command in Commands.all { #expect(page.contains("\n    blog \(command.name)")) }
        for variable in Help.variables { #expect(page.contains("\n    \(variable.0)\n")) }
    }

    @Test("of the settings has every setting and every action of blog browse")
    func settings() throws {
        let page = try ManPages.about("settings").text(width: 10_000)
        for setting in Settings.table {
            #expect(page.contains("\n    \(setting.name)\n          \(setting.meaning)\n"), "\(setting.name)")
        }
        for action in Action.inOrder { #expect(page.contains("  \(action.rawValue): \(action.help)\n")) }
    }

    @Test("has the same table of search forms as docs/searching.md")
    func searching() throws {
        let rows = try DocumentedCommand.text(of: "docs/searching.md").split(separator: "\n")
            .filter { $0.hasPrefix("| `") }.map { $0.replacing("`", with: "") }
        #expect(rows == Help.searchForms.map { "| \($0.0) | \($0.1) |" })
    }

    @Test("has examples and the exit status, and refers to existing pages", arguments: files)
    func sections(file: String) throws {
        let page = try #require(ManPages.all.first { $0.file == file })
        let titles = page.sections.map(\.title)
        #expect(titles.contains("EXAMPLES") && titles.contains("EXIT STATUS") && titles.last == "SEE ALSO")
        let references = page.mdoc(date: "2026-11-22").split(separator: "\n").filter { $0.hasPrefix(".Xr ") }
        #expect(!references.isEmpty)
        for reference in references {
            let words = reference.split(separator: " ")
            let other = "\(words[1]).\(words[2])"
            #expect(Self.files.contains(other) && other != file)
        }
    }

    @Test("shows the words of a command and its options in their places")
    func usage() throws {
        #expect(try ManPages.about("list").text(width: 100).contains("\nSYNOPSIS\n    blog list [options]\n"))
        #expect(try ManPages.about("open").text(width: 100).contains("\nSYNOPSIS\n    blog open [options] ID"))
        let options = try ManPages.about(nil).mdoc(date: "2026-01-02")
        #expect(options.contains("\n.It Fl \\-json Ns Op = Ns Ar FIELDS\n"))
        #expect(options.contains("\n.It Fl s , Fl \\-source Ar "))
    }

    @Test(
        "refers to the search syntax if a command has filters",
        arguments: [("list", true), ("search", true), ("open", false)])
    func searching(command: String, hasFilters: Bool) throws {
        let page = try ManPages.about(command).mdoc(date: "2026-01-02")
        #expect(page.contains("\n.Xr blog-search 7\n") == hasFilters)
    }

    @Test("escapes text that could be markup")
    func escaped() {
        let page = ManPage(
            name: "x", number: 1, summary: ".Sh \\fB“é”", synopsis: nil,
            sections: [("A", [.paragraph(".Sh one. 'br two"), .table([ManPage.Row("\" Sh", "--x ")])])])
        #expect(
            page.mdoc(date: "2026-01-02") == #"""
                .Dd January 2, 2026
                .Dt X 1
                .Os
                .Sh NAME
                .Nm x
                .Nd .Sh \efB\[u201C]\[u00E9]\[u201D]
                .Sh A
                \&.Sh one.
                \(aqbr two
                .Bl -tag -width Ds
                .It Ic "\&\(dq Sh"
                \-\-x
                .El

                """#)
    }

    @Test(
        "causes no warnings in mandoc", .enabled(if: has("mandoc"))
    )
    func mandoc() async throws {
        let run = try await TestSite().bash(
            "for page in $(blog __man --list); do blog __man $page > $page; done; mandoc -Tlint -W warning blog*.?")
        #expect(run.code == 0 && run.output + run.errors == "")
    }

    @Test(
        "causes no warnings in groff", .enabled(if: has("groff")))
    func groff() async throws {
        let run = try await TestSite().bash(
            "for page in $(blog __man --list); do blog __man $page | groff -mandoc -Tutf8 -ww -z; done")
        #expect(run.code == 0 && run.output + run.errors == "")
    }

    @Test("is shown by blog help", arguments: helps)
    func help(arguments: [String]) async throws {
        let site = try TestSite()
        #expect(try await site.blog(arguments).output.hasPrefix("NAME\n    blog-list: list posts"))
    }
}

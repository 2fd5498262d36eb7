import BlogHTTP
import BlogModel
import BlogRendering
import BlogTerminal
import Testing
@testable import blog
@testable import BlogCommandLine
@testable import BlogLibrary

@Suite("The help") struct HelpTests {
    @Test("has a summary of at most eight words for each command", arguments: Commands.all.map { $0.name })
    func summary(name: String) throws {
        let summary = try Commands.named(name).summary
        #expect(summary.split(separator: " ").count <= 8)
        #expect(summary.first?.isLowercase == true && summary.last != ".")
    }

    @Test("explains each option in at most two lines of a hundred columns")
    func options() {
        for option in Option.global + Commands.all.flatMap({ $0.options }) {
            let lines = TextLayout.wrap(Help.describe(option), width: 62)
            #expect(lines.count <= 2, "--\(option.name)")
        }
    }

    @Test("groups a command's options under headings, and mentions the global ones last")
    func groups() throws {
        let page = Help(width: 100).page(try Commands.named("list"))
        let headings = page.split(separator: "\n").filter { $0.hasSuffix(":") && !$0.hasPrefix(" ") }
        #expect(
            headings == [
                "Select:", "Order:", "Show:", "Other:", "Fields for --fields and --json:", "Formats for --format:",
                "Examples:",
            ])
        #expect(page.hasSuffix("\n\nTo list the global options: blog help options\n"))
        for option in try Commands.named("list").options { #expect(page.contains("--\(option.longName)")) }
        #expect(Help(width: 100).page(try Commands.named("undo")).contains("\nOptions:\n  --list "))
    }

    @Test("begins with what blog does without a command")
    func alone() {
        let page = Help(width: 100).overview()
        #expect(page.contains("Commands:\n  blog        "))
        #expect(page.contains("  \(Commands.overview.summary)\n"))
    }

    @Test(
        "lists no formats of a command that prints neither posts nor facts",
        arguments: ["browse", "open", "mark", "unfollow", "completions", "help"])
    func formats(name: String) throws {
        let command = try Commands.named(name)
        #expect(!Help(width: 100).page(command).contains("Formats for --format:"))
        var arguments = Arguments()
        try arguments.parse([name, "--format", "json"])
        #expect(throws: UsageError.notHere(option: "format", "blog list --format json")) {
            try Invocation(arguments, of: command, Settings())
        }
    }

    @Test("says that posts with labels are kept, too")
    func kept() throws {
        #expect(Help(width: 100).page(try Commands.named("unfollow")).contains("except saved and labelled posts"))
    }

    @Test("describes every setting")
    func settings() {
        let page = Help(width: 200).topic("settings")
        for setting in Settings.table { #expect(page.contains("\n  \(setting.name) ")) }
    }

    @Test("lists every environment variable under settings", arguments: ["BLOG_STORE", PhotoSource.keyVariable])
    func environment(name: String) {
        #expect(Help(width: 100).topic("settings").contains("\n  \(name) "))
    }

    @Test("names the environment variable of an option beside it", arguments: ["BLOG_STORE", "BLOG_SOURCE"])
    func environmentOfOption(name: String) {
        #expect(Help(width: 200).topic("options").contains("(environment: \(name))\n"))
    }

    @Test("says that pages link to pictures, and which sources have ratings")
    func pictures() throws {
        #expect(Option.images.help.contains("pages link to them"))
        let orders = SourceRegistry.kinds.filter { $0.capabilities.orders.contains(.rating) }.map(\.name)
        #expect(orders == ["photos"] && Option.sort.details.contains("rating only with photos"))
        #expect(Help(width: 100).topic("options").contains("\n  130, 143  "))
    }
}

@Test("The User-Agent has the version that the program prints")
func version() {
    #expect(UserAgent.version == Program.version)
}

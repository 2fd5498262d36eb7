import BlogTestSupport
import Foundation
import Testing

@Suite("The lines of code in README.md and docs", .serialized) struct DocumentedLineTests {
    /// Lines that aren't run, by their beginnings, and why.
    static let notRun = [
        ("make", "InstallTests runs it"), ("./start-mocks.sh", "MockScriptTests runs it"),
        ("export ", "it says nothing"),
        ("man ", "it needs installed pages"), ("swift run mock-server --fault", "it runs until it is stopped"),
        ("sqlite3", "it needs a function that Debian 12's lacks"), ("blog sources --store recovered", "so does this"),
    ]

    /// Beginnings of lines that take away what later lines of their document need.
    static let inACopy = [
        "blog unfollow", "blog follow swift --as", "blog follow swift --address", "blog label remove",
        "blog list --new=cron ",
    ]

    /// Beginnings of lines, and what their result contains; nil for nothing on stdout.
    static let results: [(line: String, result: String?)] = [
        (#"blog search '"back button" -beta author:bram'"#, "An Apology to the Back Button"),
        ("blog search 'author:bram' --browse", "3 unread of 3"), ("blog search in:article rsync", "article: "),
        ("blog list -s hn --title rust", "Rust & C++"), ("blog list --tag embedded", "Tracing an embedded program"),
        ("blog list --hidden", "Crypto without tears"), ("blog list --new=mail", "/swift/0.html"),
        ("blog rule test", "1 of 14 posts"), ("blog rule   ", "(crypto OR web3)"), ("blog label   ", "to read\t2"),
        ("blog sources --failing", nil), ("blog sync --articles", " articles: "), ("blog open last", "/swift/"),
        ("blog sync -s hn --articles", " articles: "), ("blog follow ~/.newsboat", "From newsboat: added 1 post"),
        ("blog follow feeds.opml --read", "Following "), ("blog store export | ssh", " new, 0 changed"),
        (#"eval "$(blog completions "#, "_blog"), ("blog read hn:8863 --json | jq '.comments[0]'", #""body":"#),
        ("blog read 500px:49 --json | jq", "Canon EOS 6D"),
    ]

    /// Beginnings of lines of which a part fails, because it is beyond this machine.
    static let partial = ["blog sync -s hn --articles"]

    @Test("do what they say, one after the other", arguments: DocumentedLine.all.map(\.file))
    func run(file: String) async throws {
        let lines = DocumentedLine.all.first { $0.file == file }?.lines ?? []
        for problem in try await Self.problems(of: lines, in: file) { Issue.record("\(problem)") }
    }

    @Test("are each named by their beginnings", arguments: notRun.map(\.0) + inACopy + results.map(\.line) + partial)
    func named(beginning: String) {
        #expect(DocumentedLine.all.flatMap(\.lines).contains { $0.begins(with: [beginning]) })
    }

    @Test("leave README.md short enough to be read in a minute")
    func length() throws {
        #expect(
            try DocumentedCommand.text(of: "README.md").split(separator: "\n", omittingEmptySubsequences: false).count
                <= 111)
    }

    @Test("have what is replaced in them", arguments: DocumentedSite.replacements.map(\.0))
    func replaced(pattern: String) {
        #expect(
            DocumentedLine.all.flatMap(\.lines).contains {
                $0.text.range(of: pattern, options: .regularExpression) != nil
            })
    }

    static let mistakes = [
        "    blog lits", "    reboot", "    blog search zebra", "    blog list -s nerds --title zebra > posts.txt",
        "    blog list | sort -q", "    blog list -s nerds --format csv | grep zebra",
        "    blog follow http://localhost:8106/nothing", "    blog read nerds:99; true",
        "```console\n$ blog list -s nerds --fields title --limit 1\nCaches: 4 Hard Things\n```",
        "```console\n$ blog search zebra\nblog: No matching posts.\n```",
    ]

    @Test("are found wrong with a mistake in them", arguments: mistakes)
    func rejects(text: String) async throws {
        let problems = try await Self.problems(of: DocumentedLine.lines(in: text, of: "a.md"), in: "a.md")
        #expect(problems.count == 1, "\(problems)")
    }

    static let right = """
        ```console
        $ blog follow http://localhost:8106/feeds/saltmarsh/ --as marsh
        blog: Following marsh (http://localhost:8106/feeds/saltmarsh/atom.xml): 3 posts. To list them: blog list -s marsh
        …
        $ blog list -s marsh --fields id
        marsh:3
        ...
        $ blog read marsh:1 | head -n 2
        A Knot for Wet Rope
        ===================
        ```
        """

    @Test("may show what is printed in a pipe, or on a terminal")
    func shown() async throws {
        let text = Self.right + "\n```console\n$ blog read marsh:1\n…\nA Knot for Wet Rope\n━━━━━━━━━━━━━━━━━━━\n…\n```"
        let lines = DocumentedLine.lines(in: text, of: "README.md")
        #expect(lines.count == 4)
        let problems = try await Self.problems(of: lines, in: "README.md")
        #expect(problems.isEmpty, "\(problems)")
    }
}

// MARK: Running

extension DocumentedLineTests {
    /// What is wrong with the lines of a document; one that can't be run here is a known issue.
    private static func problems(of lines: [DocumentedLine], in file: String) async throws -> [String] {
        let site = try await DocumentedSite(for: file)
        var problems: [String] = []
        for line in lines where !line.begins(with: notRun.map(\.0)) {
            let (unknown, missing) = DocumentedSite.programs(of: line)
            if let name = unknown.first { problems.append("\(line.place): \(name) is in no table of programs") }
            if let name = missing.first {
                withKnownIssue("\(line.place) isn't run") { Issue.record("no \(name) on this machine") }
            }
            guard unknown.isEmpty, missing.isEmpty else { continue }
            let screen = line.output.isEmpty ? nil : try await site.screen(line)
            let run = try await site.run(line, inCopy: line.begins(with: inACopy))
            var faults = faults(of: run, line)
            if let screen, ![screen, run.all].contains(where: ShownOutput(line.output).matches) {
                faults.append("prints something else on a terminal:\n\(screen)")
            }
            guard !faults.isEmpty else { continue }
            problems.append("\(line.place): \(line.text)\n\(faults.joined(separator: "\n"))\n\(run.all)")
        }
        return problems
    }

    private static func faults(of run: DocumentedSite.Run, _ line: DocumentedLine) -> [String] {
        var faults: [String] = []
        let code: Int32 = line.begins(with: partial) ? 5 : 0
        // 141: the program after it read only the beginning.
        if run.code != code, run.code != 141 { faults.append("exits with \(run.code)") }
        // The mock server lacks the picture of an author.
        if code == 0,
            run.errors.contains(#/could not (?!load)|couldn't|can't|invalid|unknown|No matching/#.ignoresCase())
        {
            faults.append("has an error on stderr")
        }
        for (name, text) in run.files where text.isEmpty { faults.append("leaves \(name) empty") }
        let expected = results.filter { line.text.hasPrefix($0.line) }
        for result in expected.map(\.result) where result.map({ !run.all.contains($0) }) ?? !run.output.isEmpty {
            faults.append("doesn't print \(result ?? "nothing")")
        }
        if expected.isEmpty, !line.isQuiet, (run.output + run.files.values.joined()).allSatisfy(\.isWhitespace) {
            faults.append("prints nothing")
        }
        return faults
    }
}

extension DocumentedLine {
    fileprivate func begins(with texts: [String]) -> Bool { texts.contains { text.hasPrefix($0) } }

    /// Whether it prints nothing on stdout.
    fileprivate var isQuiet: Bool {
        text.contains(
            #/blog (follow|unfollow|mark|label|rule|sync|undo|open|store (check|vacuum|import|prune|clear-pictures))\b| --as |> *\/dev\/null/#
        )
    }
}

import BlogMockServer
import BlogTestSupport
import Foundation

/// A home folder and servers with everything that the lines of a document name.
final class DocumentedSite {
    private let site: TestSite
    private let service: MockServer
    /// The names of the sources that have been followed.
    private var followed: Set<String> = []

    /// - Parameter file: the document.
    init(for file: String) async throws {
        let data = Repository.mockBlog.deletingLastPathComponent()
        site = try TestSite(sites: [
            BlogSite(folder: Repository.mockBlog, isTimed: false),
            HackerNewsSite(folder: data.appending(path: "hackernews")), FeedSite(folder: Repository.mockFeeds),
            ArchiveSite(posts: 20), PhotoSite(folder: data.appending(path: "photos")), SwiftFeedSite(),
        ])
        service = try MockServer(sites: [ServiceSite(.freshRSS, feeds: 2, items: 12)])
        for (name, text) in Self.programs { _ = try site.script(text, named: ".programs/" + name) }
        for (name, text) in Self.files { try write(text, to: name) }
        try site.login("alice", password: "apipass1")
        let feed = address + "/feeds/feed.xml"
        try site.writeNewsboat(
            urls: feed, ["'urn:old', 'An old article', 'http://a.example/old', 0, 'f', 0"], of: feed)
        for name in ["talk-1", "talk-2"] { try write(Self.feedOfToday(name), to: "\(name).xml") }
        // The README begins with nothing; the other documents are for somebody who follows something.
        if file != "README.md" { for name in ["nerds", "swift"] { try await follow(name) } }
    }

    deinit { service.stop() }

    // MARK: What documents name

    /// Regular expressions for texts of the documents, and what stands for them.
    ///
    /// A name that a source would have by its host is given with `--as`.
    static let replacements = [
        (#"\./start-mocks\.sh && "#, ""), (#"\bswift run (-q )?"#, ""),
        (#"http://localhost:8106"#, "SITE"),
        (#"https://rss\.example\.net"#, "SERVICE"),
        (#"\bhome/lwn\b"#, "home/blog-1"),
        (#"(?<=blog follow )swift\.org"#, "SITE/swift.xml --as swift"),
        (#"(?<=blog follow )hn https://github\.com/OWNER/REPO"#, "SITE/v0 SITE/feeds/many/2"),
        (#"(?<=blog follow )hn\b"#, "SITE/v0 --as hn"),
        (#"(?<=blog follow )linked\b"#, "./talk-1.xml ./talk-2.xml linked"),
        // The page of another story isn't on the mock server.
        (#"hn:8863 --article"#, "hn:1001 --article"),
        (#"https://blog\.example\.org"#, "SITE"),
        (#"http://nas\.local/feed"#, "SITE/feeds/garden/feed.xml"),
        (#"https://a\.example/feed"#, "SITE/moved/swift.xml"),
        (#"https://example\.org/(a|page)\b"#, "SITE/page.html"),
        (#"eval "\$\(blog completions bash\)""#, #"$0; complete -p blog"#),
        (
            #"eval "\$\(blog completions zsh\)""#,
            #"zsh -c 'autoload -U compinit; compinit; $0; whence -w _blog'"#
        ),
    ]

    /// How the sources of the documents are followed.
    private static let sources = [
        "nerds": "SITE", "hn": "SITE/v0", "swift": "SITE/swift.xml --folder tech", "500px": "SITE/v1 --kind 500px",
        "home": "SERVICE", "daring fireball": "SITE/feeds/many/4 --title 'Daring Fireball'",
    ]

    /// Programs that wait for a user, or that would reach beyond this machine, and what is run instead.
    private static let programs = [
        "fzf": """
        IFS= read -r line; cat > /dev/null
        [ "$1" = --preview ] || exec printf '%s\\n' "$line"
        id=$(printf %s "$line" | cut -f 1)
        FZF_PREVIEW_COLUMNS=80 exec sh -c "$(printf %s "$2" | sed "s/{1}/$id/")"
        """,
        "mail": "cat", "browser": "printf '%s\\n' \"$1\"", "ssh": "shift; HOME=$HOME/elsewhere exec \"$@\"",
        "notify-send": "printf '%s\\n' \"$3\"", "curl": "printf '%s\\n' \"$*\"",
        "systemctl": "cat \"$HOME/units/$4\"",
    ]

    /// Files in the home folder, which is the current folder, too.
    private static let files = [
        "feeds.opml":
            "<opml version='2.0'><body><outline text='Garden' xmlUrl='SITE/feeds/garden/feed.xml'/></body></opml>",
        "urls.txt": "SITE/feeds/many/5 news\n",
        "units/blog-sync.timer": "OnCalendar=hourly", ".config/fish/completions/README": "", "elsewhere/README": "",
        // For `blog browse`, which has no terminal here.
        ".config/blog/settings": "plain\nexec.pier = cat feed.xml\n",
        "feed.xml":
            "<rss version='2.0'><channel><title>Pier</title><item><title>Fog</title><pubDate>1 Jan 2001</pubDate></item></channel></rss>",
    ]

    /// A feed with a post of today that links to a page.
    private static func feedOfToday(_ name: String) -> String {
        let date = Date().formatted(.iso8601)
        return """
            <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>\(name)</title>
            <item><title>A page</title><link>https://\(name).example/1</link><dc:date>\(date)</dc:date>
            <description>&lt;a href="https://page.example/much/linked">A page&lt;/a></description></item></channel></rss>
            """
    }

    private func write(_ text: String, to name: String) throws {
        let file = site.home.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(addressed(text).utf8).write(to: file)
    }

    /// A text with the addresses of the servers.
    private func addressed(_ text: String) -> String {
        text.replacing("SITE", with: address).replacing("SERVICE", with: service.address)
    }

    /// A line as it is run here, without the addresses of the servers.
    private static func replaced(_ line: String) -> String {
        replacements.reduce(line) { line, replacement in
            line.replacingOccurrences(of: replacement.0, with: replacement.1, options: .regularExpression)
        }
    }

    /// The main server by the name that documents use.
    private var address: String { "http://localhost:\(site.server.port)" }

    /// An output as a reader would see it.
    private func shown(_ output: String, in home: URL) -> String {
        output.replacing("localhost:\(site.server.port)", with: "localhost:8106")
            .replacing(service.address, with: "https://rss.example.net").replacing(home.path, with: "~")
    }

    /// Other programs that lines may run; nothing else is, because it could do anything to this machine.
    private static let tools = [
        "awk", "cat", "echo", "grep", "head", "jq", "less", "mkdir", "pandoc", "printf", "sort", "uniq", "wc", "xargs",
        "zsh",
    ]

    private static let ours = ["blog", "BlogExample", "mock-server", "complete", "eval"]

    /// The programs that a line may not run, and those that this machine doesn't have.
    static func programs(of line: DocumentedLine) -> (unknown: [String], missing: [String]) {
        let names = ShellLine(replaced(line.text)).commands.compactMap { $0.first { !$0.contains("=") } }
        let others = names.filter { !ours.contains($0) && programs[$0] == nil }
        let missing = others.filter { name in
            tools.contains(name)
                && !["/usr/bin/", "/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + name) }
        }
        return (others.filter { !tools.contains($0) }, missing)
    }

    // MARK: Running

    /// The result of a line.
    struct Run {
        let output: String
        let errors: String
        let code: Int32
        /// The texts of the files that it wrote.
        let files: [String: String]

        /// All that it printed and wrote.
        var all: String { ([output, errors] + files.values).joined() }
    }

    /// Runs a line in the home folder as the lines before have left it, or in a copy of it.
    func run(_ line: DocumentedLine, inCopy isInCopy: Bool) async throws -> Run {
        let command = try await prepare(line)
        let copy = isInCopy ? try copyOfHome() : nil
        let home = copy?.url ?? site.home
        let before = Set(try files(in: home))
        let outcome = try await bash(command, in: home).run(input: "")
        let written = try files(in: home).filter { !before.contains($0) }
        let texts = written.map {
            ($0.name, (try? Data(contentsOf: $0.url)).map { String(decoding: $0, as: UTF8.self) } ?? "")
        }
        return Run(
            output: shown(outcome.output, in: home), errors: shown(outcome.errors, in: home), code: outcome.code,
            files: Dictionary(texts) { $1 })
    }

    /// What a line would print on a terminal.
    func screen(_ line: DocumentedLine) async throws -> String {
        let command = try await prepare(line)
        let copy = try copyOfHome()
        let terminal = try Terminal(columns: 80, rows: 200)
        _ = try await terminal.run(bash(command, in: copy.url))
        let controls = #/\r\e\[K[⠀-⣿][^\r]*|\r|\e\[[0-9;?]*[A-Za-z]|\e\][^\a\e]*(\a|\e\\)/#
        return shown(terminal.output.replacing(controls, with: ""), in: copy.url)
    }

    /// Follows the sources that a line names, and returns the line as it is run here.
    private func prepare(_ line: DocumentedLine) async throws -> String {
        // Without `swift run`, which names no source.
        let text = Self.replaced(line.text)
        let command = addressed(text)
        for name in Self.sources.keys.sorted() {
            guard text.contains(try Regex("\\b\(name)\\b").wordBoundaryKind(.simple)) else { continue }
            if command.contains("--as \(name)") { followed.insert(name) } else { try await follow(name) }
        }
        return command
    }

    private func copyOfHome() throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        try FileManager.default.removeItem(at: copy.url)
        try FileManager.default.copyItem(at: site.home, to: copy.url)
        return copy
    }

    private func follow(_ name: String) async throws {
        guard let address = Self.sources[name], followed.insert(name).inserted else { return }
        let short = name.split(separator: " ")[0]
        let run = try await bash(addressed("blog follow \(address) --as \(short)"), in: site.home).run(input: "")
        guard run.code == 0 else { throw NotFollowed(errors: run.errors) }
    }

    private struct NotFollowed: Error {
        let errors: String
    }

    /// A shell that runs a line with the built programs; a failure of any of its commands is the line's.
    private func bash(_ line: String, in home: URL) -> BlogProcess {
        let folders = [home.appending(path: ".programs"), BlogProcess.binary.deletingLastPathComponent()]
        let environment = site.environment.merging(
            [
                "HOME": home.path, "PATH": folders.map(\.path).joined(separator: ":") + ":/usr/bin:/bin",
                "BROWSER": "browser", "PAGER": "cat", "BLOG_URL": address,
                // Nothing beyond this machine can be reached.
                "http_proxy": "http://127.0.0.1:1", "https_proxy": "http://127.0.0.1:1",
                "no_proxy": "localhost,127.0.0.1",
            ]
        ) { $1 }
        return BlogProcess(
            ["-o", "pipefail", "-c", line], of: URL(filePath: "/bin/bash"), environment: environment, folder: home)
    }

    /// A file at a time.
    private struct File: Hashable {
        let name: String
        let url: URL
        let date: Date
    }

    /// The files of the user, without the store and the settings.
    private func files(in home: URL) throws -> [File] {
        let names = FileManager.default.enumerator(atPath: home.path)?.allObjects as? [String] ?? []
        return try names.filter { !$0.hasPrefix(".local/") && !$0.contains(".sqlite3") }.compactMap { name in
            let url = home.appending(path: name)
            let values = try url.resourceValues(forKeys: [.isRegularFileKey, .contentModificationDateKey])
            guard values.isRegularFile == true else { return nil }
            return File(name: name, url: url, date: values.contentModificationDate ?? .distantPast)
        }
    }
}

/// A feed of news about Swift from the last days, at `/swift.xml` and `/moved/swift.xml`, and the pages that it links to.
private struct SwiftFeedSite: MockSite {
    private static let page = MockResponse(
        headers: ["Content-Type": "text/html"],
        body: .bytes(
            Data(
                """
                <title>A page</title><h1>A page</h1><div class="post">
                \(String(repeating: "<p>About rsync, cookies and static linking, at some length.</p>", count: 20))
                </div><div class="share">Share this</div>
                """.utf8)))

    private let now = Date()

    private static let titles = [
        "Swift on a train", "Tracing an embedded program", "Concurrency in practice", "Sponsored: a faster laptop",
        "Cookies for servers", "Structured concurrency, part 2", "Static linking", "Tests that read well",
        "A night with the debugger", "Swift server news", "Crypto without tears", "Rsync and friends",
        "Strings are hard", "The first post",
    ]

    func response(to request: MockRequest) -> MockResponse? {
        if request.path.hasPrefix("/swift/") || request.path == "/page.html" { return Self.page }
        guard request.path.hasSuffix("/swift.xml") else { return nil }
        let items = Self.titles.enumerated().map { index, title in
            let date = now.addingTimeInterval(-43_200 * Double(index)).formatted(.iso8601)
            // Pages of one host are fetched a second apart.
            let link = [0, 2, 4].contains(index) ? "<link href='/swift/\(index).html'/>" : ""
            return """
                <entry><id>urn:swift:\(index)</id><title>\(title)</title><updated>\(date)</updated>
                \(link)<author><name>\(index % 2 == 0 ? "Kim" : "Kerri")</name></author>
                <category term="\(index % 3 == 1 ? "embedded" : "swift")"/>
                <content type="html">&lt;p&gt;\(title), with &lt;a href="more.html"&gt;more&lt;/a&gt;, in full.</content></entry>
                """
        }
        let text = """
            <feed xmlns="http://www.w3.org/2005/Atom"><id>urn:swift</id><title>Swift.org</title>
            <link href="/swift/"/>\(items.joined())</feed>
            """
        return MockResponse(headers: ["Content-Type": "application/atom+xml"], body: .bytes(Data(text.utf8)))
    }
}

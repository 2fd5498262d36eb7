import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

/// A feed with one post, and everything that could lure requests elsewhere; every response sets a cookie.
private struct BaitSite: MockSite {
    /// The picture in the post, and the feed to which the page links.
    let named: String
    /// Where `/to` redirects, and `/moved` permanently.
    let target: String

    func response(to request: MockRequest) -> MockResponse? {
        var headers = ["Set-Cookie": "id=1; Path=/"]
        switch request.path {
        case "/feed.xml":
            let text = "&lt;p>&lt;img src='\(named)'>&lt;/p>"
            let item = "<item><title>t</title><guid>1</guid><description>\(text)</description></item>"
            let feed = "<rss version='2.0'><channel><title>T</title>\(item)</channel></rss>"
            return MockResponse(headers: headers, body: .bytes(Data(feed.utf8)))
        case "/page":
            let page = "<html><link rel='alternate' type='application/rss+xml' href='\(named)'>"
            headers["Content-Type"] = "text/html"
            return MockResponse(headers: headers, body: .bytes(Data(page.utf8)))
        case "/p.png":
            headers["Content-Type"] = "image/png"
            return MockResponse(headers: headers, body: .bytes(PictureSite.png))
        case "/to", "/moved":
            headers["Location"] = target
            return MockResponse(status: request.path == "/to" ? 302 : 301, headers: headers)
        default: return nil
        }
    }
}

/// What is sent to which server: the tables list what was really received.
@Suite("Logins, keys and cookies", .serialized) struct SentTests {
    /// The source's server, another port of its host, another host, and a proxy that serves the same.
    private struct Servers {
        let own, port, other, proxy: MockServer
        let site: TestSite

        init(named: String, target: String = "") throws {
            port = try MockServer(sites: [BaitSite(named: named, target: target)])
            other = try MockServer(sites: [BaitSite(named: named, target: target)], host: 2)
            // The port of the source's server is known only once it runs.
            let free = try MockServer(sites: [])
            let (ownPort, others) = (free.port, [port, other])
            free.stop()
            func resolved(_ text: String) -> String {
                text.replacing("OWN", with: "127.0.0.1:\(ownPort)").replacing(
                    "PORT", with: "127.0.0.1:\(others[0].port)"
                )
                .replacing("OTHER", with: "127.0.0.2:\(others[1].port)").replacing("NUMBER", with: "\(ownPort)")
            }
            let site = BaitSite(named: resolved(named), target: resolved(target))
            own = try MockServer(sites: [site], port: ownPort)
            proxy = try MockServer(sites: [site])
            self.site = try TestSite(site)
            let netrc = """
                machine 127.0.0.1 login me password pw
                machine 127.0.0.2 login you password pw
                default login anybody password pw
                """
            let file = self.site.home.appending(path: ".netrc")
            try Data(netrc.utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        }

        func stop() { for server in [own, port, other, proxy] { server.stop() } }

        /// The requests to each server since the last call: "own /feed.xml login".
        func takeRequests() -> Set<String> {
            var lines: Set<String> = []
            for (name, server) in [("own", own), ("port", port), ("other", other), ("proxy", proxy)] {
                // Whether it is a sync server is asked without a login.
                for request in server.requests where !request.path.hasSuffix("/reader/api/0/token") {
                    let login = request.headers["authorization"] == nil ? "" : " login"
                    let cookie = request.headers["cookie"] == nil ? "" : " cookie"
                    let key = request.query["consumer_key"] == nil ? "" : " key"
                    lines.insert("\(name) \(request.path)\(login)\(cookie)\(key)")
                }
                server.clearRequests()
            }
            return lines
        }

        /// Runs blog with a key in the environment.
        func blog(_ words: String..., variables: [String: String] = [:]) async throws -> Outcome {
            let key = ["FIVEHUNDREDPX_CONSUMER_KEY": "secret", "BLOG_URL": ""]
            let environment = site.environment.merging(key) { $1 }.merging(variables) { $1 }
                .filter { !$0.value.isEmpty }
            return try await BlogProcess(words, environment: environment, folder: site.home).run(input: "")
        }
    }

    /// The picture in a post, where `/to` redirects, and what is requested for it besides the feed.
    ///
    /// Only a request that follows a redirect of the same server has the cookie that came with it.
    private static let pictures: [(named: String, target: String, sent: [String])] = [
        ("http://OWN/p.png", "", ["own /p.png"]), ("/p.png", "", ["own /p.png"]),
        ("http://me:pw@OWN/p.png", "", ["own /p.png"]), ("http://2130706433:NUMBER/p.png", "", []),
        ("http://PORT/p.png", "", []), ("http://OTHER/p.png", "", []),
        ("http://localhost:NUMBER/p.png", "", []), ("http://10.0.0.1/p.png", "", []),
        ("http://[::1]:NUMBER/p.png", "", []), ("file:///etc/passwd", "", []),
        ("http://OWN/to", "http://OWN/p.png", ["own /to", "own /p.png cookie"]),
        ("http://OWN/to", "http://PORT/p.png", ["own /to"]),
        ("http://OWN/to", "http://OTHER/p.png", ["own /to"]),
        ("http://OWN/to", "http://169.254.169.254/", ["own /to"]),
    ]

    private static let proxies = ["none", "all", "not 127.0.0.1"]

    @Test(
        "aren't sent for a post's pictures, and other private networks get no requests",
        arguments: pictures, proxies)
    func shown(picture: (named: String, target: String, sent: [String]), proxy: String) async throws {
        let servers = try Servers(named: picture.named, target: picture.target)
        defer { servers.stop() }
        var variables: [String: String] = [:]
        if proxy != "none" { variables["http_proxy"] = "http://127.0.0.1:\(servers.proxy.port)" }
        if proxy == "not 127.0.0.1" { variables["no_proxy"] = "127.0.0.1" }
        let own = ["own /feed.xml login"] + picture.sent
        let expected = proxy == "all" ? own.map { "proxy " + $0.drop { $0 != "/" } } : own
        let address = servers.own.address + "/feed.xml"
        #expect(try await servers.blog("follow", address, "--kind", "feed", variables: variables).code == 0)
        _ = servers.takeRequests()
        _ = try await servers.blog("sync", "--images", variables: variables)
        #expect(servers.takeRequests() == Set(expected))
        try? FileManager.default.removeItem(atPath: servers.site.storePath + "-pictures")
        _ = try await servers.blog("read", "latest", "--format", "html", "--embed", variables: variables)
        #expect(servers.takeRequests() == Set(expected))
    }

    /// The path that is followed, the feed in the page, where redirects lead, the first requests, and those of a list.
    private static let followed: [(path: String, named: String, target: String, first: [String], later: [String])] = [
        // A login is offered only to a server that wants one, until it is known that it isn't a sync server's.
        ("/feed.xml", "", "", ["own /feed.xml"], ["own /feed.xml login"]),
        ("/page", "/feed.xml", "", ["own /page", "own /feed.xml"], ["own /feed.xml login"]),
        ("/page", "http://PORT/feed.xml", "", ["own /page"], []),
        ("/page", "http://OTHER/feed.xml", "", ["own /page"], []),
        (
            "/moved", "", "http://OWN/feed.xml", ["own /moved", "own /feed.xml cookie", "own /feed.xml login"],
            ["own /feed.xml login"]
        ),
        ("/moved", "", "http://PORT/feed.xml", ["own /moved"], []),
        ("/moved", "", "http://OTHER/feed.xml", ["own /moved"], []),
        ("/to", "", "http://OTHER/feed.xml", ["own /to"], []),
    ]

    @Test("are sent only to the server of the typed address", arguments: followed)
    func following(
        case row: (path: String, named: String, target: String, first: [String], later: [String])
    ) async throws {
        let servers = try Servers(named: row.named, target: row.target)
        defer { servers.stop() }
        let run = try await servers.blog("follow", servers.own.address + row.path)
        #expect(servers.takeRequests() == Set(row.first))
        guard !row.later.isEmpty else {
            #expect(run.code == 1)
            let reason = row.target.isEmpty ? "whose feed needs a login from ~/.netrc" : "To allow it: blog follow http"
            #expect(run.errors.contains(reason), "\(run.errors)")
            return
        }
        #expect(run.code == 0)
        // A permanent redirect is adopted after at least a week of refreshes, and never if that would choose a login.
        for command in ["list", "sync"] {
            _ = try await servers.blog(command, "--refresh")
            #expect(servers.takeRequests() == Set(row.later))
        }
    }

    private static let secret = "http://me:hunter2@127.0.0.1:1/x"

    /// Commands with an address that has a password in it, the environment, and a part of the error; nil for success.
    private static let commands: [(words: [String], variables: [String: String], input: String, error: String?)] = [
        (["follow", secret], [:], "", "~/.netrc"), (["follow", secret, "--dry-run"], [:], "", "~/.netrc"),
        (["follow", "me:hunter2@127.0.0.1:1/x"], [:], "", "~/.netrc"),
        (["follow", secret, "--kind", "feed"], [:], "", "~/.netrc"),
        (["follow", "http://127.0.0.1:1/x", "--site", secret], [:], "", "~/.netrc"),
        (["list", "--url", secret], [:], "", "~/.netrc"), (["list"], ["BLOG_URL": secret], "", "~/.netrc"),
        (["config"], ["BLOG_URL": secret], "", nil), (["config", "--json"], ["BLOG_URL": secret], "", nil),
        (["follow", "--url", secret, "x.example"], [:], "", "can't be used with blog follow"),
        (["list", "-s", secret], [:], "", "Unknown source"), (["read", secret], [:], "", "~/.netrc"),
        (["open", secret], [:], "", "No post"), (["unfollow", secret], [:], "", "You don't follow"),
        (["mark", "read", secret], [:], "", "no such stored post"),
        (["list", secret], [:], "", "Unexpected argument"),
        (["follow", "http://me:hun/hunter2@127.0.0.1/x"], [:], "", "Invalid address"),
        (["follow", "-"], [:], "\(secret)\n", "~/.netrc"),
        (["follow", "-"], [:], "\(secret) tech ~Mine\n", "~/.netrc"),
        (["follow", "-"], [:], "http://me:hun/hunter2@127.0.0.1/x\nswift\n", "neither OPML nor a list of addresses"),
        (["follow", "-"], [:], "<opml><body><outline xmlUrl='\(secret)'/></body></opml>", "~/.netrc"),
        (["store", "import", "-"], [:], exported(site: secret), "Skipped line 1"),
        // Only the password is wrong.
        (["store", "import", "-"], [:], exported(site: "http://127.0.0.1:1/x"), nil),
    ]

    /// A line of an export: a source with the address of its site.
    private static func exported(site: String) -> String {
        #"{"source":"feed","address":"http://127.0.0.1:1/","name":"a","folder":"","site":"\#(site)"}"#
    }

    @Test("are rejected as part of an address, and never printed", arguments: commands)
    func printed(
        case row: (words: [String], variables: [String: String], input: String, error: String?)
    ) async throws {
        let site = try TestSite()
        let run = try await site.blog(row.words, input: row.input, environment: row.variables)
        for output in [run.output, run.errors, try await site.blog("sources", "--json").output] {
            #expect(!output.contains("hunter2"))
        }
        #expect((run.code == 0) == (row.error == nil))
        if let error = row.error { #expect(run.errors.contains(error), "\(run.errors)") }
        if row.error == "~/.netrc" { #expect(run.code == 2) }
    }
}

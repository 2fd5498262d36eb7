import BlogTestSupport
import Foundation
import Synchronization
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering

/// A transport that redirects by address, sends an empty response otherwise, and records which requests have a login.
private final class LoginRecorder: Transport {
    private let redirects: [String: String]
    private let sent = Mutex<[String]>([])

    private let status: Int

    init(_ redirects: [String: String] = [:], status: Int = 200) { (self.redirects, self.status) = (redirects, status) }

    /// The requested addresses in order, those with a login marked as such.
    var requests: [String] { sent.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let address = request.url.absoluteString
        sent.withLock { $0.append((request.headers["Authorization"] == nil ? "" : "login ") + address) }
        let target = redirects[address].map { ["Location": $0] }
        return HTTPResponse(
            url: request.url, head: HTTPHead(status: target == nil ? status : 301, headers: target ?? [:]),
            body: ResponseBody(Data()))
    }
}

/// A record of what the user has typed, and of a host with a sync server.
private struct StubOrigins: OriginRecord {
    let typed: [String: OriginUse]
    let service: String?

    func use(of origins: [String]) async -> OriginUse? {
        origins.compactMap { typed[$0] }.reduce(nil) { $0?.merged(with: $1) ?? $1 }
    }

    func hasService(atHost host: String) async -> Bool { host == service }
    func isBound(login name: String, to origins: [String]) async -> Bool { false }
}

/// A transport that redirects by address, and records which requests have a header of the user's.
private final class HeaderRecorder: Transport {
    private let redirects: [String: String]
    private let sent = Mutex<[String]>([])

    init(_ redirects: [String: String] = [:]) { self.redirects = redirects }

    /// The requested addresses in order, after the header.
    var requests: [String] { sent.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let address = request.url.absoluteString
        sent.withLock { $0.append((request.headers["X-Pass"].map { $0 + " " } ?? "") + address) }
        let target = redirects[address].map { ["Location": $0] }
        return HTTPResponse(
            url: request.url, head: HTTPHead(status: target == nil ? 200 : 302, headers: target ?? [:]),
            body: ResponseBody(Data()))
    }
}

@Suite("A header of the user's") struct OwnHeaderTests {
    private static func headers(_ origin: String = "https://a.example") -> OwnHeaders {
        var headers = OwnHeaders()
        _ = headers.add("X-Pass: one", for: origin)
        return headers
    }

    private static let requests = [
        ("https://a.example/feed", "https://a.example/feed", true),
        ("https://A.example:443/feed", "https://a.EXAMPLE/x", true),
        ("https://a.example/feed", "http://a.example/x", false),
        ("https://a.example/feed", "https://a.example:8443/", false),
        ("https://b.example/feed", "https://a.example/", false),
        ("https://b.a.example/", "https://b.a.example/", false),
        ("http://a.example/feed", "http://a.example/feed", false),
        ("http://a.example/feed", "https://a.example/", false),
    ]

    @Test("is sent for a source at exactly its origin, and for nothing without a source", arguments: requests)
    func origin(source: String, address: String, isSent: Bool) async throws {
        let (source, url) = (try #require(URL(string: source)), try #require(URL(string: address)))
        let recorder = HeaderRecorder()
        let client = HTTPClient(transport: recorder).sending(Self.headers())
        _ = try await client.forSource(at: source).get(url, limit: 1)
        _ = try await client.get(url, limit: 1)
        #expect(recorder.requests == [(isSent ? "one " : "") + address, address])
    }

    @Test(
        "isn't sent after a redirect to another origin",
        arguments: [
            ("https://a.example/2", "one https://a.example/2"), ("https://b.example/", "https://b.example/"),
            ("https://a.example:8443/", "https://a.example:8443/"), ("//a.example/x", "one https://a.example/x"),
        ])
    func redirects(target: String, requested: String) async throws {
        let recorder = HeaderRecorder(["https://a.example/1": target])
        let url = try #require(URL(string: "https://a.example/1"))
        let client = HTTPClient(transport: recorder).sending(Self.headers()).forSource(at: url)
        _ = try await client.get(url, limit: 1)
        #expect(recorder.requests == ["one https://a.example/1", requested])
    }

    @Test("is sent only where the user has typed an address", arguments: [true, false])
    func typed(isTyped: Bool) async throws {
        let recorder = HeaderRecorder()
        let origins = StubOrigins(typed: isTyped ? ["https://a.example": OriginUse()] : [:], service: nil)
        let url = try #require(URL(string: "https://a.example/1"))
        let client = HTTPClient(transport: recorder, origins: origins).sending(Self.headers()).forSource(at: url)
        _ = try await client.get(url, limit: 1)
        #expect(recorder.requests == [(isTyped ? "one " : "") + "https://a.example/1"])
    }

    @Test(
        "is refused for what isn't an origin, and if it isn't one field, or one of the connection",
        arguments: [
            ("https://a.example/path", "X: y"), ("https://a.example?x", "X: y"), ("ftp://a.example", "X: y"),
            ("a.example", "X: y"), ("https://me@a.example", "X: y"), ("https://a.example", "X"),
            ("https://a.example", ": y"),
            ("https://a.example", "X: y\r\nZ: z"), ("https://a.example", "X:"), ("https://a.example", "X y: z"),
            ("https://a.example", "Host: b.example"), ("https://a.example", "content-length: 3"),
        ])
    func invalid(origin: String, field: String) {
        var headers = OwnHeaders()
        let isAdded = headers.add(field, for: origin)
        #expect(!isAdded)
    }

    @Test("isn't in a text about it") func hidden() {
        let headers = Self.headers()
        #expect(!"\(headers) \(String(reflecting: headers))".contains("one"))
        #expect(Array(Mirror(reflecting: headers).children).isEmpty)
    }
}

@Suite("A login") struct LoginTests {
    private static let netrc = Netrc(text: "machine a.example login me password pw\ndefault login you password no")

    /// A source's address, a request, and whether it gets the login of `a.example`.
    private static let requests = [
        ("https://a.example/feed", "https://a.example/feed", true),
        ("https://a.example/feed", "https://a.example/x", true),
        ("https://A.example:443/feed", "https://a.EXAMPLE/x", true),
        ("https://a.example/feed", "http://a.example/x", false),
        ("https://a.example/feed", "https://a.example:8443/", false),
        ("https://a.example/feed", "http://a.example:443/", false),
        // Without encryption, anybody on the way could read it.
        ("http://a.example/feed", "http://a.example/", false),
        ("http://a.example/feed", "https://a.example/", true),
        ("http://a.example/feed", "http://a.example:8080/", false),
        ("https://b.example/feed", "https://b.example/feed", false),
        ("https://b.example/feed", "https://a.example/", false),
        ("https://a.example/feed", "https://b.a.example/", false),
        ("https://x.a.example/", "https://x.a.example/", false),
    ]

    @Test("is sent only to the source's host and port, encrypted, and to none without a source", arguments: requests)
    func origin(source: String, address: String, isSent: Bool) async throws {
        let (source, url) = (try #require(URL(string: source)), try #require(URL(string: address)))
        let recorder = LoginRecorder()
        let client = HTTPClient(transport: recorder, netrc: Self.netrc)
        _ = try await client.forSource(at: source).get(url, limit: 1)
        // A request without a source never gets a login.
        _ = try await client.get(url, limit: 1)
        #expect(recorder.requests == [(isSent ? "login " : "") + address, address])
    }

    @Test(
        "is dropped by a redirect to another origin, and kept by one within the origin",
        arguments: [
            ("https://a.example/2", "login https://a.example/2"), ("https://b.example/", "https://b.example/"),
            ("https://a.example:8443/", "https://a.example:8443/"), ("//a.example/x", "login https://a.example/x"),
            ("https://you:secret@a.example/2", "login https://a.example/2"),
        ])
    func redirects(target: String, requested: String) async throws {
        let recorder = LoginRecorder(["https://a.example/1": target])
        let url = try #require(URL(string: "https://a.example/1"))
        let client = HTTPClient(transport: recorder, netrc: Self.netrc).forSource(at: url)
        _ = try await client.get(url, limit: 1)
        #expect(recorder.requests == ["login https://a.example/1", requested])
    }

    /// The contents of `.netrc`, its mode, what is requested, whether for a source, and the expected reason.
    private static let refusals: [(netrc: String, mode: Int, path: String, isSource: Bool, HTTPError.Unauthorized)] = [
        ("", 0o600, "/x", true, .missing), ("machine b.example login me password pw", 0o600, "/x", true, .missing),
        ("machine a.example login me password pw", 0o644, "/x", true, .unsafeFile),
        ("machine a.example login me password pw", 0o600, "/x", true, .refused),
        ("machine a.example login me password pw", 0o600, "/to", true, .redirected(to: "c.example")),
        ("machine b.example login me password pw", 0o600, "/to", true, .missing),
        ("machine a.example login me password pw", 0o600, "/same", true, .refused),
        ("machine a.example login me password pw", 0o600, "/x", false, .withheld),
    ]

    @Test("is reported as missing, in an unsafe file, rejected, dropped or withheld", arguments: refusals)
    func refused(
        row: (netrc: String, mode: Int, path: String, isSource: Bool, reason: HTTPError.Unauthorized)
    ) async throws {
        let folder = try TemporaryFolder()
        try Data(row.netrc.utf8).write(to: folder.url.appending(path: "netrc"))
        try FileManager.default.setAttributes([.posixPermissions: row.mode], ofItemAtPath: folder.path("netrc"))
        let recorder = LoginRecorder(
            ["https://a.example/to": "https://c.example/", "https://a.example/same": "/x"], status: 401)
        let url = try #require(URL(string: "https://a.example" + row.path))
        let client = HTTPClient(transport: recorder, netrc: Netrc(path: folder.path("netrc")))
        await #expect(throws: HTTPError.unauthorized(url, row.reason)) {
            _ = try await (row.isSource ? client.forSource(at: url) : client).get(url, limit: 1)
        }
    }

    /// What the user has typed, the services that are known, the address of a source, and why it gets no login.
    private static let origins: [(typed: [String: OriginUse], service: String?, String, HTTPError.Unauthorized?)] = [
        ([:], nil, "https://a.example/feed", .unconfirmed),
        (["https://a.example": OriginUse()], nil, "https://a.example/feed", nil),
        (["http://a.example": OriginUse()], nil, "https://a.example/feed", nil),
        (["https://a.example": OriginUse()], nil, "http://a.example/feed", .unconfirmed),
        (["http://a.example": OriginUse()], nil, "http://a.example/feed", .unencrypted),
        (["http://a.example": OriginUse(allowsHTTP: true)], nil, "http://a.example/feed", nil),
        (["https://a.example:8443": OriginUse()], nil, "https://a.example/feed", .unconfirmed),
        (["https://b.example": OriginUse()], nil, "https://a.example/feed", .unconfirmed),
        (["https://a.example": OriginUse()], "a.example", "https://a.example/feed", .forService),
        (["https://a.example": OriginUse()], "b.example", "https://a.example/feed", nil),
    ]

    @Test("is sent only to an origin that the user has typed, and not where a sync server is", arguments: origins)
    func typed(
        row: (typed: [String: OriginUse], service: String?, address: String, reason: HTTPError.Unauthorized?)
    ) async throws {
        let url = try #require(URL(string: row.address))
        let recorder = LoginRecorder(status: 401)
        let client = HTTPClient(
            transport: recorder, netrc: Self.netrc, origins: StubOrigins(typed: row.typed, service: row.service))
        await #expect(throws: HTTPError.unauthorized(url, row.reason ?? .refused)) {
            try await client.forSource(at: url).get(url, limit: 1)
        }
        #expect(recorder.requests == [(row.reason == nil ? "login " : "") + row.address])
        // It may also be typed now.
        _ = try? await client.typing(url, for: OriginUse(allowsHTTP: true)).forSource(at: url).get(url, limit: 1)
        #expect(recorder.requests.last == (row.service == "a.example" ? "" : "login ") + row.address)
    }

    @Test(
        "is confidential on this machine only if no proxy elsewhere reads it",
        arguments: [
            ("http://localhost/", [:], true), ("http://[::1]:81/", [:], true),
            ("http://127.0.0.1:81/", ["http_proxy": "http://localhost:3128"], true),
            ("http://localhost/", ["http_proxy": "http://proxy.example:3128"], false),
            ("http://localhost/", ["all_proxy": "http://10.0.0.1:3128"], false),
            ("http://localhost/", ["http_proxy": "http://proxy.example:3128", "no_proxy": "localhost"], true),
            ("https://a.example/", ["https_proxy": "http://proxy.example:3128"], true),
            ("http://a.example/", [:], false),
        ] as [(String, [String: String], Bool)])
    func confidential(address: String, environment: [String: String], isConfidential: Bool) throws {
        let origin = Origin(try #require(URL(string: address)))
        #expect(origin.isConfidential(through: ProxyRules(environment)) == isConfidential)
    }

    @Test("waits until it is wanted by a server that may be a sync server", arguments: [200, 401, 403, 404, 500])
    func offered(status: Int) async throws {
        let recorder = LoginRecorder(status: status)
        let url = try #require(URL(string: "https://a.example/feed"))
        let client = HTTPClient(
            transport: recorder, retryPolicy: RetryPolicy(maxAttempts: 1, base: 0), netrc: Self.netrc)
        _ = try? await client.offeringLogin.forSource(at: url).get(url, limit: 1)
        let isWanted = [401, 403, 404].contains(status)
        #expect(recorder.requests == ["https://a.example/feed"] + (isWanted ? ["login https://a.example/feed"] : []))
    }

    @Test("in an address is neither sent nor logged")
    func userInfo() async throws {
        let logged = Mutex<[String]>([])
        let recorder = LoginRecorder()
        let client = HTTPClient(transport: recorder) { activity in logged.withLock { $0.append("\(activity)") } }
        let url = try #require(URL(string: "http://me:hunter2@a.example/x"))
        let response = try await client.get(url, limit: 1)
        #expect(recorder.requests == ["http://a.example/x"])
        #expect(response.url.absoluteString == "http://a.example/x")
        #expect(!logged.withLock { $0.joined() }.contains("hunter2"))
    }

    /// A source's address, one that its server or a page suggests, and whether it may move there automatically.
    private static let moves = [
        ("https://b.example/feed", "https://a.example/feed", false), ("https://b.example/", "http://a.example/", false),
        ("https://b.example/feed", "https://c.example/feed", true), ("https://a.example/", "https://a.example/2", true),
        ("http://a.example/feed", "https://a.example/feed", true),
        ("http://a.example:8080/", "https://a.example/", false),
        ("https://a.example/feed", "http://a.example/feed", false),
        ("https://a.example/", "https://a.example:1/", false),
        ("https://a.example/feed", "https://b.example/feed", true),
    ]

    @Test("is never exposed by a server that moves a source to another origin", arguments: moves)
    func moving(from: String, to: String, isAllowed: Bool) throws {
        let client = HTTPClient(transport: LoginRecorder(), netrc: Self.netrc)
        #expect(client.mayMove(from: try #require(URL(string: from)), to: try #require(URL(string: to))) == isAllowed)
    }
}

import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogHTTP
@testable import BlogRendering

@Suite("A private network address") struct NetworkAddressTests {
    /// Spellings of addresses that lead to the machine or its network, by kind.
    private static let privateHosts = [
        (
            "names",
            [
                "localhost", "LOCALHOST.", "a.localhost", "printer.local", "db.internal", "nas.home.arpa", "nas",
                "router.lan", "a.corp", "",
            ]
        ),
        (
            "IPv4",
            ["127.0.0.1", "127.0.0.1.", "127.255.255.254", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1"]
        ),
        ("fewer parts", ["127.1", "127.0.1", "10.1", "192.168.257", "0", "1"]),
        ("decimal", ["2130706433", "3232235777", "167772161"]),
        ("octal", ["017700000001", "0177.0.0.1", "0177.1", "012.1.2.3", "00000177.0.0.1"]),
        ("hexadecimal", ["0x7f000001", "0x7f.1", "0x7f.0x0.0x0.0x1", "0xC0A80101", "0X7F000001", "0xa.1.2.3"]),
        ("mixed", ["0x7f.0.0.01", "0300.0xa8.1.1", "0x7f.65793"]),
        ("unspecified", ["0.0.0.0", "0.1.2.3", "::", "[::]", "0:0:0:0:0:0:0:0"]),
        ("shared, link-local, protocols, benchmarks", ["100.64.0.1", "169.254.169.254", "192.0.0.255", "198.18.0.1"]),
        ("the ends of networks", ["100.127.255.255", "198.19.255.255", "2001:1ff::1", "3fff:fff::1"]),
        ("documentation and old relays", ["192.0.2.1", "198.51.100.7", "203.0.113.9", "192.88.99.1"]),
        ("multicast, reserved, broadcast", ["224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255"]),
        ("IPv6 loopback", ["::1", "[::1]", "0:0:0:0:0:0:0:1", "0000:0000::0001", "[::1].", "::0.0.0.1"]),
        ("link-local and its zones", ["fe80::1", "[fe80::1%25eth0]", "fe80::1%1", "febf::1", "[fe80::1%eth0]"]),
        ("site-local", ["fec0::1", "[feff::1]"]), ("unique local", ["fc00::1", "fd12:3456::1"]),
        ("IPv6 multicast", ["ff02::1", "ff0e::1"]),
        (
            "IPv4-mapped",
            ["::ffff:127.0.0.1", "[::ffff:7f00:1]", "::ffff:10.0.0.1", "0:0:0:0:0:FFFF:192.168.1.1", "::ffff:0:0"]
        ),
        ("IPv4-compatible", ["::127.0.0.1", "::8.8.8.8"]), ("IPv4-translated", ["::ffff:0:127.0.0.1"]),
        ("NAT64", ["64:ff9b::10.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::8.8.8.8"]),
        ("6to4", ["2002:7f00:1::1", "2002:a00:1::", "2002:c0a8:101::1"]),
        ("Teredo", ["2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001::1"]),
        ("ORCHID, documentation", ["2001:10::1", "2001:db8::1", "3fff::1"]), ("discard-only", ["100::1"]),
        (
            "letters that become others",
            ["１２７.0.0.1", "①②⑦.0.0.1", "127。0。0。1", "ｌｏｃａｌｈｏｓｔ", "127%2E0.0.1", "localhos%74"]
        ),
    ]

    @Test("is recognized in every spelling", arguments: privateHosts)
    func isPrivate(kind: String, hosts: [String]) {
        for host in hosts { #expect(NetworkAddress.isPrivate(host: host), "\(host)") }
    }

    @Test(
        "doesn't include public addresses, or names",
        arguments: [
            "example.org", "localhost.example.org", "a.mylocal", "internal.example", "8.8.8.8", "8.8.8.8.", "134744072",
            "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.167.1.1", "198.20.0.1", "192.0.1.1", "198.17.255.255",
            "2001:200::1", "3fff:1000::1", "2606:4700::1111",
            "[2001:4860:4860::8888]", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1", "10.example",
        ])
    func isPublic(host: String) {
        #expect(!NetworkAddress.isPrivate(host: host))
    }

    @Test("is recognized after a name is resolved", arguments: ["localhost", "127.0.0.1"])
    func resolved(name: String) {
        let addresses = NetworkAddress.resolved(name)
        #expect(!addresses.isEmpty && addresses.allSatisfy(\.isPrivate))
        #expect(NetworkAddress.resolved("no such name.invalid").isEmpty)
    }

    @Test(
        "isn't reached by requests that are limited to the public internet, under any name",
        arguments: TransportKind.allCases, ["127.0.0.1", "localhost", "feed.localhost", "2130706433", "0x7f.1"])
    func transports(kind: TransportKind, host: String) async throws {
        // Foundation on Linux supports only these spellings.
        if case .urlSession = kind, !["127.0.0.1", "localhost"].contains(host) { return }
        let server = try MockServer(sites: [MadeUpSite(posts: 1)])
        defer { server.stop() }
        let url = try #require(URL(string: "http://\(host):\(server.port)/post-metadata"))
        let limited = HTTPRequest(url: url, timeout: 60, allowedHosts: .publicInternetOnly)
        await #expect(throws: HTTPError.privateAddress(url)) { try await kind.make().send(limited) }
        #expect(server.connectionCount == 0)
        let transport = kind.make()
        _ = try await transport.send(HTTPRequest(url: url, timeout: 60))
        // Not even over an existing connection.
        await #expect(throws: HTTPError.privateAddress(url)) { try await transport.send(limited) }
        #expect(server.requests.count == 1)
        let source = try #require(URL(string: "http://127.0.0.1/feed"))
        let own = HTTPRequest(url: url, timeout: 60, allowedHosts: .publicInternet(and: SourceNetwork(source)))
        _ = try await transport.send(own)
        #expect(server.requests.count == 2)
    }

    #if os(Linux)
        @Test(
            "is checked despite proxy variables, unless they apply to the request",
            arguments: [
                (["http_proxy": "PROXY"], true), (["http_proxy": "PROXY", "no_proxy": "feed.localhost"], false),
                (["https_proxy": "PROXY"], false), (["http_proxy": "PROXY", "no_proxy": "*"], false),
            ])
        func proxies(variables: [String: String], isAsked: Bool) async throws {
            let servers = try (0..<2).map { _ in try MockServer(sites: [MadeUpSite(posts: 1)]) }
            defer { for server in servers { server.stop() } }
            let proxy = "127.0.0.1:\(servers[1].port)"
            let transport = CurlTransport(environment: variables.mapValues { $0 == "PROXY" ? proxy : $0 })
            let url = try #require(URL(string: "http://feed.localhost:\(servers[0].port)/post-metadata"))
            let request = HTTPRequest(url: url, timeout: 60, allowedHosts: .publicInternetOnly)
            let response = try? await transport.send(request)
            #expect((response != nil) == isAsked)
            #expect(response?.peer == (isAsked ? .proxy : nil))
            #expect(servers[0].connectionCount == 0)
            #expect(servers[1].requests.map(\.isForProxy) == (isAsked ? [true] : []))
        }
    #endif

    @Test("is reported as the peer of a response", arguments: TransportKind.allCases)
    func peer(kind: TransportKind) async throws {
        let server = try MockServer(sites: [MadeUpSite(posts: 1)], host: 2)
        defer { server.stop() }
        let url = try #require(URL(string: server.address + "/post-metadata"))
        let peer = try await kind.make().send(HTTPRequest(url: url, timeout: 60)).peer
        #expect(peer == (kind == .urlSession ? nil : NetworkAddress("127.0.0.2").map { .server($0) }))
    }

    @Test(
        "is contacted for a picture only if its source has the same origin",
        arguments: [
            ("http://127.0.0.1:PORT/feed", true), ("http://0x7f.1:PORT/feed", false),
            ("http://localhost:PORT/feed", false), ("http://127.0.0.1/feed", false),
            ("http://127.0.0.2:PORT/feed", false), ("http://10.0.0.5:PORT/feed", false),
            ("http://feed.example:PORT/", false),
        ])
    func place(source: String, isThere: Bool) async throws {
        let server = try MockServer(sites: [MadeUpSite(posts: 1)])
        defer { server.stop() }
        let url = try #require(URL(string: server.address + "/post-metadata"))
        let client = HTTPClient(
            transport: TransportKind.used.make(), timeout: 60,
            netrc: Netrc(text: "machine 127.0.0.1 login me password pw"), clock: .patient())
        let place = SourceNetwork(
            try #require(URL(string: source.replacingOccurrences(of: "PORT", with: "\(server.port)"))))
        let options = RequestOptions.picture(ofSourceAt: place, timeLimit: 60)
        let response = try? await client.get(url, options: options, limit: 1 << 20)
        #expect((response != nil) == isThere)
        #expect(server.requests.map { $0.headers["authorization"] } == (isThere ? [nil] : []))
    }

    @Test("isn't reached by a redirect from the public internet")
    func redirect() async throws {
        let site = PeersByAddress([
            "http://out.example/feed": ("8.8.8.8", HTTPHead(status: 302, headers: ["Location": "http://in.example/x"])),
            "http://in.example/x": ("192.168.1.1", HTTPHead(status: 200)),
            "http://near.example/feed": (
                "10.0.0.1", HTTPHead(status: 302, headers: ["Location": "http://in.example/x"])
            ),
        ])
        func get(_ address: String) async throws -> HTTPDocument {
            try await HTTPClient(transport: site).get(try #require(URL(string: address)), limit: 1)
        }
        await #expect(throws: HTTPError.self) { try await get("http://out.example/feed") }
        #expect(site.connected == ["8.8.8.8"])
        #expect(try await get("http://near.example/feed").peer?.serverAddress == NetworkAddress("192.168.1.1"))
    }

    @Test(
        "isn't reached by a redirect of a public server behind a proxy, directly or through the proxy",
        arguments: [
            ("http://out.example/feed", "http://127.0.0.1/x", "proxy", false),
            ("http://out.example/feed", "http://wiki.local/x", "proxy", false),
            ("http://out.example/feed", "http://in.example/x", "192.168.1.1", false),
            ("http://out.example/feed", "http://in.example/x", "8.8.8.8", true),
            ("http://out.example/feed", "http://other.example/x", "proxy", true),
            ("http://wiki.local/feed", "http://127.0.0.1/x", "proxy", true),
        ])
    func proxiedRedirect(address: String, target: String, peer: String, isReached: Bool) async throws {
        let site = PeersByAddress([
            address: ("proxy", HTTPHead(status: 302, headers: ["Location": target])),
            target: (peer, HTTPHead(status: 200)),
        ])
        let url = try #require(URL(string: address))
        let response = try? await HTTPClient(transport: site).get(url, limit: 1)
        #expect((response != nil) == isReached)
        #expect(site.connected == (isReached ? ["proxy", peer] : ["proxy"]))
    }
}

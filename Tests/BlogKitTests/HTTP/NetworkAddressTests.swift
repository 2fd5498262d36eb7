import Foundation
import MockServer
import Synchronization
import Testing

@testable import BlogCore

/// A transport that gives an empty response to each request, and tells of it.
private struct Recorder: Transport {
    let record: @Sendable (HTTPRequest) -> Void

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        record(request)
        return HTTPResponse(url: request.url, head: HTTPHead(status: 200), body: ResponseBody(Data()))
    }
}

@Suite("An address of a private network") struct NetworkAddressTests {
    @Test(
        "is known by its spelling",
        arguments: [
            "localhost", "LOCALHOST.", "a.localhost", "printer.local", "127.0.0.1", "127.1", "0x7f000001", "2130706433",
            "017700000001", "0.0.0.0", "10.1.2.3", "100.64.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255",
            "192.168.1.1", "192.0.0.8", "198.18.0.1", "224.0.0.1", "255.255.255.255", "::1", "[::1]", "::", "fe80::1",
            "[fe80::1%25eth0]", "fc00::1", "fd12:3456::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
            "64:ff9b::10.0.0.1", "2002:7f00:1::1", "",
        ])
    func isPrivate(host: String) {
        #expect(NetworkAddress.isPrivate(host: host))
    }

    @Test(
        "is none of the public internet, and no name",
        arguments: [
            "example.org", "localhost.example.org", "mylocal", "8.8.8.8", "100.128.0.1", "172.15.0.1", "172.32.0.1",
            "192.167.1.1", "198.20.0.1", "2606:4700::1111", "[2001:4860:4860::8888]", "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8", "2002:808:808::1", "10.example",
        ])
    func isPublic(host: String) {
        #expect(!NetworkAddress.isPrivate(host: host))
    }

    @Test("is what a name resolves to", arguments: ["localhost", "127.0.0.1"])
    func resolved(name: String) {
        #expect(NetworkAddress.resolvesPrivately(name))
        #expect(!NetworkAddress.resolvesPrivately("no such name.invalid"))
    }

    @Test("gets no request that is only for the public internet", arguments: TransportKind.allCases)
    func transports(kind: TransportKind) async throws {
        let server = try MockServer(sites: [MadeUpSite(posts: 1)])
        defer { server.stop() }
        let url = try #require(URL(string: server.address + "/post-metadata"))
        await #expect(throws: HTTPError.privateAddress(url)) {
            let response = try await kind.make().send(HTTPRequest(url: url, timeout: 60, isPublicOnly: true))
            for try await _ in response.body {}
        }
        #expect(server.requests.isEmpty)
        let transport = kind.make()
        _ = try await transport.send(HTTPRequest(url: url, timeout: 60))
        // Nor does it where a connection is there already.
        await #expect(throws: HTTPError.privateAddress(url)) {
            let response = try await transport.send(HTTPRequest(url: url, timeout: 60, isPublicOnly: true))
            for try await _ in response.body {}
        }
        #expect(server.requests.count == 1)
    }

    @Test("is not needed for a login to be kept back")
    func login() async throws {
        let sent = Mutex<[[String: String]]>([])
        let transport = Recorder { request in sent.withLock { $0.append(request.headers) } }
        let client = HTTPClient(transport: transport, netrc: Netrc(text: "default login me password pw"))
        let url = try #require(URL(string: "http://example.org/x.png"))
        for reach in [Reach.anywhere, .publicInternet(and: "example.org"), .publicInternet(and: nil)] {
            _ = try await client.getWhole(url, options: RequestOptions(accept: "*/*", reach: reach), limit: 1)
        }
        #expect(sent.withLock { $0.map { $0["Authorization"] != nil } } == [true, true, false])
    }

    @Test("may be that of one host, which gets logins that no other does", arguments: TransportKind.allCases)
    func oneHost(kind: TransportKind) async throws {
        let server = try MockServer(sites: [MadeUpSite(posts: 1)])
        defer { server.stop() }
        let url = try #require(URL(string: server.address + "/post-metadata"))
        let client = HTTPClient(transport: kind.make(), timeout: 60, netrc: Netrc(text: "default login me password pw"))
        func get(_ host: String?) async throws {
            let options = RequestOptions(accept: "*/*", reach: .publicInternet(and: host))
            _ = try await client.getWhole(url, options: options, limit: 1 << 20)
        }
        for other in [nil, "localhost", "10.0.0.1"] {
            await #expect(throws: HTTPError.privateAddress(url)) { try await get(other) }
        }
        #expect(server.requests.isEmpty)
        try await get("127.0.0.1")
        #expect(server.requests.map { $0.headers["authorization"] != nil } == [true])
    }
}

import BlogTestSupport
import Foundation
import Synchronization
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A photo server's API key") struct PhotoKeyTests {
    private static let key = "s3cret+/&key"
    private let address: URL

    init() throws {
        address = try #require(URL(string: "https://api.photos.example/v1"))
    }

    private func client(_ transport: any Transport, key: String?, _ observer: @escaping HTTPObserver = { _ in })
        -> HTTPClient
    {
        HTTPClient(
            transport: transport, retryPolicy: RetryPolicy(maxAttempts: 1, base: 0),
            keys: QueryKeys([PhotoSource.keyName: key]), observer: observer)
    }

    @Test("is sent with every request of its source, if there is one", arguments: [key, "", " ", nil])
    func sent(key: String?) async throws {
        let server = PhotoServer.of(photoJSON())
        let source = PhotoSource(address: address, client: client(server, key: key))
        _ = try await source.refresh(nil, since: nil)
        _ = try await source.item(id: "1")
        let sent = server.requests.map { url in
            URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedQueryItems?
                .first { $0.name == "consumer_key" }?.value
        }
        #expect(sent == Array(repeating: key == Self.key ? "s3cret%2B%2F%26key" : nil, count: 2))
    }

    @Test("is redacted from activity logs, errors and descriptions", arguments: [200, 302, 403, 404, 500])
    func hidden(status: Int) async throws {
        let logged = Mutex<[String]>([])
        let server = PhotoServer(
            pages: ["[]"], status: status, headers: ["Location": "file:///x?consumer_key=s3cret"])
        let client = client(server, key: Self.key) { activity in logged.withLock { $0.append("\(activity)") } }
        let source = PhotoSource(address: address, client: client)
        do {
            _ = try await source.refresh(nil, since: nil)
        } catch {
            logged.withLock { $0.append("\(error)") }
        }
        logged.withLock { $0.append("\(client) \(source)") }
        #expect(logged.withLock { $0 }.count > 2)
        #expect(!logged.withLock { $0.joined() }.contains("s3cret"))
        #expect(server.requests.allSatisfy { $0.host() == "api.photos.example" })
    }

    @Test("is redacted from a transport's errors")
    func failure() async throws {
        let source = PhotoSource(address: address, client: client(BrokenTransport(), key: Self.key))
        let list = try #require(URL(string: "https://api.photos.example/v1/photos"))
        await #expect(throws: HTTPError.unreachable(list, reason: .refused)) {
            _ = try await source.refresh(nil, since: nil)
        }
    }

    static let refusals: [(PhotoServer, Bool)] = [401, 403].flatMap { status in
        let error = #"{"status":\#(status),"error":"Invalid key"}"#
        return [
            (PhotoServer(pages: [error], photos: [1: error], status: status), true),
            (PhotoServer(pages: [error], photos: [1: error]), false),
        ]
    }

    @Test("is reported as missing or wrong if the server refuses a request", arguments: refusals)
    func refused(server: PhotoServer, hasKey: Bool) async throws {
        let source = PhotoSource(address: address, client: client(server, key: hasKey ? Self.key : nil))
        let list = try #require(URL(string: "https://api.photos.example/v1/photos"))
        await #expect(throws: SourceError.refused(list, hadKey: hasKey)) {
            _ = try await source.refresh(nil, since: nil)
        }
        await #expect(throws: SourceError.refused(list.appending(path: "1"), hadKey: hasKey)) {
            _ = try await source.item(id: "1")
        }
    }

    @Test("isn't sent while detecting what kind of source an address is")
    func detection() async throws {
        let server = PhotoServer.of(photoJSON())
        let library = Library(store: try PostStore(), client: client(server, key: Self.key))
        #expect(try await library.follow("https://api.photos.example/v1").posts == 1)
        #expect(!server.requests.isEmpty)
        #expect(server.requests.allSatisfy { !$0.absoluteString.contains("s3cret") })
        _ = try await library.read(
            PostID(source: SourceID(kind: "photos", address: address.absoluteString), local: "1"))
        #expect(server.requests.last?.absoluteString.contains("consumer_key=s3cret") == true)
    }

    @Test(
        "is added to the query of an address",
        arguments: [
            ("https://a.example/b", "a=k%2B"), ("https://a.example/b?c=d%20e&f", "c=d%20e&f&a=k%2B"),
            ("https://a.example/b?#c", "a=k%2B"),
        ])
    func added(address: String, query: String) throws {
        let url = try #require(URL(string: address))
        let sent = QueryKeys(["a": "k+"]).adding("a", to: url)
        #expect(sent.query(percentEncoded: true) == query)
    }

    @Test("isn't printed by the type that holds it")
    func description() {
        let keys = QueryKeys(["a": Self.key, "b": nil])
        var text = "\(keys)"
        dump(keys, to: &text)
        #expect(text.hasPrefix("1 keys") && !text.contains("s3cret"))
    }
}

/// A transport that fails each request with an error that contains the request's URL.
private struct BrokenTransport: Transport {
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        throw HTTPError.unreachable(request.url, reason: .refused)
    }
}

import Foundation
import MockServer

/// The command line of `mock-server`.
struct Settings {
    private(set) var port: UInt16 = 8106
    private(set) var hosts: UInt8 = 1
    private(set) var latency = 0
    private(set) var isVerbose = false
    private(set) var wantsHelp = false
    private(set) var faults: [(path: String, fault: Fault)] = []
    private var folder: URL?
    private var posts: Int?
    private var hackerNews: URL?
    private var feeds: URL?
    private var photos: URL?

    static let help = """
        Example: mock-server --data mocks/data/blog --verbose

        Usage: mock-server [options]
          --port PORT          port to listen on at 127.0.0.1; 0 for any free port [8106]
          --hosts N            listen on 127.0.0.1 to 127.0.0.N, as if they were several servers
          --data DIR           folder to serve: all.json, post/POSTID.json, images/ [mocks/data/blog]
          --posts N            serve N generated posts instead
          --hackernews DIR     also serve the Hacker News API, below /v0: items.json, users.json, lists.json
          --feeds DIR          also serve blogs with feeds, below /feeds/, and generated ones at /feeds/many/1 and so on
          --photos DIR         also serve the 500px API, /v1/photos, with pictures: list.jsonl, details.jsonl, pictures/
          --latency MS         delay every response
          --fault PATH=FAULT   make requests fail: PATH, all paths below (PATH/*), or a page (PATH?page=2); repeatable
                               \(Fault.names)
          --verbose            print each request to stderr
        """

    /// Throws a `MockServerError`.
    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--port": port = try Self.value(argument, &rest) { UInt16($0) }
            case "--hosts": hosts = try Self.value(argument, &rest) { UInt8($0).flatMap { $0 > 0 ? $0 : nil } }
            case "--latency": latency = try Self.value(argument, &rest) { Int($0).flatMap { $0 >= 0 ? $0 : nil } }
            case "--posts": posts = try Self.value(argument, &rest) { Int($0).flatMap { $0 >= 0 ? $0 : nil } }
            case "--data": folder = try Self.value(argument, &rest) { URL(filePath: $0) }
            case "--hackernews": hackerNews = try Self.value(argument, &rest) { URL(filePath: $0) }
            case "--feeds": feeds = try Self.value(argument, &rest) { URL(filePath: $0) }
            case "--photos": photos = try Self.value(argument, &rest) { URL(filePath: $0) }
            case "--fault": faults.append(try Self.value(argument, &rest, Self.fault))
            case "--verbose": isVerbose = true
            case "--help", "-h": wantsHelp = true
            default: throw MockServerError(message: "unknown option “\(argument)” (see mock-server --help)")
            }
        }
    }

    /// A description of the served data.
    var what: String {
        let blog = posts.map { "\($0) generated posts" } ?? (folder ?? Self.standardFolder).path
        return [blog, hackerNews?.path, feeds?.path, photos?.path].compactMap(\.self).joined(separator: " and ")
    }

    func sites() throws -> [any MockSite] {
        let blog: any MockSite =
            try posts.map { MadeUpSite(posts: $0) } ?? BlogSite(folder: folder ?? Self.standardFolder)
        return [blog] + (try hackerNews.map { [try HackerNewsSite(folder: $0)] } ?? [])
            + (try feeds.map { [try FeedSite(folder: $0)] } ?? [])
            + (try photos.map { [try PhotoSite(folder: $0)] } ?? [])
    }

    private static let standardFolder = URL(filePath: "mocks/data/blog")

    private static func fault(_ text: String) -> (path: String, fault: Fault)? {
        // The path may have a parameter with its own equals sign, and the fault an address with others.
        for sign in text.indices where text[sign] == "=" {
            if let fault = Fault(String(text[sign...].dropFirst())) { return (String(text[..<sign]), fault) }
        }
        return nil
    }

    private static func value<Value>(
        _ option: String, _ rest: inout ArraySlice<String>, _ parse: (String) -> Value?
    ) throws -> Value {
        guard let text = rest.popFirst() else { throw MockServerError(message: "\(option) needs a value") }
        guard let value = parse(text) else {
            throw MockServerError(message: "invalid value “\(text)” for \(option) (see mock-server --help)")
        }
        return value
    }
}

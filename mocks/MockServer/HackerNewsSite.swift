import Foundation

/// The Hacker News API for a folder with `items.json`, `users.json` and `lists.json`, and for generated items.
///
/// The folder's `pages` are served below `/pages/`: links of stories without a host lead there.
///
/// Generated stories fill up the long lists. The stories 500000 and 2000000 have 500 and 2,000 comments, 3000200 and
/// 3010000 chains of 200 and 10,000 replies.
public struct HackerNewsSite: MockSite {
    /// The responses from the folder, by path.
    private let written: [String: Data]
    private let pages: URL
    private let madeUp = MadeUpNews()

    /// Throws a ``MockServerError`` if a file is missing or can't be read.
    ///
    /// - Parameter hostile: a folder with `items.json` and `lists.json`: hostile and incomplete items, and a listed one
    ///   that doesn't exist. They are listed after the others, and before the generated ones.
    public init(folder: URL, hostile: URL? = nil) throws {
        var written: [String: Data] = [:]
        var items = try Self.records(of: folder.appending(path: "items.json"))
        var lists = try Self.lists(of: folder.appending(path: "lists.json"))
        if let hostile {
            items.merge(try Self.records(of: hostile.appending(path: "items.json"))) { $1 }
            lists.merge(try Self.lists(of: hostile.appending(path: "lists.json")), uniquingKeysWith: +)
        }
        for (id, json) in items { written["/v0/item/\(id).json"] = json }
        for (id, json) in try Self.records(of: folder.appending(path: "users.json")) {
            written["/v0/user/\(id).json"] = json
        }
        for (name, ids) in lists {
            written["/v0/\(name)stories.json"] = Data("\(Self.filled(ids, name))".utf8)
        }
        self.written = written
        pages = folder.appending(path: "pages")
    }

    /// The response to a request; nil if the path isn't part of the API.
    ///
    /// Missing items are `null`, as in the real API.
    public func response(to request: MockRequest) -> MockResponse? {
        let path = request.path.removingPercentEncoding ?? request.path
        if let json = written[path] { return response(Self.linked(json, request)) }
        if let id = name(in: path, below: "item") { return response(number(id).flatMap { madeUp.item($0)?.json() }) }
        if let name = name(in: path, below: "user") { return response(MadeUpAuthor(name)?.json()) }
        guard path.hasPrefix("/pages/") else { return nil }
        return ServedFile(String(path.dropFirst("/pages/".count)), in: pages)?.response()
    }

    /// JSON with absolute links to the folder's pages.
    private static func linked(_ json: Data, _ request: MockRequest) -> Data {
        let text = String(decoding: json, as: UTF8.self)
        return Data(text.replacing(#""url":"/pages/"#, with: #""url":"\#(request.serverAddress)/pages/"#).utf8)
    }

    /// A response that isn't cacheable, as in the real API.
    private func response(_ json: Data?) -> MockResponse {
        var response = MockResponse.json(json ?? Data("null".utf8))
        response.headers["Cache-Control"] = "no-cache"
        return response
    }

    private func name(in path: String, below folder: String) -> String? {
        let start = "/v0/\(folder)/"
        guard path.hasPrefix(start), path.hasSuffix(".json") else { return nil }
        return String(path.dropFirst(start.count).dropLast(".json".count))
    }

    /// The number of an ID; nil if it has a sign or leading zeros.
    private func number(_ id: String) -> Int? { Int(id).flatMap { String($0) == id ? $0 : nil } }

    /// The IDs of a list, filled up with generated ones.
    private static func filled(_ ids: [Int], _ name: String) -> [Int] {
        let missing = 500 - ids.count
        return switch name {
        case "top": ids + MadeUpNews.stories(from: 0, count: missing)
        case "new": ids + MadeUpNews.newestStories(count: missing)
        case "best": ids + MadeUpNews.stories(from: 400, count: missing)
        default: ids
        }
    }

    /// The JSON of a file's records, by ID.
    private static func records(of file: URL) throws -> [String: Data] {
        let invalid = MockServerError(message: "\(file.path) isn't an array of objects with ids")
        guard let records = try json(of: file) as? [[String: Any]] else { throw invalid }
        var found: [String: Data] = [:]
        for record in records {
            guard let id = record["id"] else { throw invalid }
            found["\(id)"] = try JSONSerialization.data(
                withJSONObject: record, options: [.sortedKeys, .withoutEscapingSlashes])
        }
        return found
    }

    private static func lists(of file: URL) throws -> [String: [Int]] {
        guard let lists = try json(of: file) as? [String: [Int]],
            Set(lists.keys) == ["top", "new", "best", "ask", "show", "job"]
        else { throw MockServerError(message: "\(file.path) doesn't have top, new, best, ask, show and job with ids") }
        return lists
    }

    private static func json(of file: URL) throws -> Any? {
        guard let data = FileManager.default.contents(atPath: file.path) else {
            throw MockServerError(message: "\(file.path) can't be read")
        }
        return try? JSONSerialization.jsonObject(with: data)
    }
}

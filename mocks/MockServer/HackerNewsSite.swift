import Foundation

/// The Hacker News API over a folder's `items.json`, `users.json` and `lists.json`, and over made-up items.
///
/// The folder's `pages` are below `/pages/`, for stories that link there: an address without a server is this one's.
///
/// Stories are made up to fill the long lists. Threads of 500 and 2,000 comments are below the stories 500000 and
/// 2000000, chains of 200 and 10,000 replies below 3000200 and 3010000.
public struct HackerNewsSite: MockSite {
    /// The responses from the folder, by path.
    private let written: [String: Data]
    private let pages: URL
    private let madeUp = MadeUpNews()

    /// A site over a folder.
    ///
    /// Throws a ``MockServerError`` if one of its files is missing or can't be read.
    public init(folder: URL) throws {
        var written: [String: Data] = [:]
        let items = try Self.records(of: folder.appending(path: "items.json"))
        let users = try Self.records(of: folder.appending(path: "users.json"))
        for (id, json) in items { written["/v0/item/\(id).json"] = json }
        for (id, json) in users { written["/v0/user/\(id).json"] = json }
        for (name, ids) in try Self.lists(of: folder.appending(path: "lists.json")) {
            written["/v0/\(name)stories.json"] = Data("\(Self.filled(ids, name))".utf8)
        }
        written["/v0/maxitem.json"] = Data("\(max(madeUp.lastID, items.keys.compactMap(Int.init).max() ?? 0))".utf8)
        self.written = written
        pages = folder.appending(path: "pages")
    }

    /// The response to a GET or HEAD, or nil if the path is not part of the API.
    ///
    /// Missing items are `null`, as in the real API.
    public func response(to request: MockRequest) -> MockResponse? {
        let path = request.path.removingPercentEncoding ?? request.path
        if let json = written[path] { return response(Self.linked(json, request)) }
        if let id = name(in: path, below: "item") { return response(number(id).flatMap { madeUp.item($0)?.json() }) }
        if let name = name(in: path, below: "user") { return response(MadeUpAuthor(name)?.json()) }
        guard path.hasPrefix("/pages/") else { return nil }
        return ServedFile(String(path.dropFirst("/pages/".count)), in: pages)?.response(as: nil)
    }

    /// JSON whose link to a page of the folder is a whole address.
    private static func linked(_ json: Data, _ request: MockRequest) -> Data {
        let text = String(decoding: json, as: UTF8.self)
        return Data(text.replacing(#""url":"/pages/"#, with: #""url":"\#(request.serverAddress)/pages/"#).utf8)
    }

    /// JSON without an ETag and not cacheable, as in the real API.
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

    /// An id without sign and leading zeros.
    private func number(_ id: String) -> Int? { Int(id).flatMap { String($0) == id ? $0 : nil } }

    /// The ids of a list: those of the folder, then made-up ones.
    private static func filled(_ ids: [Int], _ name: String) -> [Int] {
        let missing = 500 - ids.count
        switch name {
        case "top":
            var ids = ids + MadeUpNews.stories(from: 0, count: missing - 1)
            // Far down, so that the first pages are complete.
            ids.insert(missingItem, at: min(419, ids.count))
            return ids
        case "new": return ids + MadeUpNews.newestStories(count: missing)
        case "best": return ids + MadeUpNews.stories(from: 400, count: missing)
        default: return ids
        }
    }

    /// In the top list, but `null`.
    private static let missingItem = 9999

    /// The records of a file by their ids, each as JSON.
    private static func records(of file: URL) throws -> [String: Data] {
        let wrong = MockServerError(message: "\(file.path) isn't an array of objects with IDs")
        guard let records = try json(of: file) as? [[String: Any]] else { throw wrong }
        var found: [String: Data] = [:]
        for record in records {
            guard let id = record["id"] else { throw wrong }
            found["\(id)"] = try JSONSerialization.data(
                withJSONObject: record, options: [.sortedKeys, .withoutEscapingSlashes])
        }
        return found
    }

    private static func lists(of file: URL) throws -> [String: [Int]] {
        guard let lists = try json(of: file) as? [String: [Int]],
            Set(lists.keys) == ["top", "new", "best", "ask", "show", "job"]
        else { throw MockServerError(message: "\(file.path) needs lists of IDs: top, new, best, ask, show, job") }
        return lists
    }

    private static func json(of file: URL) throws -> Any? {
        guard let data = FileManager.default.contents(atPath: file.path) else {
            throw MockServerError(message: "\(file.path) can't be read")
        }
        return try? JSONSerialization.jsonObject(with: data)
    }
}

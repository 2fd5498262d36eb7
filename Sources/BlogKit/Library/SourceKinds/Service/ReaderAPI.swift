import BlogEssentials
import BlogFeeds
import BlogHTTP
import BlogMarkup
import BlogModel
import BlogStore

/// The Google Reader API, as FreshRSS and Miniflux speak it, for one login.
///
/// Calls and their answers are those of
/// https://freshrss.github.io/FreshRSS/en/developers/06_GoogleReader_API.html and
/// https://github.com/miniflux/v2/blob/main/internal/googlereader/README.md; where the two differ, both are understood, and
/// so is what differs in https://github.com/theoldreader/api and https://github.com/bazqux/bazqux-api.
/// Functions throw a ``ServiceError``, an ``HTTPError`` or `CancellationError`. The token stays in memory.
actor ReaderAPI {
    private let base: URL
    private let client: HTTPClient
    private let login: ServiceLogin
    private var authorization: String?
    /// How many more IDs of items are taken.
    private var idsLeft: Int
    private let maxListed: Int
    private var token: String?

    /// - Parameters:
    ///   - base: the address below which the API is.
    ///   - maxListed: how many IDs of a list are taken: 18 MB of compressed ones took 1.7 GB of memory.
    ///   - maxOfSync: how many of all lists.
    init(
        at base: URL, client: HTTPClient, login: ServiceLogin, maxListed: Int = 250_000, maxOfSync: Int = 1_000_000
    ) {
        (self.base, self.client, self.login) = (base, client, login)
        (self.maxListed, idsLeft) = (maxListed, maxOfSync)
    }

    /// Whether the server escapes texts as FreshRSS does.
    nonisolated var isFreshRSS: Bool { Self.isFreshRSS(base) }

    static func isFreshRSS(_ base: URL) -> Bool { base.lastPathComponent == "greader.php" }

    nonisolated private var text: ReaderText { ReaderText(isFreshRSS: isFreshRSS) }

    // MARK: Recognizing a server

    /// Whether a FreshRSS says that its API is switched off; a server that is being updated gives the same status.
    private static func isSwitchedOff(_ response: HTTPDocument) -> Bool {
        response.head.status == 503 && response.body.prefix(20).elementsEqual("Service Unavailable!".utf8)
    }

    /// The name of the software that speaks the API at an address; nil if none does.
    ///
    /// Throws an ``HTTPError`` if there is no connection, or ``ServiceError/apiDisabled(_:)``.
    static func software(at base: URL, client: HTTPClient) async throws -> String? {
        let url = base.appending(encodedPath: ["reader", "api", "0", "token"])
        let options = RequestOptions.call(authorization: nil, timeLimit: HTTPLimits.feedSeconds).accepting([401, 503])
        let response: HTTPDocument
        do {
            response = try await client.get(url, options: options, limit: maxText)
        } catch let error as HTTPError {
            if error.isConnectionFailure { throw error }
            return nil
        }
        if isFreshRSS(base), isSwitchedOff(response) { throw ServiceError.apiDisabled(base) }
        guard response.head.status == 401 else { return nil }
        if response.head["X-Reader-Google-Bad-Token"] != nil { return "Miniflux" }
        guard response.head["Google-Bad-Token"] != nil else { return nil }
        return isFreshRSS(base) ? "FreshRSS" : "Google Reader API"
    }

    // MARK: Feeds, folders and labels

    /// The account of the login, as the server names it, or if it doesn't, as one logs in.
    func account() async throws -> String {
        do {
            let info = try await json("user-info")
            return text.line(info["userName"]) ?? text.line(info["userId"]) ?? login.user
        } catch ServiceError.unusable(_, _) {
            return login.user
        } catch HTTPError.status(_, let code, _) where [400, 404, 405, 501].contains(code) {
            return login.user
        }
    }

    /// The feeds that the server follows, as sources of the one with this address.
    func subscriptions() async throws -> [ServiceFeed] {
        let answer = try await json("subscription/list")
        guard case .array(let feeds)? = answer["subscriptions"] else { throw unusable("subscription/list") }
        return feeds.compactMap { feed in
            guard let stream = feed["id"]?.text else { return nil }
            let address = feed["url"]?.text ?? (stream.hasPrefix("feed/") ? String(stream.dropFirst(5)) : stream)
            let folder = feed["categories"]?.items.first.flatMap { Self.name(of: $0) }
            return ServiceFeed(
                id: FeedOfServiceSource.sourceID(of: stream, at: base),
                address: address,
                title: text.title(ofFeed: feed["title"]) ?? address,
                folder: folder.flatMap { isFreshRSS && Self.noFolder.contains($0) ? nil : FolderPath([$0]).text } ?? "",
                site: feed["htmlUrl"]?.text)
        }
    }

    /// The name of a folder or a label: its own, or the end of `user/1/label/NAME`.
    private static func name(of tag: JSONTree) -> String? {
        guard let id = tag["id"]?.text, let range = id.firstRange(of: "/label/") else { return nil }
        return range.upperBound == id.endIndex ? nil : String(id[range.upperBound...])
    }

    /// What FreshRSS calls the folder of feeds that are in none, in its languages: `default_category` in
    /// https://github.com/FreshRSS/FreshRSS/tree/edge/app/i18n.
    private static let noFolder: Set = [
        "Uncategorized", "Nezařazeno", "Unkategorisiert", "Sin categorizar", "دسته بندی نشده", "Sans catégorie",
        "ללא קטגוריה", "Kategória nélküli", "Senza categoria", "未分類", "분류 없음", "Neklasificēts", "Niet ingedeeld",
        "Pas triat", "Brak kategorii", "Sem categoria", "Без категории", "Bez kategórie", "Kategorisiz",
    ]

    struct Tags: Sendable {
        /// Nil if the server has no labels.
        let labels: [String]?
        let folders: [String]
        /// Whether there are no other labels.
        let areLabelsComplete: Bool
    }

    /// The labels and folders of the server.
    ///
    /// - Parameter feeds: the feeds; without types, as BazQux has none, their folders tell the labels.
    func tags(of feeds: [ServiceFeed]) async throws -> Tags {
        guard case .array(let tags)? = try await json("tag/list")["tags"] else { throw unusable("tag/list") }
        let named = tags.compactMap { tag in Self.name(of: tag).map { (name: $0, type: tag["type"]?.text) } }
        let haveTypes = isFreshRSS || named.contains { $0.type != nil }
        let known = Set(feeds.flatMap { FolderPath($0.folder).names })
        let labels = named.filter { haveTypes ? $0.type == "tag" : !known.contains($0.name) }.map(\.name)
        let folders = named.filter { haveTypes ? $0.type != "tag" : known.contains($0.name) }.map(\.name)
        // Miniflux has none. Others don't list those without posts.
        return Tags(
            labels: labels.isEmpty && haveTypes && !isFreshRSS ? nil : labels, folders: folders,
            areLabelsComplete: isFreshRSS)
    }

    /// Whether the server can have a label of this name: FreshRSS cuts others, as it stores them, escaped.
    nonisolated func hasRoom(for label: String) -> Bool {
        guard isFreshRSS else { return true }
        let bytes = label.utf8.reduce(0) { count, byte in
            switch byte {
            case UInt8(ascii: "&"): count + 5
            case UInt8(ascii: "<"), UInt8(ascii: ">"): count + 4
            case UInt8(ascii: "\""): count + 6
            default: count + 1
            }
        }
        return bytes <= Self.maxLabelBytes
    }

    private static let maxLabelBytes = 191

    /// Lets the server follow a feed, or that of a page, and returns its ID there.
    func add(feedAt address: String) async throws -> String {
        let body = try await post("subscription/quickadd", [("quickadd", address)])
        let answer = body.withUnsafeBufferPointer { JSONTree.document($0) }.value
        if let stream = answer["streamId"]?.text { return stream }
        let reason = text.line(answer["error"]) ?? text.line(answer["error_message"]) ?? "it found no feed"
        throw ServiceError.refused(base, reason: reason)
    }

    /// Moves a feed from a folder of the server's to another one; "" for none.
    func move(_ stream: String, from former: String = "", to folder: String) async throws {
        var changes = folder.isEmpty ? [] : [("a", Self.label(folder))]
        // Elsewhere, a feed can be in several folders.
        if folder.isEmpty || !isFreshRSS && !former.isEmpty { changes.append(("r", Self.label(former))) }
        try await edit([("ac", "edit"), ("s", stream)] + changes, "subscription/edit")
    }

    /// Lets the server no longer follow a feed.
    func unsubscribe(_ stream: String) async throws {
        try await edit([("ac", "unsubscribe"), ("s", stream)], "subscription/edit")
    }

    // MARK: Items

    /// A list of items.
    enum Stream: Hashable, Sendable {
        case all, unread, starred
        case labelled(String)
        /// A feed, by its ID as a stream.
        case feed(String)

        fileprivate var fields: [(name: String, value: String)] {
            switch self {
            case .all: [("s", "user/-/state/com.google/reading-list")]
            case .unread: [("s", "user/-/state/com.google/reading-list"), ("xt", ReaderAPI.read)]
            case .starred: [("s", ReaderAPI.starred)]
            case .labelled(let label): [("s", ReaderAPI.label(label))]
            case .feed(let stream): [("s", stream)]
            }
        }
    }

    /// The items of a list, whole.
    ///
    /// With several pages it is asked for twice, because marks that are made between two pages shift them.
    func items(of stream: Stream) async throws -> ServiceSet {
        let (items, pages, isWhole) = try await allPages(of: stream)
        let first = ServiceSet(items, isWhole: isWhole)
        guard pages > 1, isWhole else { return first }
        let again = try await allPages(of: stream)
        return first.confirmed(by: ServiceSet(again.items, isWhole: again.isWhole))
    }

    /// All items that the server lists, of which some may be missed if it changes them meanwhile.
    func allItems() async throws -> ItemIDs { try await allPages(of: .all).items }

    /// The items of a list as far as the limits of a list, and of all lists together, go; what is beyond them is left alone.
    private func allPages(of stream: Stream) async throws -> (items: ItemIDs, pages: Int, isWhole: Bool) {
        var items = ItemIDs.Builder()
        var (continuation, pages, areUsable) = (String?.none, 0, true)
        repeat {
            guard items.count < maxListed, idsLeft > 0 else { return (items.items, pages, false) }
            let query = stream.fields + [("n", String(Self.pageSize))] + (continuation.map { [("c", $0)] } ?? [])
            let answer = try await json("stream/items/ids", query, limit: Self.maxIDBytes)
            guard case .array(let references)? = answer["itemRefs"] else { throw unusable("stream/items/ids") }
            pages += 1
            let before = items.count
            for reference in references {
                guard let id = reference["id"]?.text.flatMap({ ReaderItemID.stored($0) }) else {
                    areUsable = false
                    continue
                }
                items.insert(id)
            }
            idsLeft -= references.count
            continuation = answer["continuation"]?.text
            // A server whose pages lead nowhere would be asked forever.
            if items.count == before, continuation != nil { throw unusable("stream/items/ids") }
        } while continuation != nil && pages < Self.maxPages
        guard continuation == nil else { throw unusable("stream/items/ids") }
        return (items.items, pages, areUsable)
    }

    /// The contents of items, in any order, without those that the server doesn't have.
    func contents(of items: [String]) async throws -> [ReaderItem] {
        let ids = items.map { (name: "i", value: ReaderItemID.long($0)) }
        let body = try await post("stream/items/contents", [("output", "json")] + ids, limit: HTTPLimits.contentsBytes)
        guard let answer = ReaderItems(body, isFreshRSS: isFreshRSS) else { throw unusable("stream/items/contents") }
        return answer.items
    }

    /// Sets a mark on items.
    func set(_ mark: Mark, on items: some Sequence<String>) async throws {
        // PHP drops what follows the thousandth field.
        try await edit([Self.change(to: mark)] + items.map { ("i", ReaderItemID.long($0)) }, "edit-tag")
    }

    private static func change(to mark: Mark) -> (String, String) {
        switch mark {
        case .read: ("a", read)
        case .unread: ("r", read)
        case .saved: ("a", starred)
        case .unsaved: ("r", starred)
        case .labelled(let name): ("a", label(name))
        case .unlabelled(let name): ("r", label(name))
        }
    }

    private static let read = "user/-/state/com.google/read"
    private static let starred = "user/-/state/com.google/starred"
    private static func label(_ name: String) -> String { "user/-/label/\(name)" }

    // MARK: Requests

    /// Sends a change, which is made only if the server says so.
    private func edit(_ fields: [(name: String, value: String)], _ call: String) async throws {
        let answer = String(decoding: try await post(call, fields), as: UTF8.self).trimmed
        guard answer == "OK" else {
            throw ServiceError.refused(base, reason: FeedText.line(answer.utf8.prefix(200)) ?? "an empty response")
        }
    }

    private func json(
        _ call: String, _ query: [(name: String, value: String)] = [], limit: Int = HTTPLimits.feedBytes
    ) async throws -> JSONTree {
        let url = Self.url(of: call, at: base, query + [("output", "json")])
        let body = try await authorized { authorization in
            try await self.response(from: url, .call(authorization: authorization, timeLimit: timeLimit), limit: limit)
        }
        let (value, end) = body.withUnsafeBufferPointer { JSONTree.document($0) }
        guard end == .found, case .object = value else { throw unusable(call, body) }
        return value
    }

    private func post(
        _ call: String, _ fields: [(name: String, value: String)], limit: Int = HTTPLimits.feedBytes
    ) async throws -> [UInt8] {
        let url = Self.url(of: call, at: base)
        return try await authorized { authorization in
            let form = [("T", try await self.editToken(authorization))] + fields
            return try await self.response(
                from: url, .call(form: form, authorization: authorization, timeLimit: timeLimit), limit: limit)
        }
    }

    private static func url(of call: String, at base: URL, _ query: [(name: String, value: String)] = []) -> URL {
        let url = base.appending(encodedPath: ["reader", "api", "0"] + call.split(separator: "/").map(String.init))
        return query.isEmpty ? url : url.appending(encodedQuery: query)
    }

    private func response(
        from url: URL, _ options: RequestOptions, limit: Int = HTTPLimits.feedBytes
    ) async throws -> [UInt8] {
        try await document(from: url, options, limit: limit).body.bytes
    }

    private func document(from url: URL, _ options: RequestOptions, limit: Int) async throws -> HTTPDocument {
        do {
            return try await client.get(url, options: options, limit: limit)
        } catch HTTPError.status(_, let code, _) where (300..<400).contains(code) {
            throw ServiceError.redirected(base)
        }
    }

    /// Sends a request, and if the server doesn't accept the token any more, once again with another one.
    private func authorized(_ send: (String) async throws -> [UInt8]) async throws -> [UInt8] {
        let isNew = authorization == nil
        do {
            return try await send(logIn())
        } catch HTTPError.unauthorized where !isNew {
            (authorization, token) = (nil, nil)
            do { return try await send(logIn()) } catch HTTPError.unauthorized { throw ServiceError.keyRejected(base) }
        } catch HTTPError.unauthorized {
            throw ServiceError.keyRejected(base)
        }
    }

    /// The `Authorization` header, which the server gives for the login.
    private func logIn() async throws -> String {
        if let authorization { return authorization }
        let url = base.appending(encodedPath: ["accounts", "ClientLogin"])
        // The Old Reader wants the last three.
        let form = [
            ("Email", login.user), ("Passwd", login.password), ("client", "blog"), ("accountType", "HOSTED_OR_GOOGLE"),
            ("service", "reader"),
        ]
        let answer: [UInt8]
        do {
            let options = RequestOptions.call(form: form, authorization: nil, timeLimit: timeLimit).accepting([
                401, 503,
            ])
            let document = try await self.document(from: url, options, limit: Self.maxText)
            if document.head.status == 503 {
                throw isFreshRSS && Self.isSwitchedOff(document)
                    ? ServiceError.apiDisabled(base) : HTTPError.status(url, code: 503, retryAfter: nil)
            }
            if document.head.status == 401 {
                let asksForLogin = document.head["WWW-Authenticate"]?.lowercased().hasPrefix("basic") == true
                throw asksForLogin ? ServiceError.proxyLogin(base) : .badLogin(base)
            }
            answer = try document.body.bytes
        } catch HTTPError.status(_, code: 403, _) {
            throw ServiceError.badLogin(base)
        } catch HTTPError.status(_, let code, _) where [404, 405, 501].contains(code) {
            throw ServiceError.notAnAPI(base)
        }
        let lines = String(decoding: answer, as: UTF8.self).split(whereSeparator: \.isNewline)
        let json = answer.withUnsafeBufferPointer { JSONTree.document($0) }.value["Auth"]?.text
        guard let key = lines.first(where: { $0.hasPrefix("Auth=") }).map({ String($0.dropFirst(5)) }) ?? json,
            Self.isKey(key)
        else { throw unusable("accounts/ClientLogin", answer) }
        let header = "GoogleLogin auth=\(key)"
        authorization = header
        return header
    }

    /// The token that changes need besides.
    private func editToken(_ authorization: String) async throws -> String {
        if let token { return token }
        let url = Self.url(of: "token", at: base)
        let answer = try await response(
            from: url, .call(authorization: authorization, timeLimit: timeLimit), limit: Self.maxText)
        let text = String(decoding: answer, as: UTF8.self).trimmed
        guard Self.isKey(text), !text.contains("<") else { throw unusable("token", answer) }
        token = text
        return text
    }

    /// Whether a text can be part of a header; Miniflux's begin with the name of the user, such as “zoë”.
    private static func isKey(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
            && !text.unicodeScalars.contains { (0x80...0x9F).contains($0.value) }
    }

    private func unusable(_ call: String, _ body: [UInt8] = []) -> ServiceError {
        let start = String(decoding: body.prefix(512), as: UTF8.self).trimmed
        return start.hasPrefix("<") ? .notAnAPI(base) : .unusable(base, call: call)
    }

    /// How long a call may take, in seconds: half a minute, or longer if the user waits longer for a silent server.
    private var timeLimit: TimeInterval { max(30, client.timeout) }
    /// The most that Miniflux gives; FreshRSS gives as many as are wanted.
    private static let pageSize = 10_000
    private static let maxPages = 200
    /// A page of 10,000 takes 0.5 MB.
    private static let maxIDBytes = 4 << 20
    private static let maxText = 64 << 10
}

/// A login for a service.
public struct ServiceLogin: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The name of the user.
    public let user: String
    /// The password for the API, which often isn't the one for the website.
    public let password: String

    /// A login.
    public init(user: String, password: String) { (self.user, self.password) = (user, password) }

    // Printing must not reveal the password.
    /// "a login".
    public var description: String { "a login" }
    /// No children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Gives the login of a service by its name; nil to look for one in `~/.netrc`.
public typealias ServiceLogins = @Sendable (_ name: String) async throws -> ServiceLogin?

/// Why a service can't be synced.
public enum ServiceError: FetchError, Hashable {
    /// There is no login for the service with this name.
    case noLogin(URL, name: String)
    /// `~/.netrc` is ignored because other users may read or change it.
    case unsafeLogins(URL)
    /// The command for the login of the service with this name failed; `reason` says why.
    case commandFailed(name: String, reason: String)
    /// The server rejected the login.
    case badLogin(URL)
    /// The server gave a key for the login, and rejected that.
    case keyRejected(URL)
    /// A server before it asks for a login of its own.
    case proxyLogin(URL)
    /// The server's API is switched off.
    case apiDisabled(URL)
    /// There is a web page instead of the API.
    case notAnAPI(URL)
    /// The answer to a call can't be used.
    case unusable(URL, call: String)
    /// The server refused a change.
    case refused(URL, reason: String)
    /// The login is for another account than before, or the server has another database; `name` is that of the service.
    case otherAccount(URL, name: String)
    /// The server redirects to another address, which isn't sent the login.
    case redirected(URL)
    /// The login would be sent unencrypted.
    case insecure(URL)
    /// Nobody typed the address: it comes from a list or an archive.
    case unconfirmed(URL)
    /// The server has to be asked, but requests are off.
    case offline(URL)
    /// The server can't do this for its feeds; `name` is that of the service or of one of its feeds.
    case unsupported(name: String)
    /// No followed service has this name.
    case unknownService(name: String)
}

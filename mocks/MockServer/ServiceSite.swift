import Foundation
import Synchronization

/// A sync server with the Google Reader API, as FreshRSS (below `/api/greader.php`) or Miniflux (at the root) speak it, or
/// others do by their documentation.
///
/// It has made-up feeds in folders, and keeps the marks on their items. The user is `alice`, the API password `apipass1`.
public final class ServiceSite: MockSite {
    /// The software whose ways it has.
    public enum Software: String, Sendable, CaseIterable {
        case freshRSS = "freshrss"
        case miniflux
        /// https://github.com/bazqux/bazqux-api: tags without types, and feeds in several folders.
        case bazQux = "bazqux"
        /// https://github.com/theoldreader/api: IDs that aren't numbers, no labels, a login with more fields; changes without
        /// `T` do nothing.
        case oldReader = "theoldreader"
        /// CommaFeed, below `/rest/googlereader`, without anything of its own.
        case commaFeed = "commafeed"

        /// Where the API is.
        public var path: String {
            switch self {
            case .freshRSS: "/api/greader.php"
            case .commaFeed: "/rest/googlereader"
            case .miniflux, .bazQux, .oldReader: ""
            }
        }

        /// Whether it says that it has the API to somebody without a login.
        public var isRecognized: Bool { [.freshRSS, .miniflux].contains(self) }
        /// Whether items have labels, as FreshRSS's have.
        public var hasLabels: Bool { [.freshRSS, .bazQux].contains(self) }
    }

    /// An item, by its ID.
    public struct Item: Sendable {
        /// The ID as a decimal number.
        public let id: Int64
        /// The number of its feed.
        public let feed: Int
        /// The marks.
        public var isRead = false, isStarred = false, labels: Set<String> = []
        /// The title, which another program may edit.
        public var title: String
        fileprivate let published: Int
        /// The address of its page, and that of its sound.
        fileprivate let page: String
    }

    private struct Feed {
        let number: Int
        var title: String
        let address: String
        var folder: String
    }

    private struct State {
        var feeds: [Feed] = []
        var lastFeed = 0
        /// The items of feeds that were removed, by the addresses of these: their sites still list them.
        var removed: [String: [Item]] = [:]
        var items: [Int64: Item] = [:]
        var labels: [String] = []
        /// A label that it lists, but of which it gives everything.
        var lostLabel: String?
        /// How many more requests for the contents of items that it doesn't have fail.
        var failures = 0
        var lastID: Int64 = 1_795_800_000_000_000
        var password = "apipass1"
        var account = "alice"
        var user = "alice"
        var isEnabled = true
        var isStripped = false
        var hiddenFolder: String?
        var hidesUnread = false
    }

    private let software: Software
    /// The most items on a page of IDs.
    private let maxPage: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - maxPage: the most IDs in one response.
    ///   - user: the name with which one logs in.
    public init(
        _ software: Software, feeds: Int = 4, items: Int = 30, maxPage: Int = 10_000, user: String = "alice"
    ) {
        self.software = software
        state.withLock { ($0.account, $0.user) = (user, user) }
        self.maxPage = maxPage
        for number in stride(from: 1, through: feeds, by: 1) {
            let address = "https://blog-\(number).example/feed.xml"
            _ = addFeed(address, folder: number % 2 == 1 ? "Tech" : "Arts & Crafts")
            addItems(items, to: number)
        }
    }

    /// The API has POST requests.
    public var takesForms: Bool { true }

    /// All items by their IDs.
    public var items: [Int64: Item] { state.withLock { $0.items } }

    /// The addresses and folders of its feeds.
    public var feeds: [(address: String, folder: String)] {
        state.withLock { $0.feeds.map { ($0.address, $0.folder) } }
    }

    /// Whether the API is allowed, and the API password.
    public func set(isEnabled: Bool = true, password: String = "apipass1") {
        state.withLock { ($0.isEnabled, $0.password) = (isEnabled, password) }
    }

    /// Has a folder without feeds, which it doesn't list, and of whose name there can be no label.
    public func hideFolder(_ name: String) { state.withLock { $0.hiddenFolder = name } }

    /// Loses the `Authorization` header of requests, as Apache does for CGI programs.
    public func stripAuthorization() { state.withLock { $0.isStripped = true } }

    /// Gives a feed another title, or moves it to a folder.
    public func set(feed number: Int, title: String? = nil, folder: String? = nil) {
        state.withLock { state in
            for index in state.feeds.indices where state.feeds[index].number == number {
                if let title { state.feeds[index].title = title }
                if let folder { state.feeds[index].folder = folder }
            }
        }
    }

    /// Gives the account another name, as the server says it.
    public func set(account: String) { state.withLock { $0.account = account } }

    /// Lets another user log in.
    public func set(user: String) { state.withLock { $0.user = user } }

    /// Has the same items under new IDs, without marks, as after all feeds were fetched into an empty database.
    public func renumber() {
        state.withLock { state in
            let items = state.items.values.sorted { $0.id < $1.id }
            state.items = [:]
            state.lastID += 1000
            for item in items {
                state.lastID += 1
                state.items[state.lastID] = Item(
                    id: state.lastID, feed: item.feed, title: item.title, published: item.published, page: item.page)
            }
        }
    }

    /// Has the same items under each other's IDs, without marks, as after a new installation that counts from one again.
    public func exchangeItems() {
        state.withLock { state in
            let ids = state.items.keys.sorted()
            state.items = Dictionary(
                uniqueKeysWithValues: zip(ids.reversed(), ids.compactMap { state.items[$0] }).map { id, item in
                    (id, Item(id: id, feed: item.feed, title: item.title, published: item.published, page: item.page))
                })
        }
    }

    /// Lists the labels by their names.
    public func sortLabels() { state.withLock { $0.labels.sort() } }

    /// Has the posts of items that are gone under new IDs.
    public func addAgain(_ items: some Sequence<Item>) {
        state.withLock { state in
            for item in items {
                state.lastID += 1
                state.items[state.lastID] = Item(
                    id: state.lastID, feed: item.feed, title: item.title, published: item.published, page: item.page)
            }
        }
    }

    /// Gives each item another date, or page, as a server does that tells the date of arrival, or a feed that moved to https.
    public func change(dates: Int = 0, but ids: Set<Int64> = [], page: (String) -> String = { $0 }) {
        state.withLock { state in
            state.items = state.items.mapValues {
                var item = Item(
                    id: $0.id, feed: $0.feed, title: $0.title,
                    published: $0.published + (ids.contains($0.id) ? 0 : dates), page: page($0.page))
                (item.isRead, item.isStarred, item.labels) = ($0.isRead, $0.isStarred, $0.labels)
                return item
            }
        }
    }

    /// Gives the feeds each other's numbers, the first one the last one's, as after a new installation.
    public func renumberFeeds() {
        state.withLock { state in
            let numbers = state.feeds.map(\.number)
            let others = Dictionary(uniqueKeysWithValues: zip(numbers, numbers.reversed()))
            state.feeds = state.feeds.map {
                Feed(number: others[$0.number] ?? $0.number, title: $0.title, address: $0.address, folder: $0.folder)
            }
            state.items = state.items.mapValues {
                var item = Item(
                    id: $0.id, feed: others[$0.feed] ?? $0.feed, title: $0.title, published: $0.published, page: $0.page
                )
                (item.isRead, item.isStarred, item.labels) = ($0.isRead, $0.isStarred, $0.labels)
                return item
            }
        }
    }

    /// Fails so many requests for the contents of items that it doesn't have.
    public func fail(contentsOfMissing times: Int) { state.withLock { $0.failures = times } }

    /// Lists no items that are unread, as FreshRSS does while its database is locked.
    public func hideUnread(_ isHidden: Bool) { state.withLock { $0.hidesUnread = isHidden } }

    /// Lists a label, but doesn't know it when asked for its items.
    public func lose(label: String) { state.withLock { $0.lostLabel = label } }

    /// Has other items under the same IDs, without marks.
    public func reinstall() {
        state.withLock { state in
            state.items = state.items.mapValues {
                Item(
                    id: $0.id, feed: $0.feed, title: "Anew \($0.id)", published: $0.published + 1,
                    page: $0.page + "/anew")
            }
        }
    }

    /// Gives the feeds other addresses, as those of another database with the same numbers have.
    public func replaceFeeds() {
        state.withLock { state in
            state.feeds = state.feeds.map {
                Feed(
                    number: $0.number, title: $0.title, address: "https://other\($0.number).example/feed",
                    folder: $0.folder)
            }
        }
    }

    /// Adds new items to a feed.
    ///
    /// - Parameter edition: tells them from others with the same IDs, as after a restored backup.
    public func addItems(_ count: Int, to feed: Int, edition: Int = 0) {
        state.withLock { state in
            for _ in 0..<count {
                state.lastID += 1
                let number = Int(state.lastID % 1_000_000) + edition * 1_000_000
                let title =
                    "\(MadeUpWords.word(seed: number).capitalized) & <\(MadeUpWords.word(seed: number + 1))> \(number)"
                state.items[state.lastID] = Item(
                    id: state.lastID, feed: feed, title: title, published: 1_777_000_000 + number * 60,
                    page: "https://blog-\(feed).example/\(state.lastID)\(edition > 0 ? "-\(edition)" : "")")
            }
        }
    }

    /// Adds an item, and returns its ID.
    ///
    /// - Parameters:
    ///   - page: its address, whose text is the same for all items that have it.
    ///   - published: the date in seconds since 1970.
    ///   - id: nil for the next one.
    @discardableResult
    public func addItem(_ title: String, page: String, published: Int, to feed: Int, id: Int64? = nil) -> Int64 {
        state.withLock { state in
            state.lastID = max(state.lastID + (id == nil ? 1 : 0), id ?? 0)
            let item = Item(id: id ?? state.lastID, feed: feed, title: title, published: published, page: page)
            state.items[item.id] = item
            return item.id
        }
    }

    /// Changes items, as another program of the user does.
    public func change(_ ids: some Sequence<Int64>, _ change: (inout Item) -> Void) {
        state.withLock { state in
            for id in ids {
                guard var item = state.items[id] else { continue }
                change(&item)
                state.items[id] = item
                for label in item.labels where !state.labels.contains(label) { state.labels.append(label) }
            }
        }
    }

    /// Forgets items, as servers do with old ones.
    public func purge(_ ids: some Sequence<Int64>) {
        state.withLock { state in for id in ids { state.items[id] = nil } }
    }

    /// Has a database again from before the newest items, whose IDs it gives to the next ones.
    public func restoreBackup(withoutNewest count: Int) {
        state.withLock { state in
            for id in state.items.keys.sorted().suffix(count) { state.items[id] = nil }
            state.lastID = state.items.keys.max() ?? 0
        }
    }

    /// Has items again that it has forgotten.
    public func restore(_ items: some Sequence<Item>) {
        state.withLock { state in for item in items { state.items[item.id] = item } }
    }

    /// Forgets a feed with its items.
    public func removeFeed(_ number: Int) {
        state.withLock { state in
            for feed in state.feeds where feed.number == number {
                state.removed[feed.address] = state.items.values.filter { $0.feed == number }.sorted { $0.id < $1.id }
            }
            state.feeds.removeAll { $0.number == number }
            state.items = state.items.filter { $0.value.feed != number }
        }
    }

    /// Gives the number of the feed that was added last to the next one, as after the restoration of an old backup.
    public func forgetLastFeed() { state.withLock { $0.lastFeed -= 1 } }

    /// Gives a feed another title.
    public func retitle(_ address: String, _ title: String) {
        state.withLock { state in
            for index in state.feeds.indices where state.feeds[index].address == address {
                state.feeds[index].title = title
            }
        }
    }

    /// Follows a feed, as another program of the user does.
    public func follow(_ address: String) { _ = quickAdd(address) }

    private func addFeed(_ address: String, folder: String) -> Int? {
        state.withLock { state in
            if state.feeds.contains(where: { $0.address == address }) { return nil }
            state.lastFeed += 1
            let number = state.lastFeed
            state.feeds.append(Feed(number: number, title: "Blog & <b> \(number)", address: address, folder: folder))
            return number
        }
    }

    // MARK: Requests

    /// The response to a request; nil if the path isn't part of the API.
    public func response(to request: MockRequest) -> MockResponse? {
        let segments = request.segments
        if software == .freshRSS {
            if segments.isEmpty { return page("FreshRSS") }
            guard segments.starts(with: ["api", "greader.php"]) else { return nil }
            return answer(request, segments.dropFirst(2).joined(separator: "/"))
        }
        let base = software.path.split(separator: "/").map(String.init)
        if segments.isEmpty { return page(software == .miniflux ? "Miniflux" : "Reader") }
        guard segments.starts(with: base), segments.count > base.count,
            ["accounts", "reader"].contains(segments[base.count])
        else { return nil }
        return answer(request, segments.dropFirst(base.count).joined(separator: "/"))
    }

    private func page(_ title: String) -> MockResponse {
        let html = "<!DOCTYPE html><html><head><title>\(title)</title></head><body><form>Sign in</form></body></html>"
        return MockResponse(headers: ["Content-Type": "text/html"], body: .bytes(Data(html.utf8)))
    }

    private var isFreshRSS: Bool { software == .freshRSS }

    /// The value of `Auth`, which changes with the password.
    private var key: String { state.withLock { "\($0.user)/\($0.password)0123456789abcdef" } }

    private func answer(_ request: MockRequest, _ path: String) -> MockResponse {
        let fields = request.method == "POST" ? request.form : []
        func field(_ name: String) -> String? { fields.last { $0.name == name }?.value ?? request.query[name] }
        if !state.withLock({ $0.isEnabled }) { return text("Service Unavailable!", status: isFreshRSS ? 503 : 401) }
        if path == "accounts/ClientLogin" {
            guard let name = field("Email"), let password = field("Passwd") else { return badRequest }
            if software == .oldReader, field("client") == nil || field("service") != "reader" { return badRequest }
            guard name == state.withLock({ $0.user }), password == state.withLock({ $0.password }) else {
                return unauthorized
            }
            return text("SID=\(key)\nLSID=null\nAuth=\(key)\n")
        }
        if path.isEmpty { return text("OK") }
        let isStripped = state.withLock { $0.isStripped }
        guard !isStripped, request.headers["authorization"] == "GoogleLogin auth=\(key)" else { return unauthorized }
        if request.method == "POST" {
            // FreshRSS accepts a missing token, and Miniflux looks for it in the form only.
            let token = request.form.last { $0.name == "T" }?.value
            if software == .oldReader, token != key { return text("OK") }
            if isFreshRSS ? token.map({ $0 != key && !["", "x"].contains($0) }) ?? false : token != key {
                return unauthorized
            }
        }
        switch path.trimmingPrefix("reader/api/0/") {
        case "token": return text(key + "\n")
        case "user-info":
            let user = state.withLock { $0.account }
            return json(["userId": isFreshRSS ? user : "1", "userName": user, "userProfileId": user, "userEmail": ""])
        case "subscription/list":
            return field("output") == "json" ? subscriptions : text("Not Implemented!", status: 501)
        case "tag/list": return field("output") == "json" ? tags : text("Not Implemented!", status: 501)
        case "stream/items/ids": return ids(request)
        case "stream/items/contents": return contents(request)
        case "edit-tag": return edit(request)
        case "subscription/quickadd": return quickAdd(field("quickadd") ?? "")
        case "subscription/edit": return editSubscription(request)
        default: return isFreshRSS ? badRequest : json([] as [Int])
        }
    }

    private var unauthorized: MockResponse {
        var response = text("Unauthorized!", status: 401)
        guard software.isRecognized else { return response }
        response.headers[isFreshRSS ? "Google-Bad-Token" : "X-Reader-Google-Bad-Token"] = "true"
        return response
    }

    private var badRequest: MockResponse { text("Bad Request!", status: 400) }

    private func text(_ text: String, status: Int = 200) -> MockResponse {
        MockResponse(status: status, headers: ["Content-Type": "text/plain"], body: .bytes(Data(text.utf8)))
    }

    private func json(_ value: Any) -> MockResponse {
        let data = try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])
        return .json(data ?? Data())
    }

    // MARK: Feeds and tags

    /// A text in the form in which the software sends titles.
    private func escaped(_ text: String) -> String {
        guard isFreshRSS else { return text }
        return text.replacing("&", with: "＆").replacing("<", with: "＜").replacing(">", with: "＞")
    }

    /// The title of a feed in the form in which the software sends it.
    private func escaped(feed title: String) -> String {
        guard isFreshRSS else { return title }
        return [("?", "？"), ("\\", "＼"), ("/", "／"), (",", "，"), (";", "；")].reduce(escaped(title)) {
            $0.replacing($1.0, with: $1.1)
        }
    }

    /// The ID of an item in lists; The Old Reader's have 24 hexadecimal digits.
    private func listed(_ id: Int64) -> String { software == .oldReader ? Self.oldReaderPrefix + hex(id) : String(id) }

    private func hex(_ id: Int64) -> String {
        let hex = String(UInt64(bitPattern: id), radix: 16)
        return String(repeating: "0", count: 16 - hex.count) + hex
    }

    private static let oldReaderPrefix = "5d0cfa30"

    private func label(_ name: String) -> String { isFreshRSS ? "user/-/label/\(name)" : "user/1/label/\(name)" }

    private func category(_ name: String) -> [String: Any] {
        let category = ["id": label(name), "label": name]
        return software == .miniflux ? category.merging(["type": "folder"]) { $1 } : category
    }

    private var subscriptions: MockResponse {
        let feeds = state.withLock { $0.feeds }
        return json([
            "subscriptions": feeds.map { feed -> [String: Any] in
                [
                    "id": "feed/\(feed.number)", "title": escaped(feed: feed.title),
                    "categories": [category(feed.folder)],
                    "url": feed.address, "htmlUrl": "https://blog-\(feed.number).example/", "iconUrl": "",
                ]
            }
        ])
    }

    private var tags: MockResponse {
        let (feeds, labels) = state.withLock { ($0.feeds, $0.labels) }
        let folders = Set(feeds.map(\.folder)).sorted()
        let starred = isFreshRSS ? "user/-/state/com.google/starred" : "user/1/state/com.google/starred"
        return json([
            "tags": [["id": starred]]
                + folders.map { folder -> [String: Any] in
                    software.isRecognized ? ["id": label(folder), "type": "folder"] : ["id": label(folder)]
                }
                + (software.hasLabels ? labels : []).map { name -> [String: Any] in
                    isFreshRSS ? ["id": label(name), "type": "tag", "unread_count": 0] : ["id": label(name)]
                }
        ])
    }

    private func quickAdd(_ address: String) -> MockResponse {
        guard !address.isEmpty else { return badRequest }
        let plain = address.hasSuffix(".xml") ? address : address + "/feed.xml"
        if address.contains("nofeed") {
            return isFreshRSS
                ? json(["numResults": 0, "error": "No feed found on <\(address)>"])
                : json(["numResults": 0, "query": address])
        }
        guard let number = addFeed(plain, folder: isFreshRSS ? "Uncategorized" : "Tech") else {
            return json(["numResults": 0, "error": "Already subscribed! \(plain)"])
        }
        let known = state.withLock { state in
            let items = state.removed.removeValue(forKey: plain) ?? []
            for item in items {
                state.lastID += 1
                state.items[state.lastID] = Item(
                    id: state.lastID, feed: number, title: item.title, published: item.published, page: item.page)
            }
            return items
        }
        if known.isEmpty { addItems(3, to: number) }
        return json(["numResults": 1, "query": plain, "streamId": "feed/\(number)", "streamName": "Blog \(number)"])
    }

    private func editSubscription(_ request: MockRequest) -> MockResponse {
        func field(_ name: String) -> String? { request.form.last { $0.name == name }?.value }
        guard let stream = field("s"), stream.hasPrefix("feed/") else { return badRequest }
        let number = Int(stream.dropFirst(5))
        let isKnown = state.withLock { $0.feeds.contains { $0.number == number } }
        switch field("ac") {
        case "unsubscribe":
            guard isKnown, let number else { return badRequest }
            removeFeed(number)
        case "edit":
            let added = field("a")?.split(separator: "/label/").last.map(String.init)
            guard let folder = added ?? (field("r") == nil || !isFreshRSS ? nil : "Uncategorized") else { break }
            state.withLock { state in
                // Elsewhere, it stays in its first folder until it is removed from it.
                let former = field("r")?.split(separator: "/label/").last.map(String.init)
                if !software.isRecognized, state.feeds.first(where: { $0.number == number })?.folder != former {
                    return
                }
                // FreshRSS does nothing if there is such a label.
                if isFreshRSS, state.labels.contains(folder) { return }
                for index in state.feeds.indices where state.feeds[index].number == number {
                    state.feeds[index].folder = folder
                }
            }
        default: return badRequest
        }
        return text("OK")
    }

    // MARK: Items

    private func ids(_ request: MockRequest) -> MockResponse {
        guard let stream = request.query["s"] else { return badRequest }
        let name = String(stream.split(separator: "/label/").last ?? "")
        let (all, labels) = state.withLock { state in
            (state.items.values.sorted { $0.id > $1.id }, state.labels.filter { $0 != state.lostLabel })
        }
        var items: [Item]
        if stream.hasSuffix("/starred") {
            items = all.filter(\.isStarred)
        } else if stream.contains("/label/") {
            if !software.hasLabels { return text("{}", status: 500) }
            // FreshRSS gives everything for a label that it doesn't know.
            items = labels.contains(name) ? all.filter { $0.labels.contains(name) } : all
        } else if let feed = stream.split(separator: "feed/").last.flatMap({ Int($0) }), stream.hasPrefix("feed/") {
            items = all.filter { $0.feed == feed }
        } else {
            items = all
        }
        if request.query["xt"]?.hasSuffix("/read") == true {
            let isHidden = state.withLock(\.hidesUnread)
            items.removeAll { isHidden || $0.isRead }
        }
        let count = min(request.query["n"].flatMap { Int($0) } ?? 20, maxPage)
        var rest = items[...]
        if let continuation = request.query["c"] {
            if isFreshRSS {
                rest = rest.drop { $0.id > Int64(continuation) ?? 0 }.dropFirst()
            } else {
                rest = rest.dropFirst(Int(continuation) ?? 0)
            }
        }
        let page = rest.prefix(request.isHalf ? count.clamped(to: rest.count / 2) : count)
        var answer: [String: Any] = ["itemRefs": page.map { ["id": listed($0.id)] }]
        if !request.isHalf, page.count == count, isFreshRSS || page.count < rest.count {
            let offset = items.count - rest.count + page.count
            answer["continuation"] = isFreshRSS ? page.last.map { String($0.id) } ?? "" : String(offset)
        }
        return json(answer)
    }

    /// The items of a form, in any form of their IDs; nil for one that isn't a number.
    private func numbers(_ request: MockRequest) -> [Int64?] {
        request.form.filter { $0.name == "i" }.map { _, text in
            let all = text.split(separator: "/").last.map(String.init) ?? ""
            let last = software == .oldReader ? String(all.trimmingPrefix(Self.oldReaderPrefix)) : all
            if text.hasPrefix("tag:") || last.count == 16 && !last.hasPrefix("179") {
                return UInt64(last, radix: 16).map { Int64(bitPattern: $0) }
            }
            return Int64(last)
        }
    }

    private func contents(_ request: MockRequest) -> MockResponse {
        let numbers = numbers(request)
        guard request.method == "POST", !numbers.isEmpty, isFreshRSS || !numbers.contains(nil) else {
            return badRequest
        }
        let (items, feeds) = state.withLock { ($0.items, $0.feeds) }
        let asked = Set(numbers.compactMap(\.self))
        let fails = state.withLock { state in
            guard state.failures > 0, asked.contains(where: { items[$0] == nil }) else { return false }
            state.failures -= 1
            return true
        }
        if fails { return text("Internal error", status: 500) }
        let found = asked.sorted(by: >).compactMap { items[$0] }
        return json([
            "id": "user/-/state/com.google/reading-list", "updated": 1_795_822_334,
            "items": found.prefix(request.isHalf ? found.count / 2 : found.count).map { item in
                content(of: item, feeds.first { $0.number == item.feed })
            },
        ])
    }

    private func content(of item: Item, _ feed: Feed?) -> [String: Any] {
        let link = item.page + "?a=1&b=2"
        // The text is that of the post, whatever ID it has now.
        let number = item.page.split(separator: "/").last.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
        let words = (0..<40).map { MadeUpWords.word(seed: number % 100_000 + $0) }.joined(separator: " ")
        var html = "<p>Item \(number): 1 &lt; 2.</p><p>\(words).</p>"
        let sound = item.page + ".mp3?a=1&b=2"
        let escapedSound = sound.replacing("&", with: "&amp;")
        if isFreshRSS, number % 5 == 0 {
            html +=
                "<figure class=\"enclosure\"><p class=\"enclosure-content\"><audio src=\"\(escapedSound)\"></audio></p></figure>"
        }
        let states = (item.isRead ? ["read"] : []) + (item.isStarred ? ["starred"] : [])
        var value: [String: Any] = [
            "id": "tag:google.com,2005:reader/item/" + (software == .oldReader ? Self.oldReaderPrefix : "")
                + hex(item.id),
            "crawlTimeMsec": String(item.id / 1000), "timestampUsec": String(item.id), "published": item.published,
            "title": escaped(item.title), "author": escaped("Bob & Co"),
            "canonical": [["href": link]], "alternate": [["href": link]],
            "categories": ["user/-/state/com.google/reading-list"] + states.map { "user/-/state/com.google/\($0)" }
                + item.labels.sorted().map(label) + (isFreshRSS ? ["news", "R&D"] : []),
            "origin": [
                "streamId": "feed/\(item.feed)", "title": escaped(feed?.title ?? ""),
                "htmlUrl": "https://blog-\(item.feed).example/",
            ], "summary": ["content": html],
        ]
        if number % 5 == 0 {
            value["enclosure"] = [
                isFreshRSS
                    ? ["href": escapedSound, "type": "audio/mpeg", "length": 12_345]
                    : ["url": sound, "type": "audio/mpeg", "length": "12345"]
            ]
        }
        if !isFreshRSS { value["content"] = ["content": html] }
        return value
    }

    private func edit(_ request: MockRequest) -> MockResponse {
        let numbers = numbers(request)
        if !isFreshRSS, numbers.contains(nil) || numbers.isEmpty { return badRequest }
        func tags(_ name: String) -> [String] {
            let all = request.form.filter { $0.name == name }.map(\.value)
            return isFreshRSS ? all.suffix(1) : all
        }
        let (added, removed) = (tags("a"), tags("r"))
        let hidden = state.withLock { $0.hiddenFolder?.lowercased() }
        if let hidden, added.contains(where: { $0.lowercased().hasSuffix("/label/\(hidden)") }) { return text("OK") }
        let folders = Set(feeds.map(\.folder))
        // A new label exists from now on, whether any item has it or not.
        for name in added.compactMap({ $0.split(separator: "/label/").last.map(String.init) })
        where software.hasLabels && added.contains(where: { $0.contains("/label/") }) && !folders.contains(name) {
            state.withLock { if !$0.labels.contains(name) { $0.labels.append(name) } }
        }
        let known = numbers.compactMap(\.self)
        change(known.prefix(request.isHalf ? known.count / 2 : known.count)) { item in
            for (tag, value) in added.map({ ($0, true) }) + removed.map({ ($0, false) }) {
                let label = tag.contains("/label/") ? String(tag.split(separator: "/label/").last ?? "") : nil
                if tag.hasSuffix("com.google/read") { item.isRead = value }
                if tag.hasSuffix("com.google/starred") { item.isStarred = value }
                guard let label, self.software.hasLabels, !folders.contains(label) else { continue }
                if value { item.labels.insert(label) } else { item.labels.remove(label) }
            }
        }
        return text("OK")
    }
}

extension Int {
    fileprivate func clamped(to limit: Int) -> Int { Swift.min(self, limit) }
}

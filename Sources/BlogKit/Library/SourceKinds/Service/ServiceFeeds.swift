import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// Changes which feeds a service follows, and in which folders; its server decides, so it is asked at once.
struct ServiceFeeds: Sendable {
    let connections: Connections

    private var store: PostStore { connections.store }

    /// Lets a service follow feeds, or those of pages, and gives what came of each, in order.
    func add(_ requests: [FollowRequest], to name: String) async throws -> [Result<FollowReport, any Error>] {
        guard let service = try await store.read({ try Sources($0).find(named: name) }), service.id.isService,
            service.isFollowed
        else {
            throw ServiceError.unknownService(name: name)
        }
        let (api, sync) = try await api(of: service.id)
        let feeds = try await store.read { try ServiceItems($0, service: service.key).feeds() }.filter(\.isFollowed)
        let known = Set(feeds.map(\.id))
        var added: [Result<SourceID, any Error>] = []
        for request in requests {
            do {
                guard let address = SourceAddress.completed(request.address) else {
                    throw LibraryError.badAddress(request.address)
                }
                let canonical = Entry.canonical(address)
                if let feed = feeds.first(where: { $0.feed.map(Entry.canonical) == canonical }) {
                    added.append(.success(feed.id))
                    continue
                }
                let stream = try await api.add(feedAt: address)
                let folder = Self.folder(request.folder ?? "")
                if !folder.isEmpty { try await api.move(stream, to: folder) }
                added.append(.success(FeedOfServiceSource.sourceID(of: stream, at: sync.connection.url)))
            } catch let error as any FetchError {
                added.append(.failure(error))
            } catch let error as LibraryError {
                added.append(.failure(error))
            }
        }
        let refresh = try await sync.run().refresh
        var reports: [Result<FollowReport, any Error>] = []
        for result in added {
            switch result {
            case .failure(let error): reports.append(.failure(error))
            case .success(let id):
                guard let stored = try await store.read({ try Sources($0).find(id) }) else {
                    let missing = ServiceError.refused(sync.connection.url, reason: "it doesn't list the feed")
                    reports.append(.failure(refresh.failure ?? missing))
                    continue
                }
                reports.append(
                    .success(
                        FollowReport(
                            FoundSource(source: id), stored, formerName: nil,
                            outcome: known.contains(id) ? .unchanged : .followed, refresh: nil, history: nil)))
            }
        }
        return reports
    }

    func remove(_ stream: String, at service: SourceID) async throws {
        do { try await api(of: service).api.unsubscribe(stream) } catch HTTPError.status(_, code: 400, _) {
            // The server doesn't follow it any more.
        }
    }

    func move(_ stream: String, to folder: String, at service: SourceID) async throws {
        let folder = Self.folder(folder)
        let (api, sync) = try await api(of: service)
        let id = FeedOfServiceSource.sourceID(of: stream, at: sync.connection.url)
        // Another program may have moved it since the last sync.
        let former = Self.folder(try await api.subscriptions().first { $0.id == id }?.folder ?? "")
        guard former != folder else { return }
        try await api.move(stream, from: former, to: folder)
        // FreshRSS accepts the name of a label, and does nothing.
        guard try await api.subscriptions().contains(where: { $0.id == id && Self.folder($0.folder) == folder }) else {
            throw ServiceError.refused(
                sync.connection.url, reason: "it left the feed in its folder; it may have a label of that name")
        }
    }

    /// A folder as the server names it: its folders aren't in each other.
    static func folder(_ path: String) -> String { FolderPath(path).names.joined(separator: "/") }

    private func api(of service: SourceID) async throws -> (api: ReaderAPI, sync: ServiceSync) {
        var connections = connections
        guard connections.freshness != .offline else {
            throw ServiceError.offline(connections.sync(of: service).connection.url)
        }
        connections.freshness = .refresh
        let name = try await store.read { try Sources($0).find(service) }?.name ?? ""
        let sync = connections.sync(of: service)
        return (try await sync.api(named: name), sync)
    }
}

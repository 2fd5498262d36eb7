import BlogEssentials
import BlogFeeds
import BlogHTTP
import BlogModel
import BlogStore

/// Tells a service's server of marks, and gets its feeds, items and marks.
///
/// Marks are sent first and in batches; what isn't confirmed stays in the queue. The server's marks are then asked for as
/// whole sets, and contents only of items that aren't stored.
struct ServiceSync: Refreshable {
    let connection: SourceConnection
    let client: HTTPClient
    /// Gives the logins of services, besides those in `~/.netrc`; nil for none.
    let logins: ServiceLogins?
    /// Receives the posts that arrive.
    var observe: SyncObserver = { _ in }

    private var store: PostStore { connection.store }

    /// How many posts a sync fetches, unless all are wanted.
    static let contentsLimit = 1000
    /// How many items a request is about: a server that reads a thousand fields of a form ignores the rest.
    private static let batchSize = 250
    /// If the server's answer changes more marks at once, it is asked for again.
    private static let maxChanges = 20
    /// Each takes a request.
    private static let maxLabels = 100

    func refreshed() async throws -> RefreshReport { try await run().refresh }

    func sync(_ options: SyncOptions, observe: @escaping SyncObserver) async throws -> SyncReport {
        var sync = self
        sync.observe = observe
        let limit = options.isWhole ? nil : options.limit ?? Self.contentsLimit
        let (refresh, sentMarks) = try await sync.run(limit: limit)
        var report = SyncReport(refresh: refresh)
        report.sentMarks = sentMarks
        return report
    }

    /// Syncs the service.
    ///
    /// Only one process does it at a time: another one could send a mark after a newer one. With a stored copy, a failure is
    /// part of the report.
    ///
    /// - Parameter limit: how many posts to fetch; nil for all.
    /// - Returns: the report, and how many marks were sent.
    func run(limit: Int? = contentsLimit) async throws -> (refresh: RefreshReport, sentMarks: Int) {
        guard let stored = try await store.read({ try Sources($0).find(connection.sourceID) }), let name = stored.name
        else {
            throw LibraryError.nothingStored(connection.url)
        }
        var hasCopy = stored.hasList
        // After an import, there are posts without a sync.
        if !hasCopy { hasCopy = try await store.read { try ServiceItems($0, service: stored.key).facts() }.posts > 0 }
        if connection.freshness == .offline {
            guard hasCopy else { throw LibraryError.nothingStored(connection.url) }
            return (RefreshReport(.offline(storedAt: stored.refreshedAt)), 0)
        }
        let lock = try await lock()
        defer { withExtendedLifetime(lock) {} }
        var sentMarks = 0
        let report = try await connection.recording(hasCopy: hasCopy, storedAt: stored.refreshedAt) {
            let api = try await api(named: name)
            let account = try await api.account()
            let feeds = try await api.subscriptions()
            // Its items are somebody else's: no mark may be sent to them, or taken from them.
            let isOther = try await store.read { try ServiceItems($0, service: stored.key).isOther(account, feeds) }
            if isOther, stored.isForgotten {
                try await store.writeToDisk { try ServiceItems($0, service: stored.key).beginAnew(account) }
            } else if isOther {
                throw ServiceError.otherAccount(connection.url, name: name)
            } else {
                try await detachOthers(at: api, of: stored.key, feeds)
            }
            try await store.writeToDisk {
                try ServiceItems($0, service: stored.key).note(account: account)
                try ServiceItems($0, service: stored.key).save(feeds, at: connection.now()) { feed, isTaken in
                    try SourceName.of(feed, in: name, isTaken: isTaken)
                }
            }
            var tags = try await api.tags(of: feeds)
            let (sent, failure, newLabels) = try await push(to: api, of: stored, tags)
            sentMarks = sent
            if !newLabels.isEmpty {
                tags = try await api.tags(of: feeds)
                // FreshRSS says OK, too, if a folder that it doesn't list has the name.
                for label in newLabels where tags.labels?.contains(where: { Label.isSame($0, label) }) != true {
                    sentMarks -= try await store.writeToDisk {
                        try MarkQueue($0).takeBack(label: label, of: stored.key)
                    }
                }
            }
            let (new, waiting) = try await pull(from: api, of: stored, feeds, tags, limit)
            sentMarks = max(0, sentMarks - waiting)
            try await confirm(stored)
            // The marks on the server are those of now, except for what it has yet to be told.
            if let failure { throw failure }
            return new == 0 ? RefreshReport(.unchanged) : RefreshReport(.stored(ListChanges(new: new)))
        }
        return (report, sentMarks)
    }

    /// Detaches posts from items that are of other posts now: after the restoration of an old backup or a new installation, a
    /// server gives the same IDs again.
    ///
    /// IDs grow, so those are the newest. If there are some, all are compared: after a new installation, the newest may be the same
    /// by chance.
    ///
    /// - Parameter hasOthers: whether there are some for certain.
    private func detachOthers(
        at api: ReaderAPI, of service: Int64, _ feeds: [ServiceFeed], hasOthers: Bool = false
    ) async throws {
        if try await neverReusesIDs(api, of: service) { return }
        let arrival = ServiceArrival(.unknown, feeds, now: connection.now())
        var others = hasOthers ? Self.severalOthers : 0
        // What is marked would be sent to them.
        let queued = try await store.read { try ServiceItems($0, service: service).queued() }
        for (index, batch) in queued.batches(of: Self.batchSize).enumerated() {
            if others == 0, index * Self.batchSize >= Self.maxDoubtful { break }
            let comparison = try await detachOthers(among: batch, arrival, at: api, of: service)
            if !comparison.others.isEmpty { others = Self.severalOthers }
            try await store.writeToDisk {
                try MarkQueue($0).resume(comparison.same, of: service)
                try MarkQueue($0).wait(for: batch.map(\.item).filter { !comparison.same.contains($0) }, of: service)
            }
        }
        var (count, skipped) = (Self.sampleSize, 0)
        while true {
            let stored = try await store.read { [count, skipped] in
                try ServiceItems($0, service: service).newest(count, skipping: skipped)
            }
            if stored.isEmpty { return }
            let comparison = try await detachOthers(among: stored[...], arrival, at: api, of: service)
            if let failure = comparison.failure { throw failure }
            others += comparison.others.count
            guard others >= Self.severalOthers || comparison.same.isEmpty else { return }
            // The others aren't among the newest any more.
            skipped += stored.count - comparison.others.count - comparison.absent.count
            count = Self.batchSize
        }
    }

    /// Whether no other item ever gets the ID of one.
    ///
    /// The IDs of FreshRSS are times, but not those of all that have its address, as the plugin FreshAPI of Tiny Tiny RSS does.
    private func neverReusesIDs(_ api: ReaderAPI, of service: Int64) async throws -> Bool {
        guard api.isFreshRSS else { return false }
        return try await store.read { try ServiceItems($0, service: service).haveTimes() }
    }

    /// A single other item may be an edited one, as those of a weather report are, of which nothing stays.
    private static let severalOthers = 2

    /// Detaches the posts of items that are of other posts now, if there are some among those whose marks would change; of very many
    /// of these, a part is compared.
    ///
    /// - Returns: the items that the server doesn't show, of which it isn't known what they are, and whether there are others; nil if
    ///   it shows none.
    private func detachOthers(
        amongChanged items: [String], at api: ReaderAPI, of service: Int64, _ feeds: [ServiceFeed]
    ) async throws -> (absent: [String], areOthers: Bool?) {
        if items.isEmpty { return ([], false) }
        if try await neverReusesIDs(api, of: service) { return ([], false) }
        let step = (items.count - 1) / Self.batchSize + 1
        let sample = stride(from: 0, to: items.count, by: step).map { items[$0] }
        let stored = try await store.read { try ServiceItems($0, service: service).find(sample) }
        let arrival = ServiceArrival(.unknown, feeds, now: connection.now())
        let comparison = try await detachOthers(among: stored[...], arrival, at: api, of: service)
        if comparison.failure != nil { return (items, nil) }
        if comparison.others.isEmpty { return (comparison.absent, false) }
        try await detachOthers(at: api, of: service, feeds, hasOthers: true)
        return (comparison.absent, true)
    }

    /// Detaches the posts of those items that are of other posts now, and notes which the server doesn't have, or doesn't show: they
    /// may be others once it has them.
    ///
    /// If it shows none at all, nothing may be sent or taken, as it isn't known what they are.
    private func detachOthers(
        among stored: ArraySlice<StoredItem>, _ arrival: ServiceArrival, at api: ReaderAPI, of service: Int64
    ) async throws -> ItemComparison {
        var comparison = ItemComparison()
        do {
            _ = try await inHalves(stored, if: \.isAboutItems, maxRefusals: Self.maxRefusals) { part in
                let found = try await contents(of: part.map(\.item), from: api)
                comparison.add(ItemComparison(of: part, with: found, arrival.entries(of: found)))
                return 0
            } refused: { item in
                comparison.add(ItemComparison(absent: [item]))
                return 0
            }
        } catch let error as HTTPError where error.isAboutItems {
            comparison.failure = error
        } catch let error as ServiceError {
            comparison.failure = error
        }
        if !comparison.others.isEmpty || !comparison.absent.isEmpty {
            try await store.writeToDisk { [comparison] in
                try ServiceItems($0, service: service).detach(comparison.others)
                try ServiceItems($0, service: service).note(absent: comparison.absent)
            }
        }
        return comparison
    }

    /// Whether the server has others under the IDs of the newest stored items that it has.
    private func hasOtherItems(_ api: ReaderAPI, of service: Int64, _ feeds: [ServiceFeed]) async throws -> Bool {
        if try await neverReusesIDs(api, of: service) { return false }
        let arrival = ServiceArrival(.unknown, feeds, now: connection.now())
        var (count, skipped) = (Self.sampleSize, 0)
        while true {
            let stored = try await store.read { [count, skipped] in
                try ServiceItems($0, service: service).newest(count, skipping: skipped)
            }
            guard !stored.isEmpty, let found = try await acceptedContents(of: stored.map(\.item), from: api) else {
                return false
            }
            let comparison = ItemComparison(of: stored, with: found, arrival.entries(of: found))
            // One may have been edited.
            if !comparison.same.isEmpty { return comparison.others.count > 1 }
            if !comparison.others.isEmpty { return true }
            skipped += stored.count
            count = Self.batchSize
        }
    }

    /// How many of the newest items are compared first.
    private static let sampleSize = 10

    /// The contents of items, asked for again if there are none: one answer without items proves as little as one list does.
    private func contents(of items: [String], from api: ReaderAPI) async throws -> [ReaderItem] {
        let first = try await api.contents(of: items)
        return first.isEmpty ? try await api.contents(of: items) : first
    }

    /// The contents of items; nil if the server refuses to be asked about these, or its answer isn't one.
    private func acceptedContents(of items: [String], from api: ReaderAPI) async throws -> [ReaderItem]? {
        do { return try await api.contents(of: items) } catch ServiceError.unusable(_, _) { return nil } catch let error
            as HTTPError where error.isAboutItems
        {
            return nil
        }
    }

    /// The right to sync, once no other process has it; nil if there can be no other, or no file for a lock.
    private func lock() async throws -> FileLock? {
        if store.path.isEmpty { return nil }
        while true {
            do { return try FileLock(path: store.path + "-sync") } catch .noFile { return nil } catch {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    /// Throws unless this server has the account and the feeds of one that is at another address.
    func check(isMovedFrom former: StoredSource) async throws {
        let name = former.name ?? ""
        let api = try await api(named: name, isMoving: true)
        let account = try await api.account()
        let feeds = try await api.subscriptions().map { feed in
            let place = feed.id.address.dropFirst(connection.sourceID.address.count)
            let id = SourceID(kind: feed.id.kind, address: former.id.address + place)
            return ServiceFeed(
                id: id, address: feed.address, title: feed.title, folder: feed.folder, site: feed.site)
        }
        let isSame = try await store.read {
            let items = ServiceItems($0, service: former.key)
            return try !items.isOther(account, feeds) && items.hasOne(of: feeds)
        }
        let hasOthers = isSame ? try await hasOtherItems(api, of: former.key, feeds) : true
        if hasOthers { throw ServiceError.otherAccount(connection.url, name: name) }
    }

    /// The API with the login of the service, whose server the user must have named.
    ///
    /// - Parameter isMoving: whether the user types now that the login is for this address.
    func api(named name: String, isMoving: Bool = false) async throws -> ReaderAPI {
        let url = connection.url
        guard await client.origins.mayReceivePassword(url) else {
            throw ServiceError.unconfirmed(url)
        }
        // A name alone doesn't bring a login along: the user must have followed this address under it.
        var isBound = isMoving
        if !isBound { isBound = await client.origins.mayReceiveLogin(of: name, at: url) }
        let own = isBound ? try await logins?(name) : nil
        let fromFile = client.login(for: url).map { ServiceLogin(user: $0.name, password: $0.password) }
        if !isBound, fromFile == nil, logins != nil { throw ServiceError.unconfirmed(url) }
        guard let login = own ?? fromFile else {
            throw client.hasUnsafeLogins
                ? ServiceError.unsafeLogins(url) : ServiceError.noLogin(url, name: name)
        }
        return ReaderAPI(at: url, client: client, login: login)
    }

    private func confirm(_ stored: StoredSource) async throws {
        let now = connection.now()
        let mark = RefreshMark(
            Checkpoint(validators: stored.validators, digest: stored.digest), refreshedAt: now,
            dueAt: connection.dueDate(after: now, every: stored.every))
        try await store.writeIfFree { try Sources($0).confirm(stored, mark: mark) }
    }

    // MARK: Marks

    /// Sends the marks in the queue; returns how many were sent, why some couldn't be, and which labels the server should have
    /// now that it hadn't.
    private func push(
        to api: ReaderAPI, of service: StoredSource, _ tags: ReaderAPI.Tags
    ) async throws -> (sent: Int, failure: (any FetchError)?, newLabels: [String]) {
        try await store.writeToDisk {
            try MarkQueue($0).dropImportedRemovals(of: service.key)
            if tags.labels != nil { try MarkQueue($0).resumeKept(of: service.key) }
            try MarkQueue($0).beginSync(of: service.key)
        }
        let settled = try await store.settleRules()
        try await store.writeToDisk { try MarkQueue($0).noteSending(of: service.key) }
        let queue = try await store.read { try MarkQueue($0).unsent(of: service.key, settled) }
        var groups: [(mark: Mark, items: [QueuedMark])] = []
        for mark in queue {
            if groups.last?.mark == mark.mark {
                groups[groups.count - 1].items.append(mark)
            } else {
                groups.append((mark.mark, [mark]))
            }
        }
        var (sent, failure, newLabels): (Int, (any FetchError)?, [String]) = (0, nil, [])
        for (mark, items) in groups {
            let spelt = mark.asSent(with: tags, api.hasRoom(for:))
            // A label with the name of a folder waits until that is free, but there is none to remove.
            let isRemoval = if case .unlabelled = mark { true } else { false }
            if spelt.isEmpty, tags.labels == nil {
                try await store.writeToDisk { try MarkQueue($0).keep(items, of: service.key) }
            } else if spelt.isEmpty, isRemoval {
                try await store.writeToDisk { try MarkQueue($0).noteWaiting(items, of: service.key) }
            }
            if case .labelled(let label)? = spelt.first, tags.labels?.contains(label) != true {
                newLabels.append(label)
            }
            for batch in spelt.isEmpty ? [] : items.batches(of: Self.batchSize) {
                do {
                    let taken = try await send(spelt, batch, to: api, of: service.key)
                    sent += taken
                    if taken < batch.count {
                        let marks = Counted.of(batch.count - taken, "mark")
                        failure =
                            failure ?? ServiceError.refused(connection.url, reason: "\(marks), kept to be sent again")
                    }
                } catch let error as any FetchError {
                    failure = failure ?? error
                    if (error as? HTTPError)?.stopsSync != false { return (sent, failure, newLabels) }
                }
            }
        }
        return (sent, failure, newLabels)
    }

    /// Sends a mark, in each of its spellings, for some items, and returns how many the server has taken.
    private func send(
        _ spelt: [Mark], _ items: ArraySlice<QueuedMark>, to api: ReaderAPI, of service: Int64
    ) async throws -> Int {
        try await inHalves(items, if: \.isAboutItems) { items in
            for mark in spelt { try await api.set(mark, on: items.map(\.item)) }
            try await store.writeToDisk { try MarkQueue($0).noteSent(Array(items), to: service) }
            return items.count
        } refused: { _ in
            0
        }
    }

    /// Works on items together, or if the server refuses that, on each half.
    ///
    /// One that it refuses alone must not hold up the others, but if it takes none, the item isn't the reason.
    ///
    /// - Parameters:
    ///   - isRefusal: whether fewer items may be taken.
    ///   - maxRefusals: how many there may be.
    ///   - refused: called with an item that is refused when others have been taken.
    /// - Returns: the sum of what is returned for the items.
    private func inHalves<Item>(
        _ items: ArraySlice<Item>, if isRefusal: (HTTPError) -> Bool, maxRefusals: Int = .max,
        _ work: (ArraySlice<Item>) async throws -> Int, refused: (Item) async throws -> Int
    ) async throws -> Int {
        var (refusals, hasTaken) = (0, false)
        func all(_ items: ArraySlice<Item>) async throws -> Int {
            guard let first = items.first else { return 0 }
            do {
                let result = try await work(items)
                hasTaken = true
                return result
            } catch let error as HTTPError where isRefusal(error) {
                refusals += 1
                guard refusals <= maxRefusals, items.count > 1 || hasTaken else { throw error }
                if items.count == 1 { return try await refused(first) }
                if hasTaken { return try await halves(items) }
                // Whether it takes any is seen by the first one, or else the last one.
                do {
                    return try await all(items.prefix(1)) + halves(items.dropFirst())
                } catch let error as HTTPError {
                    if hasTaken { throw error }
                }
                return try await all(items.suffix(1)) + halves(items.dropLast())
            }
        }
        func halves(_ items: ArraySlice<Item>) async throws -> Int {
            var sum = 0
            for half in items.halves { sum += try await all(half) }
            return sum
        }
        return try await all(items)
    }

    private func pull(
        from api: ReaderAPI, of service: StoredSource, _ feeds: [ServiceFeed], _ tags: ReaderAPI.Tags, _ limit: Int?
    ) async throws -> (new: Int, waiting: Int) {
        let pull = try await store.writeToDisk { try MarkQueue($0).beginPull(of: service.key) }
        var marks = try await marks(from: api, tags)
        var changes = try await changes(by: marks, of: service.key, isWhole: limit == nil)
        if changes.count > Self.maxChanges || changes.areOfEmptySet {
            let again = try await self.marks(from: api, api.tags(of: feeds))
            marks = marks.confirmed(by: again)
            changes = try await self.changes(by: marks, of: service.key, isWhole: limit == nil)
        }
        let returned = try await store.read { [marks] in
            try ServiceItems($0, service: service.key).absent { marks.items.contains($0) }
        }
        var unconfirmed = Set(try await neverReusesIDs(api, of: service.key) ? [] : returned.map(\.item))
        if !unconfirmed.isEmpty {
            let arrival = ServiceArrival(.unknown, feeds, now: connection.now())
            for batch in returned.batches(of: Self.batchSize) {
                let comparison = try await detachOthers(among: batch, arrival, at: api, of: service.key)
                unconfirmed.subtract(comparison.same + comparison.others)
            }
            changes = try await self.changes(
                by: marks, except: unconfirmed, of: service.key, isWhole: limit == nil)
        }
        let changed = try await detachOthers(amongChanged: changes.items, at: api, of: service.key, feeds)
        if changed.areOthers == nil { unconfirmed.formUnion(changed.absent) }
        if changed.areOthers != false {
            changes = try await self.changes(
                by: marks, except: unconfirmed, of: service.key, isWhole: limit == nil)
        }
        marks = marks.without(labels: try await wrongLabels(among: changes.labelled, at: api))
        // Some of the marks that were sent are seen only by what the sets lack, which an item that is deleted lacks, too.
        let unnamed = try await store.read {
            try MarkQueue($0).itemsOfUnnamed(pull: pull, of: service.key, limit: Self.maxDoubtful)
        }
        // Marks that wait for their posts go on once the server has them.
        let now = connection.now()
        let inDoubt = try await store.read { try MarkQueue($0).itemsInDoubt(of: service.key, at: now) }
        let asked = Set(changes.doubtful + unnamed.prefix(Self.maxSample) + inDoubt)
        var found = try await find(asked.sorted(), at: api, of: service.key)
        if !found.deleted.isDisjoint(with: unnamed) {
            let rest = try await find(Array(unnamed.dropFirst(Self.maxSample)), at: api, of: service.key)
            found.add(rest)
        }
        // Those that it lists, but can't show, must not hold up the rest.
        unconfirmed.formUnion(Set(changed.absent).subtracting(found.deleted))
        let waiting = try await store.writeToDisk { [marks, found, unconfirmed] in
            try MarkReconciliation(marks, except: unconfirmed, of: service.key, in: $0).apply(found: found, pull: pull)
        }
        try await findAgain(
            found, ServiceArrival(marks, feeds, now: connection.now()), at: api, of: service.key, isWhole: limit == nil)
        return (try await fetch(marks, from: api, of: service.key, feeds, limit), waiting)
    }

    /// Looks for posts whose items the server doesn't have any more, though marks wait for them, or its sets lack them, and for
    /// those that are kept without items.
    ///
    /// It may have them under other IDs, which only the lists of their feeds name if they are read.
    ///
    /// - Parameter found: what is known of some items already.
    private func findAgain(
        _ found: MarkReconciliation.FoundItems, _ arrival: ServiceArrival, at api: ReaderAPI, of service: Int64,
        isWhole: Bool
    ) async throws {
        let now = connection.now()
        let inDoubt = try await store.read { try MarkQueue($0).itemsInDoubt(of: service, at: now) }
        let rest = inDoubt.filter { !found.existing.contains($0) && !found.deleted.contains($0) }
        let asked = rest.isEmpty ? [] : try await find(rest, at: api, of: service).deleted
        let kept = try await store.read { try ServiceItems($0, service: service).kept(at: isWhole ? nil : now) }
        let deleted = found.deleted.union(asked)
        if deleted.isEmpty, kept.isEmpty { return }
        var left = isWhole ? Int.max : Self.maxDoubtful
        let feeds = try await store.read { try ServiceItems($0, service: service).feeds(of: deleted) }
        let ofKept = Set(kept.values).subtracting(feeds).sorted { $0.address < $1.address }
        let searchedFeeds = (feeds + ofKept).prefix(isWhole ? .max : Self.maxSearched)
        for stream in searchedFeeds.compactMap({ $0.placeAtService?.stream }) where left > 0 {
            var listed: [String] = []
            try await api.items(of: .feed(stream)).items.forEach { listed.append($0) }
            let unknown = try await store.read { [listed] in
                try ServiceItems($0, service: service).unknown(among: listed)
            }
            let searched = unknown.prefix(left)
            left -= searched.count
            for batch in Array(searched).batches(of: Self.batchSize) {
                guard let contents = try await acceptedContents(of: Array(batch), from: api) else { break }
                let entries = arrival.entries(of: contents)
                let former = try await replaced(by: entries, areOfFeeds: true, at: api, of: service).former
                try await store.writeToDisk {
                    let items = ServiceItems($0, service: service)
                    let found = Set(former.keys).union(kept.isEmpty ? [] : try items.kept(among: entries))
                    _ = try items.save(
                        entries.filter { found.contains($0.entry.metadata.postId) }, of: found.sorted(),
                        replacing: former, at: now)
                }
            }
            let sought = kept.filter { $0.value.placeAtService?.stream == stream }.keys
            try await store.writeToDisk {
                let items = ServiceItems($0, service: service)
                let rest = try items.kept(at: isWhole ? nil : now)
                try items.note(deleted: sought.filter { rest[$0] != nil }, at: now)
            }
        }
    }

    /// In how many feeds a sync looks for posts again.
    private static let maxSearched = 20

    private func changes(
        by marks: ServiceMarks, except unconfirmed: Set<String> = [], of service: Int64, isWhole: Bool
    ) async throws -> MarkReconciliation.Changes {
        let now = connection.now()
        return try await store.read {
            try MarkReconciliation(marks, except: unconfirmed, of: service, in: $0).changes(at: now, isWhole: isWhole)
        }
    }

    /// The labels whose sets have items that don't have the labels, by their contents.
    ///
    /// FreshRSS lists all items for a label that it doesn't know: one that it renders otherwise than it is stored, or that was
    /// removed a moment ago.
    private func wrongLabels(among labelled: [String: [String]], at api: ReaderAPI) async throws -> Set<String> {
        let sample = Array(Set(labelled.values.flatMap { $0.prefix(Self.maxLabelSample) })).prefix(Self.batchSize)
        guard !sample.isEmpty, let contents = try await acceptedContents(of: Array(sample), from: api) else {
            return []
        }
        let marks = contents.marks
        let wrong = labelled.filter { label, items in items.contains { marks[$0]?.hasLabel(label) == false } }
        return Set(wrong.keys)
    }

    /// How many items of each label are asked for.
    private static let maxLabelSample = 3

    private func marks(from api: ReaderAPI, _ tags: ReaderAPI.Tags) async throws -> ServiceMarks {
        let unread = try await api.items(of: .unread)
        let starred = try await api.items(of: .starred)
        var labels: [String: ServiceSet]?
        if let names = tags.labels {
            var sets: [String: ServiceSet] = [:]
            // Without a set, nothing is known about it: the same name can't be a label there.
            for folder in tags.folders { sets[folder] = .unknown }
            let folders = Set(tags.folders.map(Folding.searchable))
            // Case and accents don't count here.
            var spelt: [String: String] = [:]
            // Others can't be typed here.
            let usable = names.filter { Label.typed($0) == $0 && !folders.contains(Folding.searchable($0)) }
            for name in usable.dropFirst(Self.maxLabels) { sets[name] = .unknown }
            for name in usable.prefix(Self.maxLabels) {
                let set = try await api.items(of: .labelled(name))
                let known = spelt[Folding.searchable(name), default: name]
                spelt[Folding.searchable(name)] = known
                sets[known] = sets[known]?.joined(with: set) ?? set
            }
            labels = sets
        }
        return ServiceMarks(
            unread: unread, starred: starred, labels: labels, areLabelsComplete: tags.areLabelsComplete)
    }

    /// The items that the server still has of those that would lose marks because its sets lack them.
    private func find(
        _ doubtful: [String], at api: ReaderAPI, of service: Int64
    ) async throws -> MarkReconciliation.FoundItems {
        let now = connection.now()
        var result = MarkReconciliation.FoundItems()
        // Their contents take longer than the IDs of all, unless the server gives no such list, or not soon enough.
        let isListed = doubtful.count > Self.maxAskedWithContents
        if isListed { result.existing = try await listed(doubtful, by: api) }
        // Even a list of all may lack those of some feeds. The marks on the rest stay until another sync.
        let asked = doubtful.filter { [result] in !result.existing.contains($0) }.prefix(Self.maxDoubtful)
        for batch in Array(asked).batches(of: Self.batchSize) {
            do {
                _ = try await inHalves(batch, if: \.isAboutItems, maxRefusals: Self.maxRefusals) { items in
                    let contents = try await contents(of: Array(items), from: api)
                    result.marks.merge(contents.marks) { $1 }
                    let found = Set(contents.map(\.id))
                    result.existing.formUnion(found)
                    result.deleted.formUnion(Set(items).subtracting(found))
                    return 0
                } refused: { _ in
                    0
                }
            } catch ServiceError.unusable(_, _) {
                // Their marks stay.
                result.isUnanswered = true
            } catch let error as HTTPError where error.isAboutItems {
                result.isUnanswered = true
            }
        }
        // FreshRSS answers without items while its database is locked.
        if !result.deleted.isEmpty, !isListed {
            let listed = try await listed(result.deleted.sorted(), by: api)
            result.existing.formUnion(listed)
            result.deleted.subtract(listed)
        }
        if !result.deleted.isEmpty {
            try await store.writeToDisk { [deleted = result.deleted] in
                try ServiceItems($0, service: service).note(deleted: deleted.sorted(), at: now)
            }
        }
        return result
    }

    /// Those of some items that are in the server's list of all; none if it gives no such list, or not soon enough.
    private func listed(_ items: [String], by api: ReaderAPI) async throws -> Set<String> {
        do { return Set(items.filter(try await api.allItems().contains)) } catch ServiceError.unusable(_, _) {
            return []
        } catch let error as HTTPError where error.statusCode != 401 && error.statusCode != 429 {
            return []
        }
    }

    /// If more items are doubtful, the server is asked for the IDs of all that it has.
    private static let maxAskedWithContents = 20
    /// How many items of marks that were sent are asked for if nothing is doubtful.
    private static let maxSample = 10
    /// How many items a sync asks for one by one.
    private static let maxDoubtful = 1000

    // MARK: Contents

    /// Fetches items that aren't stored, and returns how many posts are new.
    private func fetch(
        _ marks: ServiceMarks, from api: ReaderAPI, of service: Int64, _ feeds: [ServiceFeed], _ limit: Int?
    ) async throws -> Int {
        let now = connection.now()
        let missing = try await store.read { try ServiceItems($0, service: service).missing(limit, at: now) }
        guard !missing.isEmpty else { return 0 }
        await observe(.planned(missing.count))
        let arrival = ServiceArrival(marks, feeds, now: now)
        var (new, undecided) = (0, [SourceID: [String]]())
        for batch in missing.batches(of: Self.batchSize) {
            let fetched = try await fetch(batch, arrival, from: api, of: service)
            new += fetched.new
            undecided.merge(fetched.undecided) { $0 + $1 }
        }
        for items in undecided.sorted(by: { $0.key.address < $1.key.address }).map(\.value) {
            for part in items.batches(of: Self.maxOfFeed) {
                new += try await fetch(part, arrival, areOfFeeds: true, from: api, of: service).new
            }
        }
        return new
    }

    /// More than a feed has, and fewer than the fields of a form that a server reads.
    private static let maxOfFeed = 900

    /// Fetches some items.
    ///
    /// - Parameter areOfFeeds: whether they are all new items of their feeds.
    /// - Returns: how many posts are new, and the items that can only be told from others along with the rest of their feeds.
    private func fetch(
        _ items: ArraySlice<String>, _ arrival: ServiceArrival, areOfFeeds: Bool = false, from api: ReaderAPI,
        of service: Int64
    ) async throws -> (new: Int, undecided: [SourceID: [String]]) {
        var undecided: [SourceID: [String]] = [:]
        func save(
            _ entries: [ServiceEntry], of items: [String], replacing former: [String: String] = [:]
        ) async throws -> Int {
            try await store.writeToDisk {
                try ServiceItems($0, service: service)
                    .save(entries, of: items, replacing: former, at: connection.now())
            }
        }
        let new = try await inHalves(items, if: \.isAboutItems, maxRefusals: Self.maxRefusals) { items in
            let arrived = arrival.entries(of: try await api.contents(of: Array(items)))
            let found = try await replaced(by: arrived, areOfFeeds: areOfFeeds, at: api, of: service)
            let left = Set(found.undecided.values.joined())
            let entries = arrived.filter { !found.waiting.union(left).contains($0.entry.metadata.postId) }
            let new = try await save(entries, of: items.filter { !left.contains($0) }, replacing: found.former)
            for entry in entries { await observe(.done(entry.entry.metadata, of: entry.feed, .new)) }
            undecided.merge(found.undecided) { $0 + $1 }
            return new
        } refused: { item in
            try await save([], of: [item])
        }
        return (new, undecided)
    }

    /// The stored items that the server has deleted, and has again under other IDs, as after a restored backup, by these: the
    /// posts of the new ones are those.
    ///
    /// - Parameter areOfFeeds: whether they are all new entries of their feeds.
    /// - Returns: also the new items that wait for the next sync, because the server didn't tell whether it has the former ones; and
    ///   those that can only be told from others along with the rest of their feeds.
    private func replaced(
        by entries: [ServiceEntry], areOfFeeds: Bool, at api: ReaderAPI, of service: Int64
    ) async throws -> (former: [String: String], waiting: Set<String>, undecided: [SourceID: [String]]) {
        let (former, undecided) = try await store.read {
            try ServiceItems($0, service: service).former(of: entries, areOfFeeds: areOfFeeds)
        }
        if former.isEmpty { return ([:], [], undecided) }
        let found = try await find(former.values.sorted(), at: api, of: service)
        let untold = former.filter { !found.existing.contains($0.value) && !found.deleted.contains($0.value) }
        let waiting =
            untold.isEmpty
            ? []
            : try await store.read { try ServiceItems($0, service: service).askedAgain() }.intersection(untold.keys)
        return (former.filter { found.deleted.contains($0.value) }, waiting, undecided)
    }

    /// How many requests for contents may fail in a batch.
    private static let maxRefusals = 40
}

extension HTTPError {
    /// Whether fewer items may be sent.
    fileprivate var isAboutItems: Bool {
        switch self {
        case .status(_, let code, _): [400, 413, 500, 502, 504].contains(code)
        case .tooLarge, .tooSlow: true
        default: false
        }
    }

    /// Whether further changes would fail, too.
    fileprivate var stopsSync: Bool { statusCode == 401 || statusCode == 429 || isConnectionFailure }
}

extension Mark {
    /// The mark in the server's spellings; none if it can't have it.
    fileprivate func asSent(with tags: ReaderAPI.Tags, _ fits: (String) -> Bool) -> [Mark] {
        func known(_ label: String) -> [String] {
            guard let labels = tags.labels, fits(label),
                !tags.folders.contains(where: { Label.isSame($0, label) })
            else { return [] }
            let same = labels.filter { Label.isSame($0, label) }
            return same.isEmpty ? [label] : same
        }
        switch self {
        case .labelled(let label): return known(label).prefix(1).map { .labelled($0) }
        case .unlabelled(let label): return known(label).map { .unlabelled($0) }
        default: return [self]
        }
    }
}

/// What a server has under the IDs of stored items.
private struct ItemComparison {
    /// The items that are of the same posts, of others, and that it doesn't have.
    private(set) var (same, others, absent) = ([String](), [String](), [String]())
    /// Why it doesn't show the rest; nil if it does.
    var failure: (any Error)?

    init(absent: [StoredItem] = []) { self.absent = absent.map(\.item) }

    mutating func add(_ other: ItemComparison) {
        same += other.same
        others += other.others
        absent += other.absent
    }

    /// - Parameters:
    ///   - found: what the server has of them.
    ///   - entries: the same, but for feeds that aren't followed.
    init(of stored: some Sequence<StoredItem>, with found: [ReaderItem], _ entries: [ServiceEntry]) {
        let ids = Set(found.map(\.id))
        let arrived = Dictionary(entries.map { ($0.entry.metadata.postId, $0) }) { first, _ in first }
        for item in stored {
            if let entry = arrived[item.item] {
                if item.isSame(as: entry) { same.append(item.item) } else { others.append(item.item) }
            } else if !ids.contains(item.item) {
                absent.append(item.item)
            }
        }
    }
}

/// Makes entries of the items of a service.
private struct ServiceArrival: Sendable {
    private let feeds: [SourceID: ServiceFeed]
    private let marks: ServiceMarks
    private let base: URL?
    private let now: Date

    init(_ marks: ServiceMarks, _ feeds: [ServiceFeed], now: Date) {
        self.feeds = Dictionary(feeds.map { ($0.id, $0) }) { first, _ in first }
        base = feeds.first?.id.service.flatMap { URL(address: $0.address) }
        self.marks = marks
        self.now = now
    }

    /// The entries of items, oldest first, without those of feeds that aren't followed.
    func entries(of items: [ReaderItem]) -> [ServiceEntry] {
        let told = items.marks
        return Dictionary(grouping: items, by: \.stream).sorted { ($0.key ?? "") < ($1.key ?? "") }.flatMap {
            stream, items in
            guard let stream, let base, let feed = feeds[FeedOfServiceSource.sourceID(of: stream, at: base)] else {
                return [ServiceEntry]()
            }
            return FeedEntries(of: FeedDocument(title: feed.title, items: items.map(\.item)), now: now).map { entry in
                let id = entry.metadata.postId
                // What an item says of itself is newer than the lists, and true also if they lack items.
                return ServiceEntry(
                    entry, of: feed.id, isRead: told[id]?.contains(.read) ?? !marks.unread.contains(id),
                    isStarred: marks.starred.contains(id) || told[id]?.contains(.saved) == true,
                    labels: (marks.labels ?? [:]).filter { label, set in
                        set.contains(id) && told[id]?.hasLabel(label) != false
                    }.map(\.key).sorted())
            }
        }
    }
}

extension [ReaderItem] {
    /// The marks of those items of which the server tells them, by ID.
    fileprivate var marks: [String: Set<Mark>] {
        Dictionary(compactMap { item in item.marks.map { (item.id, $0) } }) { first, _ in first }
    }
}

extension Array {
    /// Consecutive elements, at most so many at a time.
    fileprivate func batches(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}

extension ArraySlice {
    fileprivate var halves: [ArraySlice<Element>] {
        let middle = startIndex + count / 2
        return [self[..<middle], self[middle...]]
    }
}

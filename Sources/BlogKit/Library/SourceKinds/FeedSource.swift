import BlogEssentials
import BlogFeeds
import BlogHTTP
import BlogMarkup
import BlogModel

/// A blog with a feed in any format that ``FeedParser`` reads.
///
/// A feed contains the newest posts with their bodies. Their GUIDs, the `postId`, are hard to type, so the store
/// numbers them.
package struct FeedSource: Source {
    package static let kind = SourceKind(
        name: "feed", defaultAddress: nil, description: "feeds",
        capabilities: Capabilities(bodyFormat: .html, includesBodies: true, canBeRepaired: true), isPage: true,
        isDetectedByList: false
    ) { FeedSource(address: $0, client: $1) }

    let address: URL
    let client: HTTPClient
    /// A document that was received before; nil to send a request.
    var received: HTTPDocument?

    package var id: SourceID { SourceID(kind: Self.kind.name, address: address.absoluteString) }

    package func refresh(_ section: String?, since: Checkpoint?) async throws -> Refresh {
        let response =
            if let received { received } else {
                try await client.get(
                    address, options: .feed, validators: since?.validators, limit: HTTPLimits.feedBytes)
            }
        let isNotModified = response.isNotModified
        let digest = isNotModified ? since?.digest : try response.body.digest
        func checkpoint(timeToLive: TimeInterval?, of feed: FeedDocument? = nil) -> Checkpoint {
            let isWhole = feed.map { $0.end == .found } ?? true
            let validators = isWhole ? response.validators : CacheValidators()
            var checkpoint = Checkpoint(
                validators: isNotModified ? since?.validators ?? validators : validators,
                digest: isWhole ? digest : nil, maxAge: CacheControl.maxAge(response.head), timeToLive: timeToLive ?? 0,
                title: feed?.title, home: feed?.link,
                movedTo: response.permanentURL?.absoluteString)
            checkpoint.older = feed?.olderPosts(at: address)
            return checkpoint
        }
        if isNotModified || digest == since?.digest {
            return .unchanged(checkpoint(timeToLive: since?.timeToLive), wasSent: !isNotModified)
        }
        let stored = await since?.entries() ?? [:]
        let feed = try Self.parse(response) { stored[$0] != nil }
        // Of such a beginning, the title may be cut off, too.
        if feed.end == .missing, feed.items.isEmpty, feed.stored.isEmpty {
            throw SourceError.unreadable(response.url, problem: SourceError.cutOffProblem)
        }
        return .entries(
            FeedBatches(feed, stored: stored, now: client.clock.now()), .window,
            checkpoint(timeToLive: feed.timeToLive, of: feed))
    }

    /// A page of the feed, or with older posts.
    ///
    /// - Parameter links: requests a page elsewhere, which gets no login, and may not be in a private network.
    func page(at url: URL, _ links: LinkRequests) async throws -> (entries: [Entry], older: OlderPosts?) {
        let response =
            if Origin(address).covers(Origin(url)) {
                try await client.get(url, options: .feed, limit: HTTPLimits.feedBytes)
            } else {
                try await links.response(of: url, namedBy: id, limit: HTTPLimits.feedBytes) {
                    .feed.limited(to: .publicInternet(and: $0))
                }
            }
        let feed = try Self.parse(response) { _ in false }
        // The rest of it would never be asked for again.
        if feed.end == .withinItem { throw SourceError.unreadable(url, problem: SourceError.cutOffProblem) }
        return (Array(FeedEntries(of: feed, now: client.clock.now())), feed.olderPosts(at: url))
    }

    package func mayMove(to address: URL) -> Bool { client.mayMove(from: self.address, to: address) }

    private static func parse(_ response: HTTPDocument, isStored: (Int64) -> Bool) throws -> FeedDocument {
        do {
            return try FeedParser.parse(
                try response.body.bytes, charset: response.head.charset, base: response.finalURL,
                isStored: isStored)
        } catch is FeedError {
            throw SourceError.unreadable(response.url, problem: "isn't a feed")
        }
    }
}

/// The entries of a feed in batches, because the store needs more memory for an entry than the feed does.
private struct FeedBatches: EntryBatches {
    private var entries: FeedEntries
    private var stored: [Int64]
    private var rejected: [RejectedRecord] = []

    init(_ feed: FeedDocument, stored: [Int64: String], now: Date) {
        entries = FeedEntries(of: feed, stored: feed.stored.compactMap { stored[$0] }, now: now)
        // Oldest first, like the entries.
        self.stored = feed.stored.reversed()
        if feed.end == .withinItem {
            let index = feed.items.count + feed.stored.count
            rejected = [RejectedRecord(index: index, field: "", reason: "is cut off")]
        } else if feed.end == .tooMany {
            let most = Counted.number(FeedDocument.maxItems)
            rejected = [
                RejectedRecord(
                    index: FeedDocument.maxItems, field: "", reason: "is one too many (a feed has at most \(most))")
            ]
        }
    }

    mutating func next() -> EntryBatch? {
        var batch = EntryBatch()
        swap(&batch.unchanged, &stored)
        swap(&batch.rejected, &rejected)
        while batch.count < Self.batchSize, let entry = entries.next() { batch.entries.append(entry) }
        return batch.isEmpty ? nil : batch
    }

    private static let batchSize = 500
}

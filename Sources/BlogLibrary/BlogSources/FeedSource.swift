import Essentials
import Feeds
import HTTP
import Model

/// A blog by its feed, in any format that ``FeedParser`` reads.
///
/// A feed brings its newest posts with their bodies. They have no ids that a person would type, so the store numbers
/// them; the GUID is the `postId`.
package struct FeedSource: Source {
    package static let kind = SourceKind(
        name: "feed", usualAddress: nil, description: "feeds",
        capabilities: Capabilities(bodyFormat: .html, bodiesComeAlong: true), isPage: true
    ) { FeedSource(address: $0, client: $1) }

    package let id: SourceID
    package let capabilities = kind.capabilities
    private let address: URL
    private let client: HTTPClient
    /// A response that was received before; nil to send a request.
    private var received: HTTPResponse?

    package init(address: URL, client: HTTPClient) {
        self.address = address
        self.client = client
        id = SourceID(kind: Self.kind.name, address: address.absoluteString)
    }

    package func refresh(_ section: String?, since: Checkpoint?) async throws -> Refresh {
        let response =
            if let received { received } else {
                try await client.getWhole(
                    address, options: .feed, validators: since?.validators, limit: HTTPLimits.feedBytes)
            }
        let validators = CacheValidators(response.head)
        let maxAge = CacheControl.maxAge(response.head)
        let movedTo = response.permanentURL?.absoluteString
        if response.isNotModified {
            let kept = Checkpoint(
                validators: since?.validators ?? validators, digest: since?.digest, maxAge: maxAge,
                timeToLive: since?.timeToLive ?? 0, movedTo: movedTo)
            return .unchanged(kept, wasSent: false)
        }
        let body = response.body.whole
        let digest = ContentDigest.of(body)
        guard digest != since?.digest else {
            let kept = Checkpoint(
                validators: validators, digest: digest, maxAge: maxAge, timeToLive: since?.timeToLive ?? 0,
                movedTo: movedTo)
            return .unchanged(kept, wasSent: true)
        }
        let feed = try Self.parse(body, response)
        let checkpoint = Checkpoint(
            validators: validators, digest: digest, maxAge: maxAge, timeToLive: feed.timeToLive ?? 0,
            title: feed.title, movedTo: movedTo)
        return .entries(FeedBatches(FeedEntries(of: feed)), .window, checkpoint)
    }

    /// The same source, whose feed has just been received.
    func receiving(_ feed: HTTPResponse) -> FeedSource {
        var source = self
        source.received = feed
        return source
    }

    package func mayMove(to address: URL) -> Bool { client.mayMove(from: self.address, to: address) }

    private static func parse(_ body: Data, _ response: HTTPResponse) throws -> FeedDocument {
        do {
            return try FeedParser.parse([UInt8](body), charset: response.head.charset, base: response.finalURL)
        } catch is FeedError {
            throw SourceError.unreadable(response.url, problem: "is not a feed")
        }
    }
}

/// The entries of a feed in batches: the store needs more memory for an entry than the feed does.
private actor FeedBatches: EntryBatches {
    private var entries: FeedEntries

    init(_ entries: FeedEntries) {
        self.entries = entries
    }

    func next() -> EntryBatch? {
        var batch = EntryBatch()
        while batch.count < Self.batchSize, let entry = entries.next() { batch.entries.append(entry) }
        return batch.isEmpty ? nil : batch
    }

    private static let batchSize = 500
}

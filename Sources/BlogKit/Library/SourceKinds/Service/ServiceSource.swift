import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// A server that follows feeds, and keeps the marks on their posts, for all programs of a user.
///
/// It has no posts of its own: they belong to its feeds, each a ``FeedOfServiceSource``.
package struct ServiceSource: Source {
    package static let kind = SourceKind(
        name: "service", defaultAddress: nil, description: "sync servers with the Google Reader API",
        capabilities: Capabilities(includesBodies: true), isDetectedByList: false
    ) { ServiceSource(address: $0, client: $1) }

    let address: URL
    let client: HTTPClient

    package var id: SourceID { SourceID(kind: Self.kind.name, address: address.absoluteString) }

    package func refresh(_ section: String?, since: Checkpoint?) async throws -> Refresh { nothingNew(since) }

    package func mayMove(to address: URL) -> Bool { false }
}

/// A feed that a ``ServiceSource`` follows; only that is ever requested.
///
/// Its address is that of its items in the API: `…/reader/api/0/stream/contents/feed%2F12`.
package struct FeedOfServiceSource: Source {
    package static let kind = SourceKind(
        name: "subscription", defaultAddress: nil, description: "feeds of sync servers",
        capabilities: Capabilities(bodyFormat: .html, includesBodies: true), isDetectedByList: false
    ) { address, _ in FeedOfServiceSource(address: address) }

    let address: URL

    package var id: SourceID { SourceID(kind: Self.kind.name, address: address.absoluteString) }

    package func refresh(_ section: String?, since: Checkpoint?) async throws -> Refresh { nothingNew(since) }

    package func mayMove(to address: URL) -> Bool { false }

    private static let streams = "/reader/api/0/stream/contents/"

    /// The source for a feed with an ID at a server.
    static func sourceID(of stream: String, at base: URL) -> SourceID {
        let address = base.appending(encodedPath: ["reader", "api", "0", "stream", "contents", stream])
        return SourceID(kind: kind.name, address: address.absoluteString)
    }

    /// The service that a source is a feed of, and its ID there; nil for any other source.
    static func place(of source: SourceID) -> (service: SourceID, stream: String)? {
        guard source.kind == kind.name, let path = source.address.firstRange(of: streams),
            let stream = String(source.address[path.upperBound...]).percentDecoded
        else { return nil }
        let base = String(source.address[..<path.lowerBound])
        return (SourceID(kind: ServiceSource.kind.name, address: base), stream)
    }
}

extension Source {
    fileprivate func nothingNew(_ since: Checkpoint?) -> Refresh {
        .unchanged(Checkpoint(validators: since?.validators ?? CacheValidators(), digest: nil), wasSent: false)
    }
}

extension SourceID {
    /// Whether it is a service.
    package var isService: Bool { kind == ServiceSource.kind.name }

    /// The service that it is a feed of; nil for any other source.
    package var service: SourceID? { FeedOfServiceSource.place(of: self)?.service }
}

extension [SourceID] {
    /// The sources that have to be requested for these: services instead of their feeds, each once.
    var requested: [SourceID] {
        var seen: Set<SourceID> = []
        return map { $0.service ?? $0 }.filter { seen.insert($0).inserted }
    }
}

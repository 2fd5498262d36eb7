import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// A server that follows feeds, and keeps the marks on their posts, for all programs of a user.
///
/// It isn't a source: its posts belong to its feeds, each a ``FeedOfServiceSource``. ``ServiceSync`` asks it.
package enum Service {
    package static let kind = SourceKind(
        name: SourceID.serviceKind, defaultAddress: nil, description: "sync servers with the Google Reader API",
        capabilities: Capabilities(includesBodies: true), isAccount: true, isDetectedByList: false)

    /// The service at the address of an API, of an account there; nil for an address that can't be one.
    static func id(at address: String, of user: String?) -> SourceID? {
        guard let user else { return kind.source(at: address) }
        return SourceAddress.account(address, of: user).flatMap { kind.source(at: $0.absoluteString) }
    }

    /// Whether a password is sent to an address with encryption, or only within this machine.
    static func isEncrypted(_ address: String) -> Bool {
        URL(address: address).map { Origin($0).isConfidential } ?? false
    }
}

/// A feed that a ``Service`` follows; only that is ever requested.
///
/// Its address is that of its items in the API: `…/reader/api/0/stream/contents/feed%2F12`.
package struct FeedOfServiceSource: Source {
    package static let kind = SourceKind(
        name: SourceID.subscriptionKind, defaultAddress: nil, description: "feeds of sync servers",
        capabilities: Capabilities(bodyFormat: .html, includesBodies: true), isAccount: true, isDetectedByList: false
    ) { address, _ in FeedOfServiceSource(address: address) }

    let address: URL

    package var id: SourceID { SourceID(kind: Self.kind.name, address: address.absoluteString) }

    package func refresh(_ section: String?, since: Checkpoint?) async throws -> Refresh {
        .unchanged(Checkpoint(validators: since?.validators ?? CacheValidators(), digest: nil), wasSent: false)
    }

    package func mayMove(to address: URL) -> Bool { false }

    /// The source for a feed with an ID at a server.
    static func sourceID(of stream: String, at base: URL) -> SourceID {
        let address = base.appending(encodedPath: ["reader", "api", "0", "stream", "contents", stream])
        return SourceID(kind: kind.name, address: address.absoluteString)
    }
}

extension [SourceID] {
    /// The sources that have to be requested for these: services instead of their feeds, each once.
    var requested: [SourceID] {
        var seen: Set<SourceID> = []
        return map { $0.service ?? $0 }.filter { seen.insert($0).inserted }
    }
}

import BlogEssentials
import BlogModel
import Synchronization

/// The origins of the addresses that the user has typed, which alone decide where a login goes and which private networks
/// are entered.
///
/// Never a name, a redirect, a page, a list, an archive, or what a feed says of itself. https counts as the same origin as
/// http, not the other way round.
package struct TypedOrigins: Sendable {
    /// Those of earlier commands; nil if every address is the caller's own.
    private let record: (any OriginRecord)?
    /// Those of this command.
    private var new: [Origin: OriginUse] = [:]
    private var included = IncludedOrigins()

    /// - Parameter record: nil if every address is the caller's own, as for a client without a store.
    package init(_ record: (any OriginRecord)?) { self.record = record }

    /// These, and that of an address which the user types now, or which the program names itself.
    func adding(_ url: URL, _ use: OriginUse) -> TypedOrigins {
        var origins = self
        origins.new[Origin(url)] = use
        // What is true of these isn't of those without the address.
        origins.included = IncludedOrigins()
        return origins
    }

    /// These with another record in place of theirs, if they have one.
    func remembering(_ record: any OriginRecord) -> TypedOrigins {
        var origins = TypedOrigins(self.record == nil ? nil : record)
        origins.new = new
        return origins
    }

    /// Whether a source at an address may be requested in a private network.
    package func include(_ url: URL) async -> Bool {
        let origin = Origin(url)
        if included.contains(origin) { return true }
        guard await use(of: origin) != nil else { return false }
        included.insert(origin)
        return true
    }

    /// Whether ``include(_:)`` has been true, so that the record needn't be asked again: no origin leaves it.
    func haveIncluded(_ url: URL) -> Bool { included.contains(Origin(url)) }

    /// Why the user's login for a host, or an API key, isn't sent to an address; nil if it may be.
    package func whyNoLogin(_ url: URL) async -> HTTPError.Unauthorized? {
        let origin = Origin(url)
        guard let use = await use(of: origin) else { return .unconfirmed }
        guard origin.isConfidential || use.allowsHTTP else { return .unencrypted }
        return await record?.hasService(atHost: (url.host ?? "").lowercased()) == true ? .forService : nil
    }

    /// Whether the user has followed a sync server at the origin of an address, so that it may be sent the password.
    package func mayReceivePassword(_ service: URL) async -> Bool {
        if record == nil { return true }
        return await use(of: Origin(service))?.isService == true
    }

    /// Whether the user has followed an address at this origin under the name that a login is kept for, so that it may be sent
    /// there.
    package func mayReceiveLogin(of name: String, at service: URL) async -> Bool {
        guard let record else { return true }
        return await record.isBound(login: name, to: Origin(service).covering)
    }

    private func use(of origin: Origin) async -> OriginUse? {
        guard let record else { return OriginUse() }
        let uses = [await record.use(of: origin.covering)] + new.filter { $0.key.covers(origin) }.map(\.value)
        return uses.reduce(nil) { $0?.merged(with: $1) ?? $1 }
    }
}

/// The origins that were found to be typed, shared by the copies of a client.
private final class IncludedOrigins: Sendable {
    private let origins = Mutex<Set<Origin>>([])

    func contains(_ origin: Origin) -> Bool { origins.withLock { $0.contains(origin) } }

    func insert(_ origin: Origin) { origins.withLock { _ = $0.insert(origin) } }
}

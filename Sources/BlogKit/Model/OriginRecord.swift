/// Remembers the origins of addresses that the user has typed, such as `https://example.org` or `http://localhost:8106`.
package protocol OriginRecord: Sendable {
    /// What the user has typed addresses of any of some origins for; nil for none, or if the record can't be read.
    func use(of origins: [String]) async -> OriginUse?

    /// Whether a sync server is known on a host, whatever its port.
    func hasService(atHost host: String) async -> Bool

    /// Whether the login of a sync server's name is for one of some origins: its address was followed under that name.
    func isBound(login name: String, to origins: [String]) async -> Bool
}

/// What the user has typed the address of an origin for.
package struct OriginUse: Hashable, Sendable {
    /// Whether for a sync server.
    package var isService: Bool
    /// Whether a login may be sent there without encryption.
    package var allowsHTTP: Bool

    package init(isService: Bool = false, allowsHTTP: Bool = false) {
        (self.isService, self.allowsHTTP) = (isService, allowsHTTP)
    }

    /// This use and another one; nil stands for none.
    package func merged(with other: OriginUse?) -> OriginUse {
        OriginUse(
            isService: isService || other?.isService == true, allowsHTTP: allowsHTTP || other?.allowsHTTP == true)
    }
}

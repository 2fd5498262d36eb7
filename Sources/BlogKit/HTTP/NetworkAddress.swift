import BlogEssentials

/// An IPv4 or IPv6 address, without port and zone.
package struct NetworkAddress: Hashable, Sendable {
    /// Four or sixteen bytes; an IPv4-mapped IPv6 address (`::ffff:127.0.0.1`) has four.
    private let bytes: [UInt8]

    private init(bytes: [UInt8]) {
        let isMapped = bytes.count == 16 && bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10...11] == [0xFF, 0xFF]
        self.bytes = isMapped ? Array(bytes.suffix(4)) : bytes
    }

    /// Parses an address; nil for a host name.
    package init?(_ text: String) {
        // The zone of a link-local address follows a percent sign.
        let text = String(text.prefix { $0 != "%" })
        var (v4, v6) = (in_addr(), in6_addr())
        if inet_pton(AF_INET6, text, &v6) == 1 {
            self.init(bytes: withUnsafeBytes(of: &v6) { Array($0) })
        } else if inet_aton(text, &v4) != 0 {
            // inet_aton accepts the same forms as resolvers: 127.1, 0x7f000001, 2130706433.
            self.init(bytes: withUnsafeBytes(of: &v4) { Array($0) })
        } else {
            return nil
        }
    }

    /// The address of a socket; nil if it is neither IPv4 nor IPv6.
    init?(_ socket: UnsafePointer<sockaddr>, family: Int32) {
        let raw = UnsafeRawPointer(socket)
        switch family {
        case AF_INET:
            self.init(bytes: withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) })
        case AF_INET6:
            self.init(bytes: withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) })
        default: return nil
        }
    }

    /// Resolves a name to its addresses, which blocks; empty if it can't be resolved.
    package static func resolved(_ name: String) -> [NetworkAddress] {
        var (hints, list) = (addrinfo(), UnsafeMutablePointer<addrinfo>?.none)
        hints.ai_family = AF_UNSPEC
        guard getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        return sequence(first: list, next: { $0?.pointee.ai_next }).prefix { $0 != nil }
            .compactMap { $0?.pointee }.compactMap { found in
                found.ai_addr.flatMap { NetworkAddress(UnsafePointer($0), family: found.ai_family) }
            }
    }

    /// Whether the address and a network share their first bits; false if their IP versions differ.
    func isIn(_ network: NetworkAddress, bits: Int) -> Bool {
        guard bytes.count == network.bytes.count, (0...bytes.count * 8).contains(bits) else { return false }
        let whole = bits / 8
        guard bytes.prefix(whole) == network.bytes.prefix(whole) else { return false }
        return bits % 8 == 0 || bytes[whole] >> (8 - bits % 8) == network.bytes[whole] >> (8 - bits % 8)
    }

    // MARK: Private networks

    /// Whether a URL's host is in a private network, without resolving a name.
    package static func isPrivate(host: String) -> Bool {
        let name = normalized(host)
        return NetworkAddress(name)?.isPrivate ?? isPrivate(name: name)
    }

    /// Whether a name is only used within a machine or a private network: one without a dot, or one in a domain that has
    /// no public names (RFC 6761, RFC 6762 with its appendix G, RFC 8375, and ICANN's reserved `internal`).
    private static func isPrivate(name: String) -> Bool {
        !name.contains(".") || privateDomains.contains { name.hasSuffix("." + $0) } || name == "home.arpa"
    }

    private static let privateDomains = [
        "localhost", "local", "internal", "home.arpa", "lan", "intranet", "private", "corp", "home", "test",
        "localdomain",
    ]

    /// A host as it is resolved: percent-decoded and in lower case, without brackets or a trailing dot.
    static func normalized(_ host: String) -> String {
        // Resolvers map circled and full-width letters and digits to plain ones (RFC 5891, RFC 3490).
        var name = HostName.normalized(host.percentDecoded ?? host)
        while name.hasSuffix(".") { name.removeLast() }
        if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
        return name
    }

    /// Whether the address isn't routable on the public internet.
    package var isPrivate: Bool {
        if Self.privateNetworks.contains(where: { isIn($0.network, bits: $0.bits) }) { return true }
        if bytes.count == 4 { return false }
        // IPv4 addresses embedded in IPv6: NAT64 (RFC 6052) and 6to4 (RFC 3056).
        if bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B] + Array(repeating: 0, count: 8)) {
            return NetworkAddress(bytes: Array(bytes.suffix(4))).isPrivate
        }
        if bytes.starts(with: [0x20, 0x02]) { return NetworkAddress(bytes: Array(bytes[2..<6])).isPrivate }
        // Global unicast addresses begin with the bits 001 (RFC 4291); loopback, link-local, site-local, unique local
        // and multicast addresses don't.
        return bytes[0] >> 5 != 0b001
    }

    /// The special-purpose networks (https://www.iana.org/assignments/iana-ipv4-special-registry,
    /// https://www.iana.org/assignments/iana-ipv6-special-registry).
    private static let privateNetworks: [(network: NetworkAddress, bits: Int)] = [
        ("0.0.0.0", 8), ("10.0.0.0", 8), ("100.64.0.0", 10), ("127.0.0.0", 8), ("169.254.0.0", 16), ("172.16.0.0", 12),
        ("192.0.0.0", 24), ("192.0.2.0", 24), ("192.88.99.0", 24), ("192.168.0.0", 16), ("198.18.0.0", 15),
        ("198.51.100.0", 24), ("203.0.113.0", 24), ("224.0.0.0", 4), ("240.0.0.0", 4),
        // Protocols such as Teredo, and documentation.
        ("2001::", 23), ("2001:db8::", 32), ("3fff::", 20),
    ].compactMap { text, bits in NetworkAddress(text).map { ($0, bits) } }
}

import Essentials
import Model

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

    /// Resolves a name, which blocks; empty if it has no addresses.
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

    /// Whether a name is only used within a machine or a private network (RFC 6761, RFC 6762, RFC 8375, and ICANN's
    /// reserved `internal`).
    private static func isPrivate(name: String) -> Bool {
        name.isEmpty
            || ["localhost", "local", "internal", "home.arpa"].contains { name == $0 || name.hasSuffix("." + $0) }
    }

    /// A host as it is resolved: percent-decoded and in lower case, without brackets or a trailing dot.
    static func normalized(_ host: String) -> String {
        // Resolvers map circled and full-width letters and digits to plain ones (RFC 5891, RFC 3490).
        var name = HostName.normalized(host.percentDecoded ?? host)
        while name.hasSuffix(".") { name.removeLast() }
        if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
        return name
    }

    /// Whether the address isn't routable on the public internet.
    package var isPrivate: Bool { bytes.count == 4 ? Self.isPrivate(v4: v4(at: 0)) : isPrivateV6 }

    private func v4(at start: Int) -> UInt32 { bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) } }

    private static func isPrivate(v4 address: UInt32) -> Bool {
        privateV4.contains { network, bits in address >> (32 - bits) == network >> (32 - bits) }
    }

    private var isPrivateV6: Bool {
        // IPv4 addresses embedded in IPv6: NAT64 (RFC 6052) and 6to4 (RFC 3056).
        if bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B] + Array(repeating: 0, count: 8)) {
            return Self.isPrivate(v4: v4(at: 12))
        }
        if bytes.starts(with: [0x20, 0x02]) { return Self.isPrivate(v4: v4(at: 2)) }
        // 2001::/23 is reserved for protocols such as Teredo, 2001:db8::/32 and 3fff::/20 for documentation.
        if bytes.starts(with: [0x20, 0x01]), bytes[2] < 2 || bytes[2...3] == [0x0D, 0xB8] { return true }
        if bytes.starts(with: [0x3F, 0xFF]), bytes[2] < 0x10 { return true }
        // Global unicast addresses begin with the bits 001 (RFC 4291); loopback, link-local, site-local, unique local
        // and multicast addresses don't.
        return bytes[0] >> 5 != 0b001
    }

    /// Networks and the lengths of their prefixes, from IANA's registry of special-purpose addresses
    /// (https://www.iana.org/assignments/iana-ipv4-special-registry).
    private static let privateV4: [(network: UInt32, bits: UInt32)] = [
        (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16), (0xAC10_0000, 12),
        (0xC000_0000, 24), (0xC000_0200, 24), (0xC058_6300, 24), (0xC0A8_0000, 16), (0xC612_0000, 15),
        (0xC633_6400, 24), (0xCB00_7100, 24), (0xE000_0000, 4), (0xF000_0000, 4),
    ]
}

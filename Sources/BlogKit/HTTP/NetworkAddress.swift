import Foundation

/// Tells addresses of private networks from those of the public internet.
package enum NetworkAddress {
    /// Whether a host, as a URL has it, is of a private network as far as its spelling tells: a name is not resolved.
    package static func isPrivate(host: String) -> Bool {
        var name = host.lowercased()
        if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
        while name.hasSuffix(".") { name.removeLast() }
        // The names that never leave a machine or its network (RFC 6761, RFC 6762).
        if name.isEmpty || ["localhost", "local"].contains(where: { name == $0 || name.hasSuffix("." + $0) }) {
            return true
        }
        return isPrivate(address: name)
    }

    /// Whether a numeric address is of a private network; false for a text that is none.
    package static func isPrivate(address: String) -> Bool {
        // What follows a percent sign is the interface of a link-local address.
        let text = String(address.prefix { $0 != "%" })
        var v6 = in6_addr()
        if inet_pton(AF_INET6, text, &v6) == 1 { return isPrivate(v6: withUnsafeBytes(of: &v6) { Array($0) }) }
        var v4 = in_addr()
        // inet_aton knows what resolvers take for an address too: 127.1, 0x7f000001, 2130706433.
        return inet_aton(text, &v4) != 0 && isPrivate(v4: UInt32(bigEndian: v4.s_addr))
    }

    /// Whether any address of a name is of a private network; false where it has none.
    ///
    /// It takes as long as a resolver does.
    package static func resolvesPrivately(_ name: String) -> Bool {
        var (hints, list) = (addrinfo(), UnsafeMutablePointer<addrinfo>?.none)
        hints.ai_family = AF_UNSPEC
        guard getaddrinfo(name, nil, &hints, &list) == 0 else { return false }
        defer { freeaddrinfo(list) }
        var next = list
        while let entry = next {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let code = getnameinfo(
                entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
            let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            if code != 0 || isPrivate(address: String(decoding: bytes, as: UTF8.self)) { return true }
            next = entry.pointee.ai_next
        }
        return false
    }

    private static func isPrivate(v4 address: UInt32) -> Bool {
        privateV4.contains { network, bits in address >> (32 - bits) == network >> (32 - bits) }
    }

    private static func isPrivate(v6 bytes: [UInt8]) -> Bool {
        func v4(at start: Int) -> UInt32 { bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        // Addresses of IPv4 inside those of IPv6: mapped, translated (NAT64), and 6to4.
        if bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10...11].allSatisfy({ $0 == 0xFF }) {
            return isPrivate(v4: v4(at: 12))
        }
        if bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B]) { return isPrivate(v4: v4(at: 12)) }
        if bytes.starts(with: [0x20, 0x02]) { return isPrivate(v4: v4(at: 2)) }
        // All that is given out to the public begins with the bits 001 (RFC 4291); loopback, link-local, unique local
        // and multicast addresses don't.
        return bytes[0] >> 5 != 0b001
    }

    /// Networks by their first address and the bits that they share, from IANA's registry of special-purpose addresses
    /// (https://www.iana.org/assignments/iana-ipv4-special-registry).
    private static let privateV4: [(network: UInt32, bits: UInt32)] = [
        (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16), (0xAC10_0000, 12),
        (0xC000_0000, 24), (0xC0A8_0000, 16), (0xC612_0000, 15), (0xE000_0000, 4), (0xF000_0000, 4),
    ]
}

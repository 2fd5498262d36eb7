import Essentials

/// The hosts that a request and its redirects may go to.
package enum Reach: Hashable, Sendable {
    case anywhere
    /// The public internet, and the private network of the source that names the address.
    case publicInternet(and: SourcePlace)

    /// Whether a request may be sent to a host, by its name alone.
    func mayRequest(host: String) -> Bool {
        guard case .publicInternet(let place) = self, NetworkAddress.isPrivate(host: host) else { return true }
        let name = NetworkAddress.normalized(host)
        return NetworkAddress(name).map(place.addresses.contains) ?? (name == place.name)
    }

    /// Whether a connection to an address is allowed; proxies aren't checked.
    package func mayConnect(to address: NetworkAddress) -> Bool {
        guard case .publicInternet(let place) = self else { return true }
        return !address.isPrivate || place.addresses.contains(address)
    }

    /// Whether only some hosts are allowed.
    package var isLimited: Bool { self != .anywhere }
}

/// The place of a source in a private network, where the addresses that it names may be, too.
package struct SourcePlace: Hashable, Sendable {
    /// Its addresses.
    let addresses: Set<NetworkAddress>
    /// Its host, if the name only exists in private networks.
    let name: String?

    /// On the public internet, or unknown.
    package static let unknown = SourcePlace(addresses: [], name: nil)

    private init(addresses: Set<NetworkAddress>, name: String?) {
        self.addresses = addresses
        self.name = name
    }

    /// The place by a source's address, and by the addresses that it was found at.
    ///
    /// A name that has to be resolved doesn't count: it may belong to somebody else tomorrow.
    package init(_ url: URL, foundAt addresses: Set<NetworkAddress> = []) {
        let host = NetworkAddress.normalized(url.host ?? "")
        let spelled: Set<NetworkAddress> =
            if let address = NetworkAddress(host) { [address] } else if host == "localhost" { Self.loopback } else {
                []
            }
        let isName = NetworkAddress(host) == nil && NetworkAddress.isPrivate(host: host) && !host.isEmpty
        self.init(addresses: spelled.union(addresses), name: isName ? host : nil)
    }

    private static let loopback = Set(["127.0.0.1", "::1"].compactMap { NetworkAddress($0) })
}

/// Which requests go by way of a proxy, as the environment says it to curl (https://everything.curl.dev/usingcurl/proxies/env.html).
///
/// It is decided here and passed to libcurl, to tell connections to a proxy from those to an address that a server
/// named.
struct ProxyRules: Sendable {
    private let proxies: [String: String]
    private let exceptions: [String]

    /// The rules in an environment.
    init(_ environment: [String: String]) {
        func value(_ names: String...) -> String? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        var proxies: [String: String] = [:]
        // Servers put a header of requests into HTTP_PROXY (https://httpoxy.org), so that one doesn't count.
        proxies["http"] = value("http_proxy", "all_proxy", "ALL_PROXY")
        proxies["https"] = value("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        self.proxies = proxies
        exceptions = (value("no_proxy", "NO_PROXY") ?? "").split { $0 == "," || $0.isWhitespace }.map(String.init)
    }

    /// The proxy for an address; nil if the request goes to the server itself.
    func proxy(for url: URL) -> String? {
        guard let proxy = proxies[url.scheme?.lowercased() ?? ""] else { return nil }
        let host = NetworkAddress.normalized(url.host ?? "")
        return exceptions.contains { Self.covers($0, host) } ? nil : proxy
    }

    /// Whether an exception covers a host: `*`, a domain with its subdomains, an address or a network.
    private static func covers(_ exception: String, _ host: String) -> Bool {
        if exception == "*" { return true }
        if let address = NetworkAddress(host) {
            let parts = exception.split(separator: "/", maxSplits: 1)
            guard let network = NetworkAddress(parts.first.map { NetworkAddress.normalized(String($0)) } ?? "") else {
                return false
            }
            return parts.count == 1
                ? network == address : Int(parts[1]).map { address.isIn(network, bits: $0) } ?? false
        }
        let name = NetworkAddress.normalized(exception).drop { $0 == "." }
        return !name.isEmpty && (host == name || host.hasSuffix("." + name))
    }
}

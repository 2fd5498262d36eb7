import BlogEssentials

/// The hosts that a request and its redirects may go to.
package enum AllowedHosts: Hashable, Sendable {
    /// The public internet, and the private networks of addresses that the user has typed: ``TypedOrigins``.
    case anywhere
    /// The public internet, and the private network of the source that links there.
    case publicInternet(and: SourceNetwork)

    static let publicInternetOnly = publicInternet(and: .noPrivateNetwork)

    /// Whether a request may be sent to a host, judged by its name alone.
    func mayRequest(host: String) -> Bool {
        guard case .publicInternet(let network) = self, NetworkAddress.isPrivate(host: host) else { return true }
        let name = NetworkAddress.normalized(host)
        return NetworkAddress(name).map(network.addresses.contains) ?? (name == network.name)
    }

    /// Whether a connection to an address is allowed; proxies aren't checked.
    package func mayConnect(to address: NetworkAddress) -> Bool {
        guard case .publicInternet(let network) = self else { return true }
        return !address.isPrivate || network.addresses.contains(address)
    }

    /// The same for a request to an address: in a private network, only the source's own origin.
    func narrowed(to url: URL) -> AllowedHosts {
        guard case .publicInternet(let network) = self, network.origin?.covers(Origin(url)) != true else { return self }
        return .publicInternetOnly
    }

    /// Whether only some hosts are allowed.
    package var isLimited: Bool { self != .anywhere }
}

/// The private network of a source, if it is in one; its links may lead to the source's own origin there.
package struct SourceNetwork: Hashable, Sendable {
    private(set) var origin: Origin?
    private(set) var addresses: Set<NetworkAddress> = []
    /// The source's host, if the name is only used in private networks.
    private(set) var name: String?

    private init() {}

    /// The source is on the public internet, or its address isn't known.
    package static let noPrivateNetwork = SourceNetwork()

    /// The network of a source by its URL, and by the addresses of earlier connections.
    ///
    /// A public name doesn't count, as it may resolve to another address tomorrow.
    package init(_ url: URL, foundAt addresses: Set<NetworkAddress> = []) {
        self.addresses = addresses
        origin = Origin(url)
        let host = NetworkAddress.normalized(url.host ?? "")
        if let address = NetworkAddress(host) {
            self.addresses.insert(address)
        } else if !host.isEmpty, NetworkAddress.isPrivate(host: host) {
            name = host
            if host == "localhost" { self.addresses.formUnion(Self.loopback) }
        }
    }

    private static let loopback = Set(["127.0.0.1", "::1"].compactMap { NetworkAddress($0) })
}

/// The proxies in the environment, as curl reads them (https://everything.curl.dev/usingcurl/proxies/env.html).
///
/// They are chosen here and not by libcurl, to distinguish connections to a proxy from those to a server.
struct ProxyRules: Sendable {
    /// By scheme.
    private let proxies: [String: String]
    private let exceptions: [String]

    /// Those of the variables that the process was started with.
    static let ofThisProcess = ProxyRules(ProcessInfo.processInfo.environment)

    init(_ environment: [String: String]) {
        func value(_ names: String...) -> String? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        var proxies: [String: String] = [:]
        // HTTP_PROXY is ignored, because CGI servers set it from a request header (https://httpoxy.org).
        proxies["http"] = value("http_proxy", "all_proxy", "ALL_PROXY")
        proxies["https"] = value("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        self.proxies = proxies
        exceptions = (value("no_proxy", "NO_PROXY") ?? "").split { $0 == "," || $0.isWhitespace }.map(String.init)
    }

    /// The proxy for a URL; nil for a direct connection.
    func proxy(for url: URL) -> String? {
        guard let proxy = proxies[url.scheme?.lowercased() ?? ""] else { return nil }
        let host = NetworkAddress.normalized(url.host ?? "")
        return exceptions.contains { Self.covers($0, host) } ? nil : proxy
    }

    /// Whether an exception (`*`, a domain with its subdomains, an address or a network) covers a host.
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

import Foundation

/// Which requests go by way of a proxy, as the environment says it to curl (https://everything.curl.dev/usingcurl/proxies/env.html).
///
/// It is found out here, and libcurl is told, so that it is known which connections lead to a proxy and which to where
/// a server's text sent us.
struct ProxyRules: Sendable {
    private let proxies: [String: String]
    private let exceptions: [String]

    /// What an environment says.
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

    /// The proxy for an address; nil where the request goes to the server itself.
    func proxy(for url: URL) -> String? {
        guard let proxy = proxies[url.scheme?.lowercased() ?? ""] else { return nil }
        let host = NetworkAddress.normalized(url.host ?? "")
        return exceptions.contains { Self.covers($0, host) } ? nil : proxy
    }

    /// Whether an exception is about a host: all of them, a name and what is below it, an address or a network.
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

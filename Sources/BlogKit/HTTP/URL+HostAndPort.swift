import Foundation

extension URL {
    /// The host in lower case with its port, as one server is told from another.
    var hostAndPort: String {
        (host ?? "").lowercased() + ":" + String(port ?? (scheme == "https" ? 443 : 80))
    }

    /// Whether a login for another address may be sent to this one: it is of the same server, or of the same host over
    /// https at the usual port.
    func takesLogin(of other: URL) -> Bool {
        hostAndPort == other.hostAndPort && scheme == other.scheme
            || scheme == "https" && hostAndPort == (other.host ?? "").lowercased() + ":443"
    }
}

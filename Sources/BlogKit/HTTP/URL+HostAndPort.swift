import Foundation

extension URL {
    /// The host in lower case with its port, as one server is told from another.
    var hostAndPort: String {
        (host ?? "").lowercased() + ":" + String(port ?? (scheme == "https" ? 443 : 80))
    }
}

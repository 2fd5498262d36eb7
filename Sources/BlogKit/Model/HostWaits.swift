import BlogEssentials

/// Remembers which hosts are rate limiting (`Retry-After`), by host and port; failures to read or write are ignored.
package protocol HostWaits: Sendable {
    /// The ends of the waits by host with its port, or by address.
    func waits() async -> [String: Date]

    func remember(wait: Date, of place: String) async
}

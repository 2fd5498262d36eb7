import Foundation

/// Where it is remembered until when hosts asked to be left alone (`Retry-After`, RFC 9110, section 10.2.3).
///
/// What it can't remember or recall is no reason to fail.
package protocol HostWaits: Sendable {
    /// Until when a host asked to be left alone; nil where it didn't.
    ///
    /// - Parameter host: the host with its port.
    func wait(of host: String) async -> Date?

    /// Remembers it.
    func remember(wait: Date, of host: String) async
}

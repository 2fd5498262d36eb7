import Foundation
@testable import BlogHTTP
@testable import BlogModel

extension HTTPClient {
    /// A client that sends each request once, and for which pauses take no time.
    package static func impatient(
        _ transport: any Transport = TransportKind.used.make(), netrc: String = "", clock: WallClock = .patient()
    ) -> HTTPClient {
        HTTPClient(
            transport: transport, timeout: 60, retryPolicy: RetryPolicy(maxAttempts: 1, base: 0.001),
            netrc: Netrc(text: netrc), clock: clock)
    }
}

import Foundation

/// How long a response is fresh (RFC 9111, sections 5.2.2 and 5.3, https://www.rfc-editor.org/rfc/rfc9111).
package enum CacheControl {
    /// The maximum that is respected, in seconds, so that a mistaken year doesn't hide new posts; NetNewsWire has the
    /// same limit.
    package static let maxAgeLimit: TimeInterval = 5 * 3600

    /// How many seconds a response with this head is fresh; 0 if the server doesn't say, or forbids caching.
    ///
    /// `max-age` counts before `Expires`, and at most ``maxAgeLimit``.
    package static func maxAge(_ head: HTTPHead, now: Date = Date()) -> TimeInterval {
        let directives = (head["Cache-Control"] ?? "").lowercased().split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        if directives.contains("no-store") || directives.contains("no-cache") { return 0 }
        for directive in directives where directive.hasPrefix("max-age=") {
            let seconds = directive.dropFirst("max-age=".count).trimmingCharacters(in: ["\""])
            return UInt32(seconds).map { bounded(TimeInterval($0), head) } ?? 0
        }
        // An `Expires` that is no date, such as 0, means the past.
        guard let expires = head["Expires"].flatMap(HTTPDate.date) else { return 0 }
        // By the server's own clock, where it tells it.
        let start = head["Date"].flatMap(HTTPDate.date) ?? now
        return bounded(expires.timeIntervalSince(start), head)
    }

    private static func bounded(_ seconds: TimeInterval, _ head: HTTPHead) -> TimeInterval {
        let age = UInt32(head["Age"]?.trimmingCharacters(in: .whitespaces) ?? "") ?? 0
        return min(max(0, seconds - TimeInterval(age)), maxAgeLimit)
    }
}

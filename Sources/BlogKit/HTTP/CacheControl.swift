import Foundation

/// How long an answer may be taken for current (RFC 9111, sections 5.2.2 and 5.3,
/// https://www.rfc-editor.org/rfc/rfc9111).
package enum CacheControl {
    /// A server that says a year by mistake would hide new posts for a year; NetNewsWire bounds it in the same way.
    package static let longest: TimeInterval = 5 * 3600

    /// Seconds for which an answer with this head is current; 0 where the server doesn't say, or forbids it.
    ///
    /// `max-age` counts before `Expires`, and at most ``longest`` is heeded.
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
        return min(max(0, seconds - TimeInterval(age)), longest)
    }
}

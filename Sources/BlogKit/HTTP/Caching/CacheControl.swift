import Foundation

/// How long a response is fresh (RFC 9111, section 5.2.2).
package enum CacheControl {
    /// The maximum that is respected, in seconds, so that a mistaken year doesn't hide new posts; NetNewsWire has the
    /// same limit.
    package static let maxAgeLimit: TimeInterval = 5 * 3600

    /// How many seconds a response with this head is fresh; 0 if the server doesn't say, or forbids caching.
    package static func maxAge(_ head: HTTPHead) -> TimeInterval {
        let directives = (head["Cache-Control"] ?? "").lowercased().split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        if directives.contains("no-store") || directives.contains("no-cache") { return 0 }
        for directive in directives where directive.hasPrefix("max-age=") {
            let seconds = directive.dropFirst("max-age=".count).trimmingCharacters(in: ["\""])
            let age = UInt32(head["Age"]?.trimmingCharacters(in: .whitespaces) ?? "") ?? 0
            return UInt32(seconds).map { min(max(0, TimeInterval($0) - TimeInterval(age)), maxAgeLimit) } ?? 0
        }
        return 0
    }
}

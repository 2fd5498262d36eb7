import Foundation

/// How long an answer may be taken for current (RFC 9111, section 5.2.2).
package enum CacheControl {
    /// A server that says a year by mistake would hide new posts for a year; NetNewsWire bounds it in the same way.
    package static let longest: TimeInterval = 5 * 3600

    /// Seconds for which an answer with this head is current; 0 where the server doesn't say, or forbids it.
    package static func maxAge(_ head: HTTPHead) -> TimeInterval {
        let directives = (head["Cache-Control"] ?? "").lowercased().split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        if directives.contains("no-store") || directives.contains("no-cache") { return 0 }
        for directive in directives where directive.hasPrefix("max-age=") {
            let seconds = directive.dropFirst("max-age=".count).trimmingCharacters(in: ["\""])
            let age = UInt32(head["Age"]?.trimmingCharacters(in: .whitespaces) ?? "") ?? 0
            return UInt32(seconds).map { min(max(0, TimeInterval($0) - TimeInterval(age)), longest) } ?? 0
        }
        return 0
    }
}

import Foundation

/// A moment as messages name it: "2026-11-21 06:09 UTC".
enum CopyDate {
    static func text(_ date: Date) -> String {
        let text = date.formatted(.iso8601)
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
    }
}

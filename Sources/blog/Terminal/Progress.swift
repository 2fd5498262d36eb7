import BlogKit
import Foundation

/// What is being waited for, as one line: a spinner with the host, or a bar where the length is known.
struct Progress: Sendable {
    private var host = ""
    private var bytes = 0
    private var total: Int?
    private var ticks = 0

    /// Takes note of what a request does.
    mutating func note(_ activity: HTTPActivity) {
        switch activity {
        case .asking(let url): (host, bytes, total) = (url.host ?? "", 0, nil)
        case .receiving(_, let bytes, let total): (self.bytes, self.total) = (bytes, total)
        case .retrying, .answered, .failed: break
        }
    }

    /// The line now, each call a step on, at most `width` columns.
    mutating func line(width: Int) -> String {
        ticks += 1
        let spinner = Self.spinner[ticks % Self.spinner.count]
        let amount = bytes == 0 ? "waiting" : Self.amount(bytes)
        var line = "\(spinner) \(Sanitizer.line(host)) \(amount)"
        if let total, total > 0 {
            let done = min(Double(bytes) / Double(total), 1)
            let filled = Int(done * Double(Self.barWidth))
            let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.barWidth - filled)
            line = "\(spinner) \(Sanitizer.line(host)) \(bar) \(Int(done * 100)) % of \(Self.amount(total))"
        }
        return TextLayout.truncate(line, width: max(width - 1, 1))
    }

    private static func amount(_ bytes: Int) -> String {
        bytes < 1_000_000 ? "\(max(1, bytes / 1000)) kB" : "\(bytes / 1_000_000).\(bytes / 100_000 % 10) MB"
    }

    private static let spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
    private static let barWidth = 20
}

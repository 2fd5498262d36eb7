import BlogEssentials
import BlogMarkup
import BlogRendering

/// A step of the work that the user waits for: a request, or a part of a longer task.
package enum ProgressStep: Hashable, Sendable {
    case requesting(host: String)
    /// So much of the response has arrived; nil if its length isn't known.
    case receiving(bytes: Int, of: Int?)
    /// The next request to a host is delayed; nil if it has no name.
    case waiting(host: String?, seconds: Double)
    /// The response is complete.
    case received
    /// The request failed.
    case ended

    /// Some of the sources have been refreshed.
    case refreshed(Int, of: Int)
    /// So many more posts are planned.
    case planned(Int)
    /// So many of something are done.
    case counted(String, Int, of: Int)
    /// Work on a post with this title has begun.
    case began(String)
    /// A planned post is done.
    case finished
    /// So many more posts were indexed for search.
    case indexed(Int)
}

/// The progress line: a spinner with the host, or a bar if the length is known.
struct Progress: Sendable {
    private var host = ""
    private var bytes = 0
    private var total: Int?
    private var work: Work?
    /// The delay before a retry, if any.
    private var notice: String?
    private var ticks = 0

    private struct Work {
        var done = 0
        var total = 0
        var what = ""
        /// The tick at which it began.
        var start: Int
    }

    mutating func update(with step: ProgressStep) {
        switch step {
        case .requesting(let host): (self.host, bytes, total) = (host, 0, nil)
        case .receiving(let bytes, let total): (self.bytes, self.total) = (bytes, total)
        case .waiting(let host, let seconds):
            guard seconds >= 1 else { return }
            notice = "waiting \(Int(seconds.rounded(.up))) s for \(host ?? "the server")"
        case .received: notice = nil
        case .ended: break
        case .refreshed, .planned, .counted, .began, .finished, .indexed: count(step)
        }
    }

    private mutating func count(_ step: ProgressStep) {
        var now = work ?? Work(start: ticks)
        switch step {
        case .refreshed(let done, let total): (now.done, now.total, now.what) = (done, total, Self.refreshing)
        case .planned(let count): now.total += count
        case .counted(let what, let done, let total): (now.done, now.total, now.what) = (done, total, what)
        case .began(let what): now.what = what
        case .finished: now.done += 1
        case .indexed(let count):
            if now.what != Self.indexing { now = Work(what: Self.indexing, start: ticks) }
            now.done += count
        case .requesting, .receiving, .waiting, .received, .ended: return
        }
        work = now
    }

    /// Advances the clock by a tick, and returns the line, less than `width` columns wide.
    mutating func line(width: Int) -> String {
        ticks += 1
        let spinner = Self.spinner[ticks % Self.spinner.count]
        if let work { return TextLayout.truncate("\(spinner) \(text(work))", width: max(width - 3, 1)) }
        let amount = bytes == 0 ? "waiting" : Counted.bytes(bytes)
        var line = "\(spinner) \(Sanitizer.line(host)) \(amount)"
        if let total, total > 0 {
            let done = min(Double(bytes) / Double(total), 1)
            let percent = "\(Int(done * 100))% of \(Counted.bytes(total))"
            line = "\(spinner) \(Sanitizer.line(host)) \(Self.bar(done)) \(percent)"
        }
        return TextLayout.truncate(line, width: max(width - 3, 1))
    }

    /// What is waited for, in a sentence that doesn't change with each step: a screen reader reads all that is written.
    var sentence: String {
        switch work?.what {
        case Self.refreshing?: "Refreshing sources…"
        case Self.indexing?: "Indexing for search…"
        case _?: "Fetching posts…"
        case nil: "Waiting for \(Sanitizer.line(host))…"
        }
    }

    private func text(_ work: Work) -> String {
        let seconds = max(Double(ticks - work.start) / Self.ticksPerSecond, 1 / Self.ticksPerSecond)
        let rate = "\(Int((Double(work.done) / seconds).rounded())) a second"
        let what = Sanitizer.line(notice ?? work.what)
        if work.what == Self.refreshing {
            return "\(Self.bar(Double(work.done) / Double(work.total))) \(work.done) of \(work.total) sources"
        }
        guard work.total > 0 else { return "\(work.done) posts · \(rate) · \(what)" }
        return "\(Self.bar(Double(work.done) / Double(work.total))) \(work.done)/\(work.total) · \(rate)"
            + (what.isEmpty ? "" : " · \(what)")
    }

    private static func bar(_ part: Double) -> String {
        let filled = part.isNaN ? 0 : Int(min(max(part, 0), 1) * Double(barWidth))
        return String(repeating: "█", count: filled) + String(repeating: "░", count: barWidth - filled)
    }

    private static let spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
    private static let barWidth = 20
    static let ticksPerSecond = 10.0
    private static let refreshing = "refreshing sources"
    private static let indexing = "indexing for search"
}

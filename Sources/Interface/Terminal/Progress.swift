import BlogLibrary
import BlogEssentials
import BlogHTTP
import BlogMarkup
import BlogModel
import BlogRendering

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

    mutating func update(with activity: HTTPActivity) {
        switch activity {
        case .requesting(let url): (host, bytes, total) = (url.host ?? "", 0, nil)
        case .receiving(_, let bytes, let total): (self.bytes, self.total) = (bytes, total)
        case .retrying(let url, _, let seconds), .waiting(let url, let seconds):
            guard seconds >= 1 else { return }
            notice = "waiting \(Int(seconds.rounded(.up))) s for \(url.host ?? "the server")"
        case .received: notice = nil
        case .ended: break
        }
    }

    mutating func update(with event: SyncEvent) {
        var now = work ?? Work(start: ticks)
        switch event {
        case .refreshed(let done, let total): (now.done, now.total, now.what) = (done, total, Self.refreshing)
        case .planned(let count): now.total += count
        case .pictures(let done, let total): (now.done, now.total, now.what) = (done, total, "pictures")
        case .articles(let done, let total): (now.done, now.total, now.what) = (done, total, "articles")
        case .fetching(let metadata): now.what = metadata.title
        case .done: now.done += 1
        case .indexed(let count):
            if now.what != Self.indexing { now = Work(what: Self.indexing, start: ticks) }
            now.done += count
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

import BlogEssentials

/// A limit to the processor time of this thread for a page, whatever takes it.
///
/// All that walks the page's tree counts its steps here, and ends early when the time is over: what was found until then
/// is worthless.
package final class ProcessorTime {
    private let end: Duration
    private var steps = 0
    package private(set) var isOver = false

    package init(limit: Duration = .seconds(5)) {
        end = Self.now + limit
    }

    /// Counts a step; false when the time is over.
    @inline(__always)
    func allowsStep() -> Bool {
        steps &+= 1
        if steps & 0xFFF == 0, !isOver { isOver = Self.now > end }
        return !isOver
    }

    /// Ends it, because of something else that the page has too much of.
    func expire() { isOver = true }

    private static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

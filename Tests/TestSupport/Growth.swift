import Foundation

/// How the work of a function grows with its input.
///
/// It is measured in processor time of this thread, which other work on the machine doesn't lengthen, and only ratios
/// of it are compared.
package enum Growth {
    /// How many times as much work eight times the input takes: 8 if it is linear, about 10 for n log n, 64 if it is
    /// quadratic.
    ///
    /// A ratio that looks too high is measured again: the first use of a function takes longer, and caches are shared.
    package static func ofEightfoldInput(enough: Double, from length: Int, _ work: (Int) throws -> Void) rethrows
        -> Double
    {
        var (short, long) = (Double.infinity, Double.infinity)
        for _ in 0..<maxMeasurements {
            short = min(short, try seconds { try work(length) })
            long = min(long, try seconds { try work(8 * length) })
            if long / max(short, leastSeconds) < enough { break }
        }
        return long / max(short, leastSeconds)
    }

    /// The same for work that moves between threads, by the processor time of the whole process: other tests run during
    /// both measurements.
    package static func ofEightfoldInput(enough: Double, short: () async throws -> Void, long: () async throws -> Void)
        async rethrows
        -> Double
    {
        func seconds(_ work: () async throws -> Void) async rethrows -> Double {
            let start = Self.seconds(of: CLOCK_PROCESS_CPUTIME_ID)
            try await work()
            return Self.seconds(of: CLOCK_PROCESS_CPUTIME_ID) - start
        }
        var (least, most) = (Double.infinity, Double.infinity)
        for _ in 0..<maxMeasurements {
            least = min(least, try await seconds(short))
            most = min(most, try await seconds(long))
            if most / max(least, 5 * leastSeconds) < enough { break }
        }
        return most / max(least, 5 * leastSeconds)
    }

    /// How often a ratio that looks too high is measured.
    private static let maxMeasurements = 30
    /// Less than this is too short to be measured.
    private static let leastSeconds = 0.001

    private static func seconds(_ work: () throws -> Void) rethrows -> Double {
        let start = now()
        try work()
        return now() - start
    }

    private static func now() -> Double { seconds(of: CLOCK_THREAD_CPUTIME_ID) }

    private static func seconds(of clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

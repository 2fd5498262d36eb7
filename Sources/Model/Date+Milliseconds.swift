import Foundation

extension Date {
    /// Whole milliseconds since 1970, UTC: how moments are stored and compared.
    ///
    /// Moments farther off than Int64 reaches count as the farthest.
    package var millisecondsSince1970: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        return Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
    }

    /// The moment at a number of milliseconds since 1970, UTC.
    package init(millisecondsSince1970 milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}

import Foundation
import Rendering

extension Screen {
    /// A screen on 1 January 2026, in UTC.
    static func sample(_ width: Int, isColored: Bool = false, hasHyperlinks: Bool = false) -> Screen {
        let dates = DateText(now: Date(timeIntervalSince1970: 1_767_225_600), timeZone: .gmt)
        return Screen(width: width, isColored: isColored, hasHyperlinks: hasHyperlinks, dates: dates)
    }
}

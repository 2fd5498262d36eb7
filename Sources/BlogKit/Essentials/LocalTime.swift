/// The user's time zone according to the C library: `TZ`, or else `/etc/localtime`, or else UTC.
///
/// FoundationEssentials has no time zones with daylight saving time; Foundation has, but needs ICU.
package enum LocalTime {
    /// The seconds by which local time is ahead of UTC at a moment.
    package static func secondsFromGMT(for date: Date) -> Int {
        _ = readZone
        let seconds = date.timeIntervalSince1970
        guard var moment = time_t(exactly: seconds.rounded(.down)) else { return 0 }
        var time = tm()
        return localtime_r(&moment, &time) == nil ? 0 : time.tm_gmtoff
    }

    /// `localtime_r` isn't required to read the time zone.
    private static let readZone: Void = tzset()
}

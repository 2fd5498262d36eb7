import BlogEssentials
import BlogModel

/// The freshness of a response (RFC 9111, sections 5.2.2 and 5.3, https://www.rfc-editor.org/rfc/rfc9111).
package enum CacheControl {
    /// How long a response is fresh, in seconds, at most ``Politeness/maxAge``; 0 if the server doesn't say or forbids
    /// caching.
    ///
    /// `max-age` overrides `Expires`.
    package static func maxAge(_ head: HTTPHead, now: Date = Date()) -> TimeInterval {
        let directives = (head["Cache-Control"] ?? "").lowercased().split(separator: ",").map { $0.trimmed }
        if directives.contains("no-store") || directives.contains("no-cache") { return 0 }
        for directive in directives where directive.hasPrefix("max-age=") {
            let seconds = directive.dropFirst("max-age=".count).trimmed { $0 == "\"" }
            return UInt32(seconds).map { bounded(TimeInterval($0), head) } ?? 0
        }
        // An invalid date in `Expires`, such as 0, means already expired.
        guard let expires = head["Expires"].flatMap(HTTPDate.date) else { return 0 }
        // Measured by the server's own clock if it sent a date.
        let start = head["Date"].flatMap(HTTPDate.date) ?? now
        return bounded(expires.timeIntervalSince(start), head)
    }

    private static func bounded(_ seconds: TimeInterval, _ head: HTTPHead) -> TimeInterval {
        let age = UInt32(head["Age"]?.trimmed ?? "") ?? 0
        return min(max(0, seconds - TimeInterval(age)), Politeness.maxAge)
    }
}

extension HTTPDocument {
    /// The validators for the next request.
    package var validators: CacheValidators {
        let origin = Origin(finalURL)
        return CacheValidators(
            etag: CacheValidators.usable(head["ETag"]), lastModified: CacheValidators.usable(head["Last-Modified"]),
            origin: origin == Origin(url) ? nil : "\(origin)")
    }
}

extension CacheValidators {
    /// Whether a request for `url`, redirected to `target`, may have them: otherwise one server could recognize whom
    /// another one knows.
    func belong(to target: URL, requestedAs url: URL) -> Bool { origin ?? "\(Origin(url))" == "\(Origin(target))" }

    /// The headers of a conditional request.
    package var requestHeaders: [String: String] {
        var headers: [String: String] = [:]
        headers["If-None-Match"] = Self.usable(etag)
        headers["If-Modified-Since"] = Self.usable(lastModified)
        return headers
    }

    /// A value of visible ASCII and spaces of at most 1 KB; nil for any other, which no server can have meant to get back.
    fileprivate static func usable(_ value: String?) -> String? {
        guard let value, value.utf8.count <= 1024, value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return nil
        }
        return value
    }
}

/// HTTP dates (RFC 9110, section 5.6.7, https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7).
enum HTTPDate {
    /// Parses `Sun, 06 Nov 1994 08:49:37 GMT` and the obsolete forms `Sunday, 06-Nov-94 08:49:37 GMT` and
    /// `Sun Nov  6 08:49:37 1994`; nil for anything else.
    static func date(_ text: String) -> Date? {
        let parts = text.split { " ,-:\t".contains($0) }.map(String.init)
        switch parts.count {
        case 8 where ["GMT", "UTC"].contains(parts[7]):
            return date(day: parts[1], month: parts[2], year: parts[3], time: parts[4...6])
        case 7: return date(day: parts[2], month: parts[1], year: parts[6], time: parts[3...5])
        default: return nil
        }
    }

    private static func date(day: String, month: String, year: String, time: ArraySlice<String>) -> Date? {
        let clock = time.compactMap { UInt8($0) }
        guard let day = UInt8(day), (1...31).contains(day),
            let month = CalendarMonth.names.firstIndex(where: { $0.prefix(3) == month }),
            let year = UInt16(year), clock.count == 3, clock[0] < 24, clock[1] < 60, clock[2] <= 60
        else { return nil }
        // Two-digit years are from 1970 to 2069.
        let start = CalendarMonth(Int(year) + (year < 70 ? 2000 : year < 100 ? 1900 : 0), month + 1)
        let days = start.firstDay + Int(day) - 1
        let seconds = (Int(clock[0]) * 60 + Int(clock[1])) * 60 + Int(clock[2])
        return Date(timeIntervalSince1970: TimeInterval(days * 86_400 + seconds))
    }
}

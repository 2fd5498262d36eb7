import Foundation
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel

@Suite("A source") struct PolitenessTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)
    private static let (hour, day) = (3600.0, 86_400.0)

    @Test(
        "is due after half an hour, or later if its server or list says so, up to five hours",
        arguments: [
            (0, 0, 0.5 * hour), (600, 0, 0.5 * hour), (2 * hour, 0, 2 * hour), (0, 3 * hour, 3 * hour),
            (2 * hour, 1 * hour, 2 * hour), (1 * hour, 2 * hour, 2 * hour), (99 * hour, 0, 5 * hour),
            (0, 99 * hour, 5 * hour),
        ] as [(TimeInterval, TimeInterval, TimeInterval)])
    func due(maxAge: TimeInterval, timeToLive: TimeInterval, due: TimeInterval) {
        #expect(Politeness.dueDate(after: Self.now, maxAge: maxAge, timeToLive: timeToLive) == Self.now + due)
    }

    @Test(
        "is due after the source's own interval, but not before its server or list says so",
        arguments: [
            (600, 0, 600), (600, 2 * hour, 2 * hour), (day, 2 * hour, day), (600, 99 * hour, 5 * hour),
        ] as [(TimeInterval, TimeInterval, TimeInterval)])
    func own(interval: TimeInterval, maxAge: TimeInterval, due: TimeInterval) {
        #expect(Politeness.dueDate(after: Self.now, maxAge: maxAge, interval: interval) == Self.now + due)
    }

    @Test("is suspended after a failure for as long as the failure suggests")
    func suspension() throws {
        let url = try #require(URL(string: "http://a.example/feed"))
        func days(_ error: any Error, _ failures: Int = 1) -> TimeInterval? {
            Politeness.suspension(after: error, failures: failures, at: Self.now).map { $0 / Self.day }
        }
        func status(_ code: Int, _ retryAfter: TimeInterval? = nil) -> HTTPError {
            .status(url, code: code, retryAfter: retryAfter)
        }
        #expect(days(status(410)) == 365)
        #expect(days(status(410, 60)) == 365)
        #expect(days(status(503, 43_200)) == 0.5)
        #expect(days(status(404)) == 1)
        #expect(days(status(404), 3) == 3)
        #expect(days(status(404), 30) == 7)
        #expect(days(HTTPError.unauthorized(url, .missing)) == 1)
        #expect(days(HTTPError.rateLimited(url, until: Self.now + Self.day)) == 1)
        #expect(days(HTTPError.unreachable(url, reason: .refused)) == nil)
        let others: [any Error] = [
            status(500), status(429), HTTPError.timedOut(url, seconds: 30), SourceError.malformed(url),
        ]
        for error in others {
            #expect(days(error) == 0.5 / 24)
            #expect(days(error, 2) == 1.0 / 24)
            #expect(days(error, 5) == 8.0 / 24)
            #expect(days(error, 100) == 1)
        }
    }
}

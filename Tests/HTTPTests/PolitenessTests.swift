import Foundation
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel

@Suite("A source") struct PolitenessTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)
    private static let (halfHourly, hour, day) = (1740.0, 3600.0, 86_400.0)

    @Test(
        "is due a minute before half an hour has passed, or later if its server or list says so, up to five hours",
        arguments: [
            (0, 0, halfHourly), (600, 0, halfHourly), (2 * hour, 0, 2 * hour), (0, 3 * hour, 3 * hour),
            (2 * hour, 1 * hour, 2 * hour), (1 * hour, 2 * hour, 2 * hour), (99 * hour, 0, 5 * hour),
            (0, 99 * hour, 5 * hour),
        ] as [(TimeInterval, TimeInterval, TimeInterval)])
    func due(maxAge: TimeInterval, timeToLive: TimeInterval, due: TimeInterval) {
        #expect(Politeness.dueDate(after: Self.now, maxAge: maxAge, timeToLive: timeToLive) == Self.now + due)
    }

    @Test(
        "is due a minute before the source's own interval has passed, but not before its server or list says so",
        arguments: [
            (600, 0, 540), (600, 2 * hour, 2 * hour), (day, 2 * hour, day - 60), (600, 99 * hour, 5 * hour),
        ] as [(TimeInterval, TimeInterval, TimeInterval)])
    func own(interval: TimeInterval, maxAge: TimeInterval, due: TimeInterval) {
        #expect(Politeness.dueDate(after: Self.now, maxAge: maxAge, interval: interval) == Self.now + due)
    }

    private static let url = URL(filePath: "/feed")

    private static func status(_ code: Int, _ retryAfter: TimeInterval? = nil) -> HTTPError {
        .status(url, code: code, retryAfter: retryAfter)
    }

    /// The seconds for which a source isn't asked after a failure, the last success of which was some days ago.
    private func pause(_ error: any Error, _ failures: Int = 1, success days: Double? = 0.1) -> TimeInterval? {
        Politeness.pause(
            after: error, failures: failures, lastSuccess: days.map { Self.now - $0 * Self.day }, at: Self.now)
    }

    @Test("isn't asked after a failure until the next half-hourly run, and later ever less often, up to a day")
    func failures() throws {
        let errors: [any Error] = [
            Self.status(500), Self.status(404), Self.status(403), HTTPError.challenged(Self.url, code: 403),
            HTTPError.timedOut(Self.url, seconds: 30), SourceError.malformed(Self.url),
        ]
        for error in errors {
            for failures in 1...3 { #expect(pause(error, failures) == Self.halfHourly, "\(error)") }
            #expect(pause(error, 4) == 2 * Self.halfHourly && pause(error, 6) == 8 * Self.halfHourly)
            #expect(pause(error, 9) == Self.day && pause(error, 100) == Self.day)
        }
    }

    @Test("isn't asked for days if it is gone, needs a login, or is refused and never worked or fails for a week")
    func days() throws {
        #expect(pause(Self.status(410)) == 365 * Self.day && pause(Self.status(410, 60)) == 365 * Self.day)
        let refused: [HTTPError] = [Self.status(404), Self.status(403), Self.status(429 + 1)]
        for error in refused + [.unauthorized(Self.url, .missing)] {
            for (failures, days) in [(1, 1), (3, 3), (30, 7)] {
                #expect(pause(error, failures, success: nil) == Double(days) * Self.day, "\(error)")
            }
        }
        for error in refused {
            #expect(pause(error, 3, success: 30) == Self.halfHourly)
            #expect(pause(error, 4, success: 6.9) == 2 * Self.halfHourly)
            #expect(pause(error, 4, success: 7) == 4 * Self.day)
        }
        #expect(pause(HTTPError.unauthorized(Self.url, .missing), 2) == 2 * Self.day)
        #expect(pause(Self.status(500), 4, success: nil) == 2 * Self.halfHourly)
    }

    @Test("isn't asked for as long as its server says, and at once if this machine may have no network")
    func others() throws {
        #expect(pause(Self.status(403, 43_200)) == 43_200 && pause(Self.status(403, 99 * Self.day)) == Self.day)
        #expect(pause(HTTPError.unreachable(Self.url, reason: .refused)) == nil)
    }

    @Test("waits while its host is rate limiting, which isn't a failure")
    func waits() throws {
        #expect(Self.status(429).wait(at: Self.now) == Self.now + 60)
        #expect(Self.status(429, 20).wait(at: Self.now) == Self.now + 20)
        #expect(Self.status(503, 20).wait(at: Self.now) == Self.now + 20)
        #expect(HTTPError.rateLimited(Self.url, until: Self.now + 7).wait(at: Self.now) == Self.now + 7)
        for error in [Self.status(503), Self.status(403, 20), .timedOut(Self.url, seconds: 1)] {
            #expect(error.wait(at: Self.now) == nil)
        }
    }
}

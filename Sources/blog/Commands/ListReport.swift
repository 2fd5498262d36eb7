import BlogCore
import Foundation

/// What a person should know of the refresh before a list.
struct ListReport {
    private let refresh: RefreshReport
    private let session: Session

    init(_ refresh: RefreshReport, _ session: Session) {
        self.refresh = refresh
        self.session = session
    }

    /// Says it, and gives the exit code that a list after such a refresh has.
    func tell() async -> ExitCode {
        await tellFlaws()
        let console = session.console
        switch refresh.outcome {
        case .notAsked(let storedAt):
            await session.tell("not asked, as told: the stored list \(Self.from(storedAt))")
        case .stillCurrent(let storedAt):
            await session.tell("not asked, as the server said it stays current: the stored list \(Self.from(storedAt))")
        case .unchanged: await session.tell("the list is unchanged")
        case .stored(let new, let updated, let unchanged, let delisted):
            await session.tell("\(new) posts new, \(updated) updated, \(unchanged) unchanged, \(delisted) gone")
        case .failed(let error as HTTPError, let storedAt) where error.isUnreachable:
            await console.notice("\(Failure.text(error)) This is the copy \(Self.from(storedAt)).")
        case .failed(let error, let storedAt):
            // What to do where there is no blog is of no use where there has been one.
            await console.error(Failure(error).message?.sentence)
            await console.notice("This is the copy \(Self.from(storedAt)).")
            return Failure(error).exitCode
        }
        return .success
    }

    /// Says which records of the list were left out, and which ids came twice.
    func tellFlaws() async {
        let console = session.console
        if !refresh.rejected.isEmpty {
            let shown = refresh.rejected.prefix(Self.mostNamed).map(Failure.text)
            let rest = refresh.rejectedCount > Self.mostNamed ? "; and more" : ""
            let what = refresh.rejectedCount == 1 ? "1 record was" : "\(refresh.rejectedCount) records were"
            await console.notice(
                "\(what) left out of \(session.reader.url.absoluteString): \(shown.joined(separator: "; "))\(rest).")
        }
        if !refresh.duplicateIDs.isEmpty {
            let ids = refresh.duplicateIDs.prefix(Self.mostNamed).map { "“\($0)”" }.joined(
                separator: ", ")
            let rest = refresh.duplicateIDs.count > Self.mostNamed ? " and more" : ""
            await console.notice("Ids that came more than once, the last one stands: \(ids)\(rest).")
        }
    }

    /// When a copy was made: "from 21 November 2026, 06:09 UTC".
    static func from(_ date: Date?) -> String {
        guard let date else { return "of the posts read so far" }
        return "from \(CopyDate.text(date))"
    }

    private static let mostNamed = 5
}

import Foundation
import Terminal
import Testing
@testable import BlogLibrary
@testable import HTTP
@testable import Rendering
@testable import blog

@Suite("A failure") struct FailureTests {
    static let url = URL(string: "http://a/post-metadata") ?? URL(filePath: "/")

    static let photos = URL(string: "http://localhost:8106/v1/photos") ?? URL(filePath: "/")
    static let usual = URL(string: "http://localhost:8106/post-metadata") ?? URL(filePath: "/")
    static let photo = photos.appending(path: "49")

    static let failures: [(any Error & Sendable, String, ExitCode)] = [
        (
            UsageError.unknownCommand("lst", nearest: "list"),
            "There is no command “lst”. Did you mean “list”?\nSee them all with: blog help", .usage
        ),
        (UsageError.missingValue(option: "limit"), "--limit needs a value.", .usage),
        (HTTPError.timedOut(url, seconds: 30), "http://a/post-metadata sent no response for 30 s.", .failed),
        (
            HTTPError.status(url, code: 503, retryAfter: 60),
            "http://a/post-metadata responded with 503 (the server failed). Retry after 60 s.", .failed
        ),
        (
            SourceError.unreadable(url, problem: "is empty"),
            "The response of http://a/post-metadata is empty.\nIs this the address of a blog?", .failed
        ),
        (
            SourceError.noSuchPost(id: "42", url),
            "There is no post “42” at http://a/post-metadata.\nSee the ids with: blog list", .noSuchPost
        ),
        (
            LibraryError.unreachable(.unreachable(url, reason: .refused)),
            "http://a/post-metadata could not be reached: nothing listens there.\n"
                + "Nothing is stored to show instead: check the address, or name another with --url, then try again.",
            .nothingToShow
        ),
        (
            LibraryError.unreachable(.unreachable(usual, reason: .refused)),
            "Nothing followed yet. Try: blog follow swift.org\n"
                + "Without that, blog reads the blog at its usual address: "
                + "http://localhost:8106/post-metadata could not be reached: nothing listens there.",
            .nothingToShow
        ),
        (
            LibraryError.unknownSource("swfit", known: (1...150).map { "source-\($0)" } + ["swift"]),
            "No source is called “swfit”. Did you mean “swift”?\nTo list them: blog sources", .usage
        ),
        (
            LibraryError.unreachable(.unreachable(photos, reason: .refused)),
            "http://localhost:8106/v1/photos could not be reached: nothing listens there.\n"
                + "500px shut its API down in 2018: name another server that speaks it with --url.", .nothingToShow
        ),
        (
            SourceError.refused(photos, hadKey: false),
            "http://localhost:8106/v1/photos wants a key.\nSet FIVEHUNDREDPX_CONSUMER_KEY to yours, and try again.",
            .failed
        ),
        (
            SourceError.refused(photo, hadKey: false),
            "http://localhost:8106/v1/photos/49 is refused.\n"
                + "The photo may be gone, or the server wants a key: set FIVEHUNDREDPX_CONSUMER_KEY to yours.", .failed
        ),
        (
            SourceError.refused(photo, hadKey: true),
            "http://localhost:8106/v1/photos/49 is refused.\n"
                + "The photo may be gone, or the key in FIVEHUNDREDPX_CONSUMER_KEY is wrong.", .failed
        ),
        (
            LibraryError.unknownSource("blgo", known: ["blog"]),
            "Invalid value “blgo” for --source: use blog. Did you mean “blog”?", .usage
        ),
        (
            LibraryError.unknownSource("Darng Fireball", known: ["df"], titles: ["Daring Fireball"]),
            "Invalid value “Darng Fireball” for --source: use df. Did you mean “Daring Fireball”?", .usage
        ),
        (
            LibraryError.unknownSource("gardning", known: ["df", "gardening-by-the-sea"]),
            "Invalid value “gardning” for --source: use df or gardening-by-the-sea. Did you mean “gardening-by-the-sea”?",
            .usage
        ),
        (
            LibraryError.severalSources("d", names: ["df", "dp"]),
            "“d” is the beginning of 2 sources: df and dp.\nTo list them: blog sources", .usage
        ),
        (
            LibraryError.severalSources("s", names: (1...9).map { "s\($0)" }),
            "“s” is the beginning of 9 sources: s1, s2, s3, s4, s5 and 4 more.\nTo list them: blog sources", .usage
        ),
        (
            LibraryError.noSuchPost("swfit:12", known: ["swift", "other"]),
            "No source that is followed has a post “swfit:12”. Did you mean “swift:12”?\nSee the ids with: blog list",
            .noSuchPost
        ),
        (
            LibraryError.noSuchPost("12", known: ["1"]),
            "No source that is followed has a post “12”.\nSee the ids with: blog list", .noSuchPost
        ),
        (
            LibraryError.badAddress("localhost:8106"),
            "Invalid address “localhost:8106”: use http or https, a host, and no user name or query, like http://localhost:8106.",
            .usage
        ),
        (
            OutputError.failed("No space left on device"),
            "The output could not be written: No space left on device.", .failed
        ),
    ]

    @Test("is a sentence to act on and an exit code", arguments: failures.indices)
    func sentence(index: Int) {
        let (error, sentence, exitCode) = Self.failures[index]
        let failure = Failure(error)
        #expect(failure.message?.text == sentence)
        #expect(failure.exitCode == exitCode)
    }

    @Test("is silence where the reader of a pipe has gone")
    func closedPipe() {
        #expect(Failure(OutputError.closed).message == nil)
        #expect(Failure(OutputError.closed).exitCode == .success)
    }

    @Test("never shows the insides of a program")
    func insides() {
        struct Odd: Error {}
        #expect(Failure(Odd()).message?.text.contains("Odd") == false)
    }
}

import BlogEssentials
import BlogMarkup
import BlogModel
import BlogTerminal
import Foundation
import Testing
@testable import blog
@testable import BlogCommandLine
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogRendering

@Suite("A failure") struct FailureTests {
    static let url = URL(string: "http://a/post-metadata") ?? URL(filePath: "/")

    static let photos = URL(string: "http://localhost:8106/v1/photos") ?? URL(filePath: "/")
    static let usual = URL(string: "http://localhost:8106/post-metadata") ?? URL(filePath: "/")
    static let photo = photos.appending(path: "49")

    static let failures: [(any Error & Sendable, String, ExitCode)] = [
        (
            UsageError.unknownCommand("lst", nearest: "list"),
            "Unknown command “lst”. Did you mean “list”?\nTo list the commands: blog help", .usage
        ),
        (
            UsageError.settings(path: "/s", line: 3, .unknownOption("frob", nearest: "from")),
            "/s:3: Unknown setting “frob”. Did you mean “from”?\nTo list the settings: blog config --example", .usage
        ),
        (UsageError.missingValue(option: "limit"), "--limit needs a value.", .usage),
        (PageError.notStored(url), "The article at http://a/post-metadata isn't stored.", .unavailable),
        (HTTPError.timedOut(url, seconds: 30), "http://a/post-metadata: timed out after 30 s", .failed),
        (
            HTTPError.status(url, code: 503, retryAfter: 60),
            "http://a/post-metadata: HTTP 503 Service Unavailable (retry after 60 s)", .failed
        ),
        (
            SourceError.unreadable(url, problem: "is empty"),
            "The response from http://a/post-metadata is empty.\nCheck that this is the address of a server with the Blog Nerd Ranch API.",
            .failed
        ),
        (
            SourceError.noSuchPost(id: "42", url),
            "No post “42” at http://a/post-metadata.\nTo list the IDs: blog list", .noSuchPost
        ),
        (
            LibraryError.unreachable(.unreachable(url, reason: .refused)),
            "http://a/post-metadata: connection refused\n"
                + "There is no stored copy to show. Check the address and your connection.",
            .unavailable
        ),
        (
            LibraryError.unreachable(.unreachable(usual, reason: .refused)),
            "You don't follow any sources. Try: blog follow swift.org\n"
                + "The default source can't be reached: http://localhost:8106/post-metadata: connection refused",
            .unavailable
        ),
        (
            LibraryError.unknownSource("swfit", known: (1...150).map { "source-\($0)" } + ["swift"]),
            "Unknown source “swfit”. Did you mean “swift”?\nTo list the sources: blog sources", .usage
        ),
        (
            LibraryError.unreachable(.unreachable(photos, reason: .refused)),
            "http://localhost:8106/v1/photos: connection refused\n"
                + "500px shut down its API in 2018. Use another server with --url.", .unavailable
        ),
        (
            SourceError.refused(photos, hadKey: false),
            "http://localhost:8106/v1/photos requires an API key.\nSet FIVEHUNDREDPX_CONSUMER_KEY to your API key, then try again.",
            .failed
        ),
        (
            SourceError.refused(photo, hadKey: false),
            "http://localhost:8106/v1/photos/49: access denied\n"
                + "The photo may be gone, or the server requires an API key (set FIVEHUNDREDPX_CONSUMER_KEY).",
            .failed
        ),
        (
            SourceError.refused(photo, hadKey: true),
            "http://localhost:8106/v1/photos/49: access denied\n"
                + "The photo may be gone, or the API key in FIVEHUNDREDPX_CONSUMER_KEY is wrong.", .failed
        ),
        (
            LibraryError.unknownSource("blgo", known: ["blog"]),
            "Unknown source “blgo” (use blog). Did you mean “blog”?", .usage
        ),
        (
            LibraryError.unknownSource("Darng Fireball", known: ["df"], titles: ["Daring Fireball"]),
            "Unknown source “Darng Fireball” (use df). Did you mean “Daring Fireball”?", .usage
        ),
        (
            LibraryError.unknownSource("gardning", known: ["df", "gardening-by-the-sea"]),
            "Unknown source “gardning” (use df or gardening-by-the-sea). Did you mean “gardening-by-the-sea”?",
            .usage
        ),
        (
            LibraryError.severalSources("d", names: ["df", "dp"]),
            "“d” is ambiguous: df and dp begin with it.\nTo list the sources: blog sources", .usage
        ),
        (
            LibraryError.severalSources("s", names: (1...9).map { "s\($0)" }),
            "“s” is ambiguous: s1, s2, s3, s4, s5 and 4 more begin with it.\nTo list the sources: blog sources", .usage
        ),
        (
            LibraryError.noSuchPost("swfit:12", known: ["swift", "other"]),
            "No post “swfit:12” in the sources you follow. Did you mean “swift:12”?\nTo list the IDs: blog list",
            .noSuchPost
        ),
        (
            LibraryError.noSuchPost("12", known: ["1"]),
            "No post “12” in the sources you follow.\nTo list the IDs: blog list", .noSuchPost
        ),
        (
            LibraryError.nothingRead,
            "No post for “last”: you haven't read one yet, or it was deleted.\n"
                + "To read the newest post: blog read latest", .noSuchPost
        ),
        (
            LibraryError.badAddress("localhost:8106"),
            "Invalid address “localhost:8106” (use a full address, as in http://localhost:8106).",
            .usage
        ),
        (
            LibraryError.badAddress("not a url"),
            "Invalid address “not a url” (use a full address, as in https://swift.org).", .usage
        ),
        (
            LibraryError.badAddress("ftp://x.y"),
            "Invalid address “ftp://x.y” (use http or https, as in https://swift.org).", .usage
        ),
        (
            LibraryError.badAddress("http://"),
            "Invalid address “http://” (use http or https and a host, as in https://swift.org).", .usage
        ),
        (
            LibraryError.badAddress("http://a.example/?b"),
            "Invalid address “http://a.example/?b” (use one without a query).", .usage
        ),
        (
            StoreError(path: "/a/b", reason: .damaged),
            "The store /a/b is damaged.\nTo recover the readable posts:\nblog store export > posts.jsonl\n"
                + "Then move the store elsewhere, and import the file: blog store import posts.jsonl", .failed
        ),
        (
            StoreError(path: "/a/b", reason: .notADatabase),
            "/a/b is damaged or isn't a blog store.\nUse another file with --store. "
                + "To recover a damaged store into a new one:\nsqlite3 /a/b .recover | sqlite3 recovered.sqlite3",
            .failed
        ),
        (
            StoreError(path: "/a", reason: .folder), "/a is a directory.\nName a file in it with --store.", .failed
        ),
        (
            OutputError.failed("No space left on device"),
            "Could not write the output: No space left on device", .failed
        ),
    ]

    @Test("is about the address once sources are followed, even at the default one")
    func followed() {
        let error = LibraryError.unreachable(.unreachable(Self.usual, reason: .refused))
        let message = Failure(error, followsNothing: false).message?.text ?? ""
        #expect(message.hasPrefix("http://localhost:8106/post-metadata: connection refused\n"))
        #expect(!message.contains("follow"))
    }

    @Test("has a message that says what to do, and an exit code", arguments: failures.indices)
    func sentence(index: Int) {
        let (error, sentence, exitCode) = Self.failures[index]
        let failure = Failure(error)
        #expect(failure.message?.text == sentence)
        #expect(ExitCode(error) == exitCode)
    }

    @Test("is silent if the reader of a pipe has closed it")
    func closedPipe() {
        #expect(Failure(OutputError.closed).message == nil)
        #expect(ExitCode(OutputError.closed) == .success)
    }

    @Test("never shows the names of types")
    func typeNames() {
        struct Odd: Error {}
        #expect(Failure(Odd()).message?.text.contains("Odd") == false)
    }
}

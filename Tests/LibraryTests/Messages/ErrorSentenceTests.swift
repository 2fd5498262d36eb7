import BlogEssentials
import Foundation
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogMarkup
@testable import BlogModel
@testable import BlogStore

@Suite("An error's description") struct ErrorSentenceTests {
    private static let url = URL(string: "https://name:secret@a.example/feed") ?? URL(filePath: "/")

    static let errors: [(any Error & Sendable, String)] = [
        (HTTPError.unreachable(url, reason: .refused), "https://a.example/feed: connection refused"),
        (
            HTTPError.unauthorized(url, .missing),
            "https://a.example/feed: HTTP 401: login required, but ~/.netrc has none for this host"
        ),
        (HTTPError.noTransport, "Could not load libcurl.so.4."),
        (SourceError.noBody(id: "4\n2", url), "The post “4 2” has no body at https://a.example/feed."),
        (
            SourceError.nothingUsable(url, [RejectedRecord(index: 4, field: "", reason: "is null")]),
            "No readable posts in the list at https://a.example/feed: record 4 is null"
        ),
        (
            SourceError.nothingUsable(url, [RejectedRecord(index: 0, field: "id", reason: "is missing")]),
            "No readable posts in the list at https://a.example/feed: record 0: id is missing"
        ),
        (
            HTTPError.privateAddress(url),
            "https://a.example/feed: not requested: the address is on a private network"
        ),
        (SourceError.refused(url, hadKey: true), "https://a.example/feed: access denied"),
        (LibraryError.unreachable(.timedOut(url, seconds: 30)), "https://a.example/feed: timed out after 30 s"),
        (
            LibraryError.noSuchPost("swfit:1\u{1B}[2J2", known: ["swift"]),
            "No post “swfit:12” in the sources you follow. Did you mean “swift:12”?"
        ),
        (
            LibraryError.badReference("next:0"),
            "“next:0” isn't supported (use latest, latest:3, next, next:3 or 3-7; at most 1,000 posts)."
        ),
        (LibraryError.nothingRead, "No post for “last”: you haven't read one yet, or it was deleted."),
        (LibraryError.unknownSource("x", known: []), "Unknown source “x”."),
        (PictureError.badAddress("ftp:x"), "“ftp:x” isn't a web address."),
        (
            StoreError(path: "/a/b", reason: .busy),
            "The store /a/b is in use by another process. Try again in a moment."
        ),
        (FileError.unreadable("-", reason: "it is closed"), "Could not read standard input: it is closed"),
        (OutputError.failed("No space left on device"), "Could not write the output: No space left on device"),
    ]

    @Test("is a message for people, without logins or control characters", arguments: errors.indices)
    func sentence(index: Int) {
        let (error, sentence) = Self.errors[index]
        #expect(error.localizedDescription == sentence)
        let word = Explanation(of: error).word
        #expect(word.wholeMatch(of: #/[a-z]+(-[a-z]+)*/#) != nil, "\(word)")
    }

    @Test("has one place for its sentence, its advice and its exit code, and a word for programs")
    func explained() {
        let kept = Explanation(of: LibraryError.searchKept("swift ui"))
        #expect(kept.word == "search-kept" && kept.exitCode == .usage)
        #expect(kept.hint == "To rename it: blog follow 'swift ui' --as NAME")
        let missing = Explanation(
            of: SourceError.noSuchPost(id: "9", Self.url), repeating: RepeatedOptions(source: " -s hn"))
        #expect(missing.exitCode == .noSuchPost && missing.hint == "To list the IDs: blog list -s hn")
        #expect(Explanation(of: CancellationError()).word == "unexpected")
    }

    @Test(
        "names the usual HTTP statuses",
        arguments: [
            (400, " Bad Request"), (402, ""), (403, " Forbidden"), (404, " Not Found"), (410, " Gone"),
            (429, " Too Many Requests"), (500, " Internal Server Error"), (502, " Bad Gateway"),
            (503, " Service Unavailable"), (504, " Gateway Timeout"),
        ])
    func status(code: Int, phrase: String) {
        let error = HTTPError.status(Self.url, code: code, retryAfter: nil)
        #expect(error.localizedDescription == "https://a.example/feed: HTTP \(code)\(phrase)")
    }

    @Test(
        "says what an address leads to instead of a page",
        arguments: [
            ("image/png", "a picture"), ("video/mp4", "a video"), ("audio/mpeg", "an audio file"), ("", "a file"),
            ("application/pdf", "a PDF"), ("application/rss+xml", "a feed"), ("application/atom+xml", "a feed"),
            ("application/feed+json", "a feed"), ("application/zip", "a file (application/zip)"),
        ])
    func notAPage(type: String, kind: String) {
        let sentence = PageError.notAPage(Self.url, type: type).localizedDescription
        #expect(sentence.hasSuffix(": \(kind), not a web page"))
    }
}

import BlogTestSupport
import Testing
@testable import BlogFeeds
@testable import BlogLibrary

@Suite("A line of a subscription list") struct SubscriptionLineTests {
    private static let url = "https://a.example/feed.xml"

    /// Lines, with the title and the folder of the source in each.
    private static let sources: [(line: String, title: String?, folder: String?)] = [
        (url, nil, nil), ("  \(url)  ", nil, nil), ("\"\(url)\"", nil, nil), ("\(url)\ttech", nil, "tech"),
        ("\(url) tech news", nil, "tech"), ("\(url) \"my tag\" x", nil, "my tag"),
        ("\(url) \"~A \\\"quoted\\\" \\\\ title\" tech", #"A "quoted" \ title"#, "tech"),
        ("\(url) ~Title ! tech", "Title", "tech"), ("\(url) \"!hidden\" \"~Title\"", "Title", nil),
        ("\(url) # news", nil, nil), ("\(url) tech #news", nil, "tech"), ("\(url) \"#news\"", nil, "#news"),
        ("\(url) a/b", nil, #"a\/b"#), ("\(url) \"not closed", nil, "not closed"),
        ("\(url) \"\" tech", nil, "tech"), ("\(url) \"~ \u{7} x\ny\"", "x y", nil),
    ]

    @Test("has an address, a title and a folder", arguments: sources)
    func subscriptions(row: (line: String, title: String?, folder: String?)) {
        guard case .source(let source) = SubscriptionLine(row.line) else {
            Issue.record("not a source: \(row.line)")
            return
        }
        #expect((source.address, source.title, source.folder) == (Self.url, row.title, row.folder))
    }

    @Test(
        "may be an address without a scheme, if only a comment or quoted tags follow",
        arguments: [
            ("swift.org", true), ("swift.org # mine", true), ("swift.org \"tech\"", true), ("swift.org ~Swift", true),
            ("hn", true), ("localhost:8106", true), ("me:secret@swift.org", true),
            ("https://me:a@b@swift.org/x y", true),
            ("swift.org is a site", false), ("hn and others", false), ("once upon a time", false), ("once", false),
            ("feed.xml netnewswire", false), ("ftp://a.example", false), ("mail me@a.example", false), ("@all", false),
            ("https://a.example:x/ tech", false), ("\"once upon\"", false), ("\\", false), ("\"", false),
        ])
    func addresses(line: String, isSource: Bool) {
        if case .source = SubscriptionLine(line) {
            #expect(isSource)
        } else {
            #expect(SubscriptionLine(line) == .other && !isSource)
        }
    }

    @Test("may be blank or a comment", arguments: ["", "  \t", "# swift.org", "  #", "#https://a.example"])
    func blank(line: String) { #expect(SubscriptionLine(line) == .blank) }

    @Test("may be one of newsboat's query, filter and exec lines", arguments: ["query", "filter", "exec"])
    func special(name: String) {
        #expect(SubscriptionLine("\(name):x:https://a.example tech") == .special(name))
        #expect(SubscriptionLine("\"\(name):Old: age > 7\" tech") == .special(name))
    }

    @Test("is parsed in linear time", arguments: ["\"a ", "\\", "\"\\\"", "a@", "# ", "~\u{301}", "://"])
    func time(part: String) {
        let growth = Growth.ofEightfoldInput(enough: 24, from: 4096) { length in
            _ = SubscriptionLine("https://a.example " + String(repeating: part, count: length / part.utf8.count))
            _ = SubscriptionLine(String(repeating: part, count: length / part.utf8.count))
        }
        #expect(growth < 24)
    }
}

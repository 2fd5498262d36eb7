import BlogEssentials
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTestSupport
import Foundation
import Testing
@testable import blog
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogTerminal

@Suite("Progress") struct ProgressTests {
    private let url = URL(string: "http://example.org/x") ?? URL(filePath: "/")

    @Test("names the host while nothing has arrived")
    func waiting() {
        var progress = Progress()
        progress.update(with: .requesting(host: "example.org"))
        #expect(progress.line(width: 80).hasSuffix(" example.org waiting"))
    }

    @Test("is a bar if the length is known")
    func bar() {
        var progress = Progress()
        progress.update(with: .requesting(host: "example.org"))
        progress.update(with: .receiving(bytes: 5_000_000, of: 20_000_000))
        #expect(progress.line(width: 80).hasSuffix("█████░░░░░░░░░░░░░░░ 25% of 20.0 MB"))
    }

    @Test("begins again with each request")
    func requests() {
        var progress = Progress()
        progress.update(with: .requesting(host: "a.example"))
        progress.update(with: .receiving(bytes: 5, of: 10))
        progress.update(with: .received)
        progress.update(with: .requesting(host: "b.example"))
        #expect(progress.line(width: 80).hasSuffix(" b.example waiting"))
    }

    @Test("is one sanitized line, whatever the names of posts and hosts")
    func hostile() throws {
        var progress = Progress()
        progress.update(with: .planned(2))
        let title = "a\u{1B}]0;evil\u{7}b\nc\u{202E}d"
        let post = PostMetadata(
            id: "1", title: title, publishDate: Timestamp(secondsSince1970: 0), postId: "1", summary: nil,
            author: Author(name: ""))
        progress.update(with: SyncEvent.fetching(post).step)
        #expect(progress.line(width: 80).hasSuffix("ab cd"))
        progress.update(with: HTTPActivity.retrying(url, .tooSlow(url), seconds: 4).step)
        #expect(progress.line(width: 80).hasSuffix("waiting 4 s for example.org"))
        progress.update(with: HTTPActivity.received(url, status: 200, bytes: 1, seconds: 1).step)
        #expect(progress.line(width: 80).hasSuffix("ab cd"))
    }

    @Test("says how long it waits, unless that is less than a second", arguments: [(0.9, nil), (1.0, "1"), (1.1, "2")])
    func pause(seconds: Double, shown: String?) {
        var progress = Progress()
        for count in [2, 3] { progress.update(with: .planned(count)) }
        progress.update(with: .finished)
        progress.update(with: .waiting(host: nil, seconds: seconds))
        let line = progress.line(width: 80)
        #expect(line.contains(" 1/5 · "))
        #expect(line.hasSuffix(shown.map { " · waiting \($0) s for the server" } ?? " a second"))
    }

    @Test("counts indexed posts from zero after those of a sync")
    func indexing() {
        var progress = Progress()
        progress.update(with: .planned(2))
        for count in [5, 2] { progress.update(with: .indexed(count)) }
        #expect(progress.line(width: 80).contains(" 7 posts · "))
        #expect(progress.line(width: 80).hasSuffix(" · indexing for search"))
    }

    @Test("is shown on a terminal, unless --quiet or --verbose was given", arguments: [[], ["quiet"], ["verbose"]])
    func options(given: [String]) throws {
        let terminal = try BlogTestSupport.Terminal(columns: 80, rows: 24)
        var options = Appearance.Options()
        options.isQuiet = given.contains("quiet")
        options.isVerbose = given.contains("verbose")
        let stream = FileStream(descriptor: terminal.program.fileDescriptor)
        let appearance = Appearance(options, Environment(["TERM": "xterm"]), output: stream, errors: stream)
        #expect(appearance.showsProgress == given.isEmpty)
    }

    @Test("fits the width", arguments: [10, 20, 40])
    func fits(width: Int) {
        var progress = Progress()
        progress.update(with: .receiving(bytes: 5_000_000, of: 20_000_000))
        #expect(DisplayWidth.of(progress.line(width: width)) < width)
    }
}

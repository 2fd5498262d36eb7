import BlogCore
import Foundation
import Testing

@testable import blog

@Suite("Progress") struct ProgressTests {
    private let url = URL(string: "http://example.org/x") ?? URL(filePath: "/")

    @Test("names the host while nothing has come")
    func waiting() {
        var progress = Progress()
        progress.note(.requesting(url))
        #expect(progress.line(width: 80).hasSuffix(" example.org waiting"))
    }

    @Test("is a bar where the length is known")
    func bar() {
        var progress = Progress()
        progress.note(.requesting(url))
        progress.note(.receiving(url, bytes: 5_000_000, total: 20_000_000))
        #expect(progress.line(width: 80).hasSuffix("█████░░░░░░░░░░░░░░░ 25 % of 20.0 MB"))
    }

    @Test("fits the width", arguments: [10, 20, 40])
    func fits(width: Int) {
        var progress = Progress()
        progress.note(.receiving(url, bytes: 5_000_000, total: 20_000_000))
        #expect(DisplayWidth.of(progress.line(width: width)) < width)
    }
}

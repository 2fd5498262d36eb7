import Foundation
import Testing
@testable import BlogMarkup

@Suite("A redirect in a page") struct MetaRefreshTests {
    private func target(_ page: String) -> String? { MetaRefresh.target(in: Data(page.utf8)) }

    @Test(
        "is read as browsers read it",
        arguments: [
            ("0;url=a.html", "a.html"), ("0; URL='a.html'", "a.html"), (" 0 , url = \"a b\" ", "a b"),
            ("5;/a?b=c;d", "/a?b=c;d"),
            ("0.5;url=a", "a"), ("6;url=a", nil), ("0", nil), ("0;url=", nil), (";url=a", nil), ("url=a", nil),
            ("", nil),
            ("0;url.html", "url.html"),
        ] as [(String, String?)])
    func content(content: String, target: String?) {
        #expect(
            self.target("<html><META HTTP-EQUIV=Refresh CONTENT='\(content.replacing("'", with: "&#39;"))'>") == target)
    }

    @Test("isn't found in scripts, comments, and text for browsers without scripts, unless the page is short")
    func places() {
        let meta = "<meta http-equiv=refresh content='0;url=a'>"
        #expect(target("<script>\(meta)</script>") == nil)
        #expect(target("<!-- \(meta) -->") == nil)
        #expect(target("<noscript>\(meta)</noscript>") == "a")
        #expect(target("<noscript>\(meta)</noscript>" + String(repeating: "x", count: 10_000)) == nil)
        #expect(target(String(repeating: " ", count: 100_000) + meta) == nil)
        #expect(target("<meta name=refresh content='0;url=a'>") == nil)
    }
}

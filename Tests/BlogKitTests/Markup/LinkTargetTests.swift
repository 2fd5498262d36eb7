import BlogKit
import Foundation
import Testing

@Suite("The target of a link") struct LinkTargetTests {
    @Test(
        "of a mail names its address, copies, subject and text, and nothing that a mail program would do besides",
        arguments: [
            ("mailto:a@b.c", "mailto:a@b.c"),
            ("mailto:a@b.c,d@e.f?subject=x%20y&body=z%0D%0Az", "mailto:a@b.c,d@e.f?subject=x%20y&body=z%0D%0Az"),
            ("MAILTO:a@b.c?CC=d@e.f&Subject=x", "mailto:a@b.c?cc=d@e.f&subject=x"),
            ("mailto:a@b.c?attach=/etc/passwd", "mailto:a@b.c"),
            ("mailto:a@b.c?attachment=file:///etc/passwd&subject=x", "mailto:a@b.c?subject=x"),
            ("mailto:a@b.c?%61ttach=/etc/passwd&bcc=x@y.z&subject", "mailto:a@b.c"),
            ("mailto:a@b.c?subject=x#&attach=/etc/passwd", "mailto:a@b.c?subject=x"),
            ("mailto:?body=x&attach=y", "mailto:?body=x"),
            ("mailto:a@b.c?subject=x%0Aattach:y&cc=%0Ax", "mailto:a@b.c"),
        ])
    func mail(target: String, safe: String) {
        #expect(LinkTarget.safe(target) == safe)
        #expect(LinkTarget.safe(safe) == safe)
    }

    @Test("of a mail with a line break in its address is none", arguments: ["mailto:a%0Ab@c.d", "mailto:a%00"])
    func lineBreak(target: String) {
        #expect(LinkTarget.safe(target) == nil)
    }

    @Test("of a page stays as it is")
    func page() {
        #expect(LinkTarget.safe("https://a.b/c?attach=d#e") == "https://a.b/c?attach=d#e")
    }
}

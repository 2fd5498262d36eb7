import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogMarkup

@Suite("A character reference") struct CharacterReferenceTests {
    /// The parsers of references, each with a function from a source to the text that is shown.
    private static let readers: [(name: String, read: @Sendable (String) throws -> String?)] = [
        ("HTML", { HTML.document($0).blocks.plainText }),
        ("an attribute of HTML", { HTML.document("<img src=x alt='\($0)'>").blocks.plainText }),
        ("an attribute without quotes", { HTML.document("<img src=x alt=\($0)>").blocks.plainText }),
        ("Markdown", { Markdown.document($0).blocks.plainText }),
        ("HTML in Markdown", { Markdown.document("<div>\($0)</div>").blocks.plainText }),
        ("a title in Markdown", { link(Markdown.document("[a](/b \"\($0)\")")) }),
        ("a title or summary", { FeedText.line(html: Array($0.utf8)) }),
        ("a feed", { try feedTitle("<title>\($0)</title>") }),
        ("HTML in a feed", { try feedTitle("<title type='html'>\($0.replacing("&", with: "&amp;"))</title>") }),
        (
            "an attribute in XML",
            { try OPML.read(Array("<opml><outline text='\($0)' xmlUrl='x'/>".utf8)).feeds.first?.title }
        ),
    ]

    private static func feedTitle(_ title: String) throws -> String? {
        try FeedSample.parse("<feed xmlns='http://www.w3.org/2005/Atom'>\(title)<entry><id>a</id></entry></feed>").title
    }

    private static func link(_ document: Document) -> String? {
        guard case .paragraph(let spans)? = document.blocks.first, case .link(_, _, let title)? = spans.first else {
            return nil
        }
        return title
    }

    @Test(
        "means the same character in every format",
        arguments: [
            // Numbers of windows-1252.
            ("&#146;", "’"), ("&#x92;", "’"), ("&#X92;", "’"), ("&#0000000146;", "’"), ("&#147;a&#148;", "“a”"),
            ("&#150;", "–"), ("&#151;", "—"), ("&#128;", "€"), ("&#133;", "…"), ("&#153;", "™"),
            ("&rsquo;", "’"), ("&hellip;", "…"), ("&quot;", "\""), ("&apos;", "'"), ("&lt;", "<"),
            ("a&amp;lt;", "a&lt;"),
            ("&CounterClockwiseContourIntegral;", "∳"), ("&acE;", "\u{223E}\u{333}"),
            ("&#8217;", "’"), ("&#x1F600;", "😀"), ("&#xD800;", "\u{FFFD}"),
            ("&#55357;&#56841;.", "😉."), ("&#xD83D;&#xDE09;", "😉"), ("&#xD83D;&#65;", "\u{FFFD}A"),
            ("&#xDE09;&#xD83D;", "\u{FFFD}\u{FFFD}"), ("&#0;", "\u{FFFD}"),
            ("&#1114112;", "\u{FFFD}"),
        ])
    func character(reference: String, text: String) throws {
        for (name, read) in Self.readers { #expect(try read(reference) == text, "\(name)") }
    }

    @Test(
        "without a semicolon is one of HTML's legacy names, and only in HTML",
        arguments: [
            ("&amp", "&"), ("&AMP", "&"), ("&LT", "<"), ("&COPY", "©"), ("&copy", "©"),
            ("&eacute", "é"), ("&frac12", "½"), ("&copy.", "©."), ("&nbsp.", "\u{A0}."), ("&hellip", "&hellip"),
            ("&Amp", "&Amp"), ("&am", "&am"),
        ])
    func unterminated(reference: String, text: String) throws {
        for (name, read) in Self.readers {
            let isOneLine = name == "a title or summary" || name == "HTML in a feed"
            let isHTML =
                name.contains("attribute of") || name.contains("without quotes") || name.hasPrefix("HTML") || isOneLine
            let shown = isOneLine ? text.replacing("\u{A0}", with: "") : text
            #expect(try read(reference) == (isHTML ? shown : reference), "\(name)")
        }
    }

    @Test(
        "without a semicolon may precede letters in text, but not in an attribute",
        arguments: [
            ("a&copy2026", "a©2026"), ("&eacutet&eacute", "été"), ("&notit;", "¬it;"), ("&notin;", "∉"),
            ("?a&copy=2", "?a©=2"), ("&COPY;&COPYx", "©©x"), ("&ampamp;", "&amp;"), ("a&amp b", "a& b"),
        ])
    func unterminatedInText(source: String, text: String) {
        #expect(HTML.document(source).blocks.plainText == text)
        let attribute = HTML.document("<img src=x alt='\(source)'>").blocks.plainText
        let ended = source.replacing("&COPY;", with: "©").replacing("&notin;", with: "∉").replacing("&amp ", with: "& ")
        #expect(attribute == (source.hasSuffix("&eacute") ? "&eacuteté" : ended))
    }

    @Test(
        "is plain text if it is unknown or incomplete",
        arguments: [
            "&", "&#", "&#;", "&#x;", "&;", "&bogus;", "&Amp;", "&#99999999;", "&#12a;", "&#xg;", "&a-b;",
        ])
    func text(reference: String) throws {
        for (name, read) in Self.readers { #expect(try read(reference) == reference, "\(name)") }
    }
}

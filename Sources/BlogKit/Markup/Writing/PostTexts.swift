import BlogEssentials
import BlogModel

extension Post {
    /// The body without markup, a line for each paragraph, safe to print: without control characters, escape sequences, bidi overrides, and characters that
    /// can't be seen.
    public var safeText: String { BodyText.plain(body, format: bodyFormat) }

    /// The body as Markdown (https://spec.commonmark.org, with tables and strikethrough), safe to print.
    ///
    /// One that was published as Markdown stays as it is, but for those characters.
    public var markdown: String { BodyText.markdown(of: metadata, body: body, format: bodyFormat) }

    /// The body as a fragment of HTML that is safe in any page: text, links that browsers may open, and pictures; no scripts, styles
    /// and forms.
    ///
    /// - Parameter base: the address that links and pictures are relative to; nil to leave out the relative ones.
    public func html(relativeTo base: URL? = nil) -> String {
        BodyText.html(BodyText.document(of: metadata, body: body, format: bodyFormat), relativeTo: base)
    }
}

extension Article {
    /// The title on one line, safe to print; nil if unknown.
    public var safeTitle: String? { title.map { Sanitizer.line($0) } }

    /// The text without markup, a line for each paragraph, safe to print.
    public var safeText: String { BodyText.plain(body, format: format) }

    /// The text as Markdown (https://spec.commonmark.org, with tables and strikethrough), safe to print.
    public var markdown: String {
        format == .markdown ? Sanitizer.block(body) : MarkdownPrinter().text(BodyText.document(body, format: format))
    }

    /// The text as a fragment of HTML that is safe in any page: text, links that browsers may open, and pictures; no scripts, styles
    /// and forms.
    public var html: String {
        BodyText.html(BodyText.document(body, format: format), relativeTo: URL(address: address))
    }
}

extension PostMetadata {
    /// The title on one line, safe to print.
    public var safeTitle: String { Sanitizer.line(title) }
}

extension Author {
    /// The name on one line, safe to print.
    public var safeName: String { Sanitizer.line(name) }

    /// The address of the author's picture; nil if there is none, or it isn't http or https.
    ///
    /// - Parameter address: that of the source, which its path may be relative to.
    public func picture(relativeTo address: URL?) -> URL? {
        image.flatMap { LinkTarget.web($0, base: address) }.flatMap { URL(address: $0) }
    }
}

extension BodyText {
    /// A body without markup, safe to print.
    static func plain(_ body: String, format: BodyFormat?) -> String {
        Sanitizer.block(document(body, format: format).blocks.plainText)
    }

    /// A body as Markdown, with what belongs to the post besides, safe to print; one that is Markdown stays as it is.
    package static func markdown(of metadata: PostMetadata, body: String, format: BodyFormat?) -> String {
        let format = format ?? self.format(of: body)
        return format == .markdown
            ? Sanitizer.block(body) : MarkdownPrinter().text(document(of: metadata, body: body, format: format))
    }

    /// A document as a fragment of HTML that is safe in any page.
    static func html(_ document: Document, relativeTo base: URL?) -> String {
        var printer = PagePrinter(.linked, linkBase: base, pictureBase: base, below: 1)
        return printer.text(document).html
    }
}

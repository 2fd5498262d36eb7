/// The name of an element, with its role in how browsers parse tags.
enum HTMLTag: String, CaseIterable, Sendable {
    case a, abbr, acronym, address, area, article, aside, audio, b, base, bdi, bdo, big, blockquote, body, br, button
    case canvas, caption, center, cite, code, col, colgroup, data, datalist, dd, del, details, dfn, dialog, dir, div,
        dl, dt
    case em, embed, fieldset, figcaption, figure, font, footer, form, h1, h2, h3, h4, h5, h6, head, header, hgroup, hr
    case html, i, iframe, img, input, ins, kbd, label, legend, li, link, main, mark, math, menu, meta, meter, nav
    case nobr, noembed, noframes, noscript, object, ol, optgroup, option, output, p, param, picture, pre, progress, q
    case rb, rp, rt, rtc, ruby, s, samp, script, section, select, small, source, span, strike, strong, style, sub
    case summary, sup, svg, table, tbody, td, template, textarea, tfoot, th, thead, time, title, tr, track, tt, u, ul
    case `var`, video, wbr
    // MathML
    case annotation, maction, menclose, merror, mfenced, mfrac, mi, mn, mo, mover, mpadded, mroot, mrow, ms, mspace
    case msqrt, mstyle, msub, msubsup, msup, mtable, mtd, mtext, mtr, munder, munderover, semantics
    /// Any other element.
    case other = "-"
    /// A text node.
    case text = "#"

    init(name: String) {
        self = Self.byName[HTMLNames.standard(name)] ?? .other
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    var isVoid: Bool {
        switch self {
        case .area, .base, .br, .col, .embed, .hr, .img, .input, .link, .meta, .param, .source, .track, .wbr: true
        default: false
        }
    }

    var isHeading: Bool {
        switch self {
        case .h1, .h2, .h3, .h4, .h5, .h6: true
        default: false
        }
    }

    /// Whether the element is embedded content, which is seen although it has no text.
    var isEmbedded: Bool {
        switch self {
        case .img, .picture, .iframe, .video, .audio, .math, .embed, .object: true
        default: false
        }
    }

    /// Whether the element is a piece of a text, whose names say how it looks rather than what it is for.
    var isPartOfText: Bool {
        switch self {
        case .div, .section, .article, .aside, .header, .footer, .nav, .main, .form, .fieldset, .ul, .ol, .menu, .dir,
            .center, .details, .dialog, .iframe, .object, .embed, .other, .body, .html, .table, .tbody,
            .hgroup:
            false
        default: true
        }
    }

    /// Whether the element's content isn't markup.
    var isRaw: Bool {
        switch self {
        case .script, .style, .title, .textarea, .iframe, .noembed, .noframes: true
        default: false
        }
    }

    /// Whether the element belongs in the `head` while that is open.
    var isMetadata: Bool {
        switch self {
        case .base, .link, .meta, .noscript, .script, .style, .template, .title: true
        default: false
        }
    }

    /// Whether the element's start tag ends an open paragraph.
    var endsParagraph: Bool {
        switch self {
        case .address, .article, .aside, .blockquote, .center, .dd, .details, .dialog, .div, .dl, .dt, .fieldset,
            .figcaption, .figure, .footer, .form, .h1, .h2, .h3, .h4, .h5, .h6, .header, .hgroup, .hr, .li, .main,
            .menu, .nav, .ol, .p, .pre, .section, .summary, .table, .ul:
            true
        default: false
        }
    }

    /// Whether tags inside the element can end neither it nor the elements around it.
    var isScope: Bool {
        switch self {
        case .html, .body, .table, .td, .th, .caption, .object, .template: true
        default: false
        }
    }

    /// Whether an inline element's end tag doesn't end the element.
    var isBlock: Bool { endsParagraph || isScope || self == .tr || self == .tbody || self == .thead || self == .tfoot }
}

/// Sets of element names, by their meaning for the text.
package enum HTMLNames {
    /// The name of the HTML element that an element of AMP or a light player stands for
    /// (https://amp.dev/documentation/components/); other names are returned unchanged.
    static func standard(_ name: String) -> String {
        guard name.hasPrefix("amp-") || name.hasPrefix("lite-") else { return name }
        return customElements[name] ?? name
    }

    private static let customElements = [
        "amp-img": "img", "amp-anim": "img", "amp-video": "video", "amp-audio": "audio", "amp-iframe": "iframe",
        "amp-youtube": "iframe", "amp-vimeo": "iframe", "lite-youtube": "iframe", "lite-vimeo": "iframe",
    ]

    /// Elements whose only effect is to end the paragraph.
    static let blocks: Set<String> = [
        "address", "article", "aside", "body", "caption", "center", "details", "dialog", "div", "dl", "dt",
        "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "html", "legend", "main", "nav", "p",
        "section", "summary", "tbody",
        "tfoot", "thead", "video", "audio", "iframe", "picture",
    ]

    /// Elements with which a text in HTML begins.
    package static let first: Set<String> = blocks.union([
        "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "img", "ol", "pre", "table", "ul",
    ])

    /// Elements within a word or a sentence, including those of MathML.
    package static let inlines: Set<String> = [
        "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd",
        "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
        "img", "annotation", "maction", "menclose", "mfenced", "mfrac", "mi", "mn", "mo", "mover", "mpadded", "mroot",
        "mrow", "ms", "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup", "mtable", "mtd", "mtext", "mtr", "munder",
        "munderover", "semantics",
    ]

    /// Elements that can't have content and so have no end tag.
    package static let voids = Set(HTMLTag.allCases.filter(\.isVoid).map(\.rawValue))

    /// The parts of a table; each of them ends a cell.
    static let tableParts: Set<String> = ["caption", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr"]

    /// The known elements in neither ``first`` nor ``inlines``.
    package static let others: Set<String> = [
        "br", "button", "canvas", "col", "colgroup", "datalist", "dd", "embed", "input", "label",
        "li", "link", "math", "meta", "noembed", "noframes", "noscript", "object", "option", "param", "rp", "rt",
        "ruby", "script", "select",
        "source", "style", "svg", "td", "template", "textarea", "th", "title", "tr",
    ]
}

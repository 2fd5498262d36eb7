/// The name of an element, and its part in the rules by which browsers read tags.
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
    /// An element with another name.
    case other = "-"
    /// No element, but text.
    case text = "#"

    init(name: String) {
        self = Self.byName[name] ?? .other
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

    /// Elements whose content isn't markup.
    var isRaw: Bool {
        switch self {
        case .script, .style, .title, .textarea, .iframe, .noembed, .noframes: true
        default: false
        }
    }

    /// Elements that belong into the `head`, as long as that is open.
    var isOfHead: Bool {
        switch self {
        case .base, .link, .meta, .noscript, .script, .style, .template, .title: true
        default: false
        }
    }

    /// Elements that end a paragraph where they begin.
    var endsParagraph: Bool {
        switch self {
        case .address, .article, .aside, .blockquote, .center, .dd, .details, .dialog, .div, .dl, .dt, .fieldset,
            .figcaption, .figure, .footer, .form, .h1, .h2, .h3, .h4, .h5, .h6, .header, .hgroup, .hr, .li, .main,
            .menu, .nav, .ol, .p, .pre, .section, .summary, .table, .ul:
            true
        default: false
        }
    }

    /// Elements that tags within them can't end, nor the elements around them.
    var isScope: Bool {
        switch self {
        case .html, .body, .table, .td, .th, .caption, .object, .template: true
        default: false
        }
    }

    /// Elements that an inline element's end tag doesn't end.
    var isBlock: Bool { endsParagraph || isScope || self == .tr || self == .tbody || self == .thead || self == .tfoot }
}

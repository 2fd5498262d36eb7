import BlogEssentials

/// The attributes of an element that tell whether it belongs to the article.
struct ElementFacts {
    private(set) var isHidden = false
    /// Whether it names the author.
    private(set) var isByline = false
    /// Whether it holds a name, by its `itemprop`.
    private(set) var isName = false
    /// How much its text counts as that of a link: less in one to a fragment of the page, and not at all in a target.
    private(set) var linkWeight = 0.0
    /// Whether it embeds a video.
    private(set) var isVideo = false
    private(set) var isPresentation = false
    /// Whether it holds the comments on a post, by the ID that blog engines give it.
    private(set) var isOfComments = false
    /// Whether it is the checkbox of a task list item, rather than part of a form.
    private(set) var isCheckbox = false
    /// Whether it is part of the page's user interface, by its `role`.
    private(set) var hasUnlikelyRole = false
    private var classWords: ArticleWords = []
    private var idWords: ArticleWords = []

    var words: ArticleWords { classWords.union(idWords) }
    var isUnlikely: Bool { words.contains(.unlikely) && !words.contains(.possible) }
    /// How much the class and ID speak for the element.
    var weight: Double { classWords.weight + idWords.weight }

    init() {}

    init(of node: Int, in tree: HTMLTree) {
        let tag = tree.tag(node)
        var isModal = false
        tree.scanAttributes(of: node) { scanner in
            for attribute in scanner.attributes {
                let value = scanner[attribute.value]
                switch scanner.lowercased(attribute.name) {
                case "class": classWords = ArticleWords(in: value)
                case "id":
                    idWords = ArticleWords(in: value)
                    isOfComments = ["comments", "disqus_thread"].contains(value.text)
                case "href": linkWeight = value.count > 1 && value[0] == UInt8(ascii: "#") ? 0.3 : 1
                case "aria-modal": isModal = value.text == "true"
                case "role":
                    hasUnlikelyRole = Self.unlikelyRoles.contains(value.text)
                    isPresentation = value.text == "presentation"
                case "rel": isByline = isByline || value.text == "author"
                case "itemprop":
                    isByline = isByline || value.text.contains("author")
                    isName = value.text.contains("name")
                default: break
                }
                if [.iframe, .embed, .object].contains(tag), Self.isVideo(value.text) { isVideo = true }
            }
            if tag == .iframe, !isVideo { isVideo = scanner.attributeValues.videoID != nil }
        }
        // A heading's ID is made of its words, and so is often that of the section that it begins.
        if !idWords.isEmpty, tag.isHeading || tree.beginsWithHeading(node, named: tree.attribute("id", of: node)) {
            idWords = []
        }
        if words.isForeign, tree.isInSeries(node) { (classWords, idWords) = (classWords.ofText, idWords.ofText) }
        if words.contains(.byline) { isByline = true }
        isOfComments = isOfComments && idWords.contains(.unlikely)
        isCheckbox = tree.isCheckbox(node)
        isHidden = tree.isHidden(node) || isModal && hasUnlikelyRole && tag != .html && tag != .body
    }

    private static let unlikelyRoles: Set<String> = [
        "menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog",
    ]

    /// Whether an address is that of a video player.
    private static func isVideo(_ address: String) -> Bool {
        // String's own search took half of the time of an article.
        var rest = Array(address.lowercased().utf8)[...]
        while let slashes = rest.position(of: Array("//".utf8)) {
            rest = rest[(slashes + 2)...]
            let host = rest.prefix { $0 != UInt8(ascii: "/") }
            if host.endIndex < rest.endIndex, videoHosts.contains(host.text.withoutWWW) { return true }
        }
        return false
    }

    private static let videoHosts: Set<String> = [
        "dailymotion.com", "youtube.com", "youtube-nocookie.com", "player.vimeo.com", "v.qq.com", "bilibili.com",
        "live.bilibili.com", "archive.org", "upload.wikimedia.org", "player.twitch.tv", "player.bilibili.com",
    ]
}

/// What the words in a class or ID suggest about an element.
struct ArticleWords: OptionSet {
    let rawValue: UInt16

    static let unlikely = ArticleWords(rawValue: 1)
    static let possible = ArticleWords(rawValue: 2)
    static let positive = ArticleWords(rawValue: 4)
    static let negative = ArticleWords(rawValue: 8)
    static let byline = ArticleWords(rawValue: 16)
    static let share = ArticleWords(rawValue: 32)
    static let furniture = ArticleWords(rawValue: 128)
    static let lead = ArticleWords(rawValue: 256)
    static let note = ArticleWords(rawValue: 512)
    static let footnote = ArticleWords(rawValue: 1024)
    static let quotation = ArticleWords(rawValue: 2048)
    /// Those of boxes beside a text, but also of wrappers within it.
    static let layout = ArticleWords(rawValue: 4096)

    var weight: Double { (contains(.positive) ? 25 : 0) - (isDisjoint(with: [.negative, .layout]) ? 0 : 25) }

    /// The words of each meaning, which match anywhere in a text.
    ///
    /// A word after `=` must have no letter or digit next to it; one after `^` must begin a name.
    private static let lists: [(ArticleWords, String)] = [
        (
            .unlikely,
            """
            -ad- ai2html banner breadcrumbs combx comments comment- comment_ commentbox comentario kommentar commentlist commentform =comment community \
            cover-wrap disqus ^extra- footer gdpr ^header site-header global-header masthead legends menu related \
            replies =rss shoutbox sidebar skyscraper =social sociallinks sponsor supplemental ad-break agegate pagination \
            =pager popup yom-remote
            """
        ),
        (.possible, "and article body column content main mathjax shadow"),
        (.positive, "article body content entry hentry h-entry main page pagination post text blog story"),
        (
            .negative,
            """
            -ad- banner combx comment com- footer gdpr masthead outbrain promo related share shoutbox sidebar \
            skyscraper sponsor tags
            """
        ),
        (.layout, "hidden =hid contact media meta scroll shopping widget"),
        (.byline, "byline author dateline writtenby p-author"),
        (.share, "=share =sharedaddy"),
        (.note, "quote note =tip callout admonition warning =info important caution"),
        (.footnote, "footnote endnote"),
        (.quotation, "quote testimonial tweet"),
        (.lead, "=lead =lede standfirst strapline =dek =deck subtitle subhead =summary =intro =teaser"),
        (
            // Boxes within articles: sign-up forms, links to other articles, lines about the author and the article itself.
            .furniture,
            """
            newsletter mc4wp convertkit jetpack-subscri formkit mailchimp authorbox author-box author-bio about-author about-the-author author-card sharedaddy share-button \
            sharebar social-share social-link social-icon sharing relatedposts related-post related-article related-stor \
            recirculation read-also also-read more-stories most-read ^newsletter ^subscri ^signup ^sign-up ^related ^read-next \
            ^recommended ^post-tags ^tags ^tag-list ^taglist ^post-navigation ^post-nav ^entry-meta ^post-meta \
            ^post-author ^entry-footer ^post-footer ^edit-this-page ^edit-page ^feedback ^cookie ^donat ^promo ^cta
            """
        ),
    ]

    /// Whether they are those of a box beside a text.
    var isForeign: Bool { !isDisjoint(with: Self.foreign) }
    /// Whether they are those of a part of the site rather than of a text.
    var isOfSite: Bool { !isDisjoint(with: [.furniture, .share, .unlikely]) }
    /// Those that a part of a text may have.
    var ofText: ArticleWords { subtracting(Self.foreign) }

    private static let foreign: ArticleWords = [.unlikely, .negative, .layout, .furniture, .share]

    private struct Word {
        let bytes: [UInt8]
        let meaning: ArticleWords
        /// Whether it was written with `=` or `^` in ``lists``.
        let isWhole, isFirst: Bool
    }

    /// The words by first byte.
    private static let table: [[Word]] = {
        var table = [[Word]](repeating: [], count: 256)
        for (meaning, list) in lists {
            for word in list.split(separator: " ") {
                let (isWhole, isFirst) = (word.hasPrefix("="), word.hasPrefix("^"))
                let bytes = Array(word.utf8.dropFirst(isWhole || isFirst ? 1 : 0))
                table[Int(bytes[0])].append(Word(bytes: bytes, meaning: meaning, isWhole: isWhole, isFirst: isFirst))
            }
        }
        return table
    }()

    init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The words in the class and ID of an element.
    init(of element: Int, in tree: HTMLTree) {
        self = []
        tree.scanAttributes(of: element) { scanner in
            for attribute in scanner.attributes where ["class", "id"].contains(scanner.lowercased(attribute.name)) {
                formUnion(ArticleWords(in: scanner[attribute.value]))
            }
        }
    }

    init(in text: UnsafeBufferPointer<UInt8>) {
        self = []
        for start in text.indices {
            for word in Self.table[Int(text[start] | 0x20)] where !contains(word.meaning) {
                let end = start + word.bytes.count
                guard end <= text.count, word.bytes.indices.allSatisfy({ text[start + $0] | 0x20 == word.bytes[$0] })
                else { continue }
                let isInWord =
                    start > 0 && text[start - 1].isASCIIAlphanumeric
                    || end < text.count && text[end].isASCIIAlphanumeric
                if word.isWhole, isInWord { continue }
                if word.isFirst, start > 0, !text[start - 1].isASCIIWhitespace { continue }
                insert(word.meaning)
            }
        }
    }
}

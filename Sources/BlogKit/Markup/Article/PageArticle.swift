import BlogEssentials

/// The article of a web page, without navigation, advertisements and the like.
package struct PageArticle: Hashable, Sendable {
    // Each is one line of plain text.
    package let title: String?
    package let author: String?
    package let siteName: String?
    package let excerpt: String?
    /// As published, mostly in ISO 8601.
    package let publishDate: String?
    /// Texts that may be the date of publication, the surest first.
    package let dates: [String]
    /// The address that the page names as its own; nil if it names none.
    package let canonicalAddress: String?
    /// `en`, for example.
    package let language: String?
    /// `rtl` or `ltr`.
    package let direction: String?
    /// The text as HTML with absolute links, without scripts, styles and event handlers.
    package let html: String
    /// The number of characters in the text.
    package let textLength: Int
    /// Whether everyone can read all of it; false if the page says otherwise, because of a paywall for example.
    package let isFree: Bool
    /// False if it is probably only a part: because it is short or not free, or its page is one of several or too long.
    package let isComplete: Bool
    /// The place of the page among those of the article; nil if it is the only one.
    package let pagination: Pagination?
    /// Whether it was found by the ``ArticleRules/body`` rule.
    package let matchesBodyRule: Bool

    /// Shorter texts are probably not articles, or only teasers.
    static let enoughText = 500

    /// Extracts the article of a page in linear time; nil if the page has no text.
    ///
    /// - Parameter time: how long it may take; if that is over, the result is worthless.
    package init?(
        page: String, at address: URL, rules: ArticleRules = ArticleRules(), time: ProcessorTime = ProcessorTime()
    ) {
        var tree = HTMLTreeBuilder.tree(of: ProtectedAddresses.revealed(in: page), time: time)
        let metadata = PageMetadata(of: tree, at: address.host())
        let links = PageLinks(tree, address: address, length: page.utf8.count)
        pagination = Pagination(of: tree, at: address, base: links.base)
        if let drop = rules.drop { for node in drop.matches(in: tree) { tree.remove(node) } }
        tree.prepareForReading()
        let place = TextPlace(of: tree, title: metadata.title)
        tree.removeLegalNotices(around: place)
        let named = rules.body.flatMap { FoundArticle($0, in: tree, links) }
        guard let found = named ?? FoundArticle(tree, metadata, place, links) else { return nil }
        matchesBodyRule = named != nil
        title = metadata.title
        author = metadata.author ?? found.author ?? metadata.unmarkedAuthor
        siteName = metadata.siteName
        excerpt = metadata.excerpt ?? found.excerpt
        publishDate = metadata.publishDate
        dates = metadata.dates
        canonicalAddress = metadata.canonicalAddress.flatMap {
            URL(address: $0.trimmed, relativeTo: address)?.absoluteString
        }
        language = PageMetadata.line(
            tree.attribute("lang", of: HTMLTree.root) ?? tree.attribute("xml:lang", of: HTMLTree.root))
        direction = found.direction ?? PageMetadata.line(tree.attribute("dir", of: HTMLTree.root))
        guard let html = found.html else {
            time.expire()
            return nil
        }
        self.html = html
        textLength = found.textLength
        isFree = metadata.isFree
        isComplete =
            metadata.isFree && pagination == nil && !tree.isCutOff && found.textLength >= Self.enoughText
    }
}

/// A user's rules for the articles of a source.
package struct ArticleRules: Hashable, Sendable {
    /// The elements that make up the article.
    package var body: ElementSelector?
    /// The elements that don't belong to it.
    package var drop: ElementSelector?

    package init(body: ElementSelector? = nil, drop: ElementSelector? = nil) {
        self.body = body
        self.drop = drop
    }
}

/// The base of a page's links.
private struct PageLinks {
    let base: LinkBase?
    /// Whether the page has no `base` element.
    let isPage: Bool
    /// How long an article with these links may become, in bytes; usually it is shorter than its page.
    let maxLength: Int

    init(_ tree: HTMLTree, address: URL, length: Int) {
        let page = LinkBase(address.absoluteString, allowance: LinkAllowance(textOf: length))
        let element = tree.all(in: HTMLTree.root).first { tree.tag($0) == .base }
        let other = element.flatMap { tree.attribute("href", of: $0) }
        base = other.flatMap { page?.resolving($0) } ?? page
        isPage = other == nil
        maxLength = 2 * length + (1 << 20)
    }
}

/// An article with what its own text tells about it.
private struct FoundArticle {
    /// Nil if it would be too long.
    let html: String?
    let textLength: Int
    var author: String?
    let excerpt: String?
    var direction: String?

    /// The elements that a selector matches; nil if there are none.
    init?(_ selector: ElementSelector, in page: HTMLTree, _ links: PageLinks) {
        var tree = page
        let matches = selector.matches(in: tree)
        guard !matches.isEmpty else { return nil }
        let article = tree.makeElement(.div)
        for node in matches { tree.append(node, to: article) }
        for node in tree.all(in: article) where ElementFacts(of: node, in: tree).isHidden {
            tree.remove(node)
        }
        self.init(article, in: tree, links)
    }

    /// Looks for the article with less and less strictness, until there is enough text; the longest if there never is.
    init?(_ page: HTMLTree, _ metadata: PageMetadata, _ place: TextPlace?, _ links: PageLinks) {
        let facts = PageFacts(of: page)
        var strictness = ArticleFinder.Strictness.all
        var longest: FoundArticle?
        for next: ArticleFinder.Strictness in [.removesUnlikely, .weighsClasses, .cleansUp, .removesFurniture, []] {
            if strictness.isEmpty, longest?.textLength ?? 0 > 0 { break }
            var finder = ArticleFinder(
                tree: page, page: facts, metadata: metadata, place: place, strictness: strictness)
            let article = finder.choose(from: finder.collectTexts())
            finder.clean(article)
            var found = FoundArticle(article, in: finder.tree, links)
            found.author = finder.author
            found.direction = finder.direction.flatMap(PageMetadata.line)
            if found.textLength > longest?.textLength ?? 0 { longest = found }
            if found.textLength >= PageArticle.enoughText { break }
            strictness.subtract(next)
        }
        guard let longest else { return nil }
        self = longest
    }

    private init(_ element: Int, in tree: HTMLTree, _ links: PageLinks) {
        var article = element
        while let only = tree.onlyChild(of: article),
            [.div, .section, .article, .main, .center].contains(tree.tag(only)),
            tree.attributes(of: only).keptSpace == nil
        {
            article = only
        }
        let nodes = tree.all(in: article)
        textLength = Int(TextCounts(in: article, of: tree).length)
        excerpt = nodes.first { tree.tag($0) == .p }.flatMap { PageMetadata.line(tree.text(of: $0)) }
        html = HTMLWriter.html(
            of: article, in: tree, base: links.base, keepsLocalLinks: links.isPage, limit: links.maxLength)
    }
}

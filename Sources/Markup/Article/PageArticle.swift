import Essentials
import Model

/// The article of a web page, without what stands around it.
package struct PageArticle: Hashable, Sendable {
    // Each is one line of plain text.
    package private(set) var title: String?
    package private(set) var author: String?
    package private(set) var siteName: String?
    package private(set) var excerpt: String?
    /// As the page has it, mostly as in ISO 8601.
    package private(set) var publishDate: String?
    /// `en`, for example.
    package private(set) var language: String?
    /// `rtl` or `ltr`.
    package private(set) var direction: String?
    /// The text with its markup: links are absolute, and there is no script in it, nor style, class or event handler.
    package private(set) var html: String
    /// The number of characters of its text.
    package private(set) var textLength: Int
    /// Whether all of it is there for everyone: false if the page says that it isn't.
    package private(set) var isFree: Bool
    /// Whether it is what the rule for the body names, and wasn't looked for.
    package private(set) var matchesBodyRule: Bool

    /// Shorter texts are hardly articles.
    static let enoughText = 500

    /// Reads a page in time linear in its size; nil if it has no text.
    package init?(page: String, at address: URL, rules: ArticleRules = ArticleRules()) {
        var tree = HTMLTreeBuilder.tree(of: page)
        let metadata = PageMetadata(of: tree)
        if let drop = rules.drop { for node in drop.matches(in: tree) { tree.remove(node) } }
        tree.prepareForReading()
        let links = PageLinks(tree, address: address, length: page.utf8.count)
        let named = rules.body.flatMap { FoundArticle($0, in: tree, links) }
        guard let found = named ?? FoundArticle(tree, metadata, links) else { return nil }
        matchesBodyRule = named != nil
        title = metadata.title
        author = metadata.author ?? found.author
        siteName = metadata.siteName
        excerpt = metadata.excerpt ?? found.excerpt
        publishDate = metadata.publishDate
        language = PageMetadata.line(
            tree.attribute("lang", of: HTMLTree.root) ?? tree.attribute("xml:lang", of: HTMLTree.root))
        direction = found.direction ?? PageMetadata.line(tree.attribute("dir", of: HTMLTree.root))
        html = found.html
        textLength = found.textLength
        isFree = metadata.isFree
    }
}

/// What a user knows better about the pages of a source.
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
    /// Whether the page itself is their base.
    let isPage: Bool

    init(_ tree: HTMLTree, address: URL, length: Int) {
        let page = LinkBase(address.absoluteString, allowance: LinkAllowance(textOf: length))
        let element = tree.all(in: HTMLTree.root).first { tree.tag($0) == .base }
        let other = element.flatMap { tree.attribute("href", of: $0) }
        base = other.flatMap { page?.resolving($0) } ?? page
        isPage = other == nil
    }
}

/// An article as it was found, and what the text itself tells about it.
private struct FoundArticle {
    let html: String
    let textLength: Int
    var author: String?
    let excerpt: String?
    var direction: String?

    /// Takes the elements that a user has chosen; nil if there are none.
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

    /// Looks for the article, less and less strictly; the longest text counts if all are short.
    init?(_ page: HTMLTree, _ metadata: PageMetadata, _ links: PageLinks) {
        let facts = page.nodes.indices.map { ElementFacts(of: $0, in: page) }
        var strictness = ArticleFinder.Strictness.all
        var longest: FoundArticle?
        for next: ArticleFinder.Strictness in [.leavesOutUnlikely, .weighsClasses, .cleansUp, []] {
            var finder = ArticleFinder(tree: page, facts: facts, metadata: metadata, strictness: strictness)
            let article = finder.choose(from: finder.walk())
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
            [.div, .section, .article, .main, .center].contains(tree.tag(only))
        {
            article = only
        }
        let nodes = tree.all(in: article)
        textLength = Int(TextCounts(in: article, of: tree).length)
        excerpt = nodes.first { tree.tag($0) == .p }.flatMap { PageMetadata.line(tree.text(of: $0)) }
        html = HTMLWriter.html(of: article, in: tree, base: links.base, keepsLocalLinks: links.isPage)
    }
}

package enum ArticleReadability {
    /// Whether a page is probably an article, found out in a fraction of the time that reading it takes.
    package static func isProbablyReadable(page: String) -> Bool {
        let tree = HTMLTreeBuilder.tree(of: page)
        var (score, seen) = (0.0, Set<Int>())
        for node in tree.all(in: HTMLTree.body) {
            let text: Int
            switch tree.tag(node) {
            case .p, .pre, .article: text = node
            case .br:
                guard let div = tree.parent(node), tree.tag(div) == .div else { continue }
                text = div
            default: continue
            }
            guard seen.insert(text).inserted, isText(text, in: tree) else { continue }
            let length = tree.text(of: text).trimmed.utf16.count
            score += Double(max(length - 140, 0)).squareRoot()
            if score > 20 { return true }
        }
        return false
    }

    private static func isText(_ node: Int, in tree: HTMLTree) -> Bool {
        let facts = ElementFacts(of: node, in: tree)
        if facts.isHidden || facts.isUnlikely { return false }
        return tree.tag(node) != .p || !tree.ancestors(of: node).contains { tree.tag($0) == .li }
    }
}

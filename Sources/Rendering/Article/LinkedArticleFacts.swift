import Essentials
import Markup
import Model

/// The facts about the article behind a post's link that the post doesn't tell itself.
struct LinkedArticleFacts {
    /// The title, author, site and date, each in one line; perhaps that it may be incomplete.
    let texts: [String]
    /// The address of its page, if the post links to another one that leads there.
    let address: String?

    /// Nil for a post with its own text.
    ///
    /// - Parameter date: writes a date.
    init?(_ record: Record, date: (Timestamp) -> String) {
        guard let article = record.linkedArticle else { return nil }
        let metadata = record.metadata
        let title = article.title.map { Sanitizer.line($0) }
        let author = article.author.map { Sanitizer.line($0) }
        let published = article.publishDate.map(date)
        var texts: [String] = []
        if let title, !title.isEmpty, Folding.fold(title) != Folding.fold(Sanitizer.line(metadata.title)) {
            texts.append("“\(title)”")
        }
        if let author, !author.isEmpty, author != Sanitizer.line(metadata.author.name) { texts.append(author) }
        texts.append(Sanitizer.line(article.site ?? URL(address: article.address)?.host() ?? article.address))
        if let published, published != date(metadata.publishDate) { texts.append(published) }
        if !article.isComplete { texts.append("may be incomplete") }
        self.texts = texts
        address = article.address == metadata.link ? nil : LinkTarget.safe(article.address)
    }
}

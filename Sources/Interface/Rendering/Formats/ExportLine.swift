import BlogEssentials
import BlogModel

/// Posts and sources as lines of JSON for an export; the same post always becomes the same line.
package enum ExportLine {
    package static func text(_ post: ExportedPost) -> String {
        let shown = JSONRecord.export.text(Record(post.metadata))
        // Foundation's encoder leaves some harmful characters in the strings of the details.
        let details = try? post.metadata.details?.json().escapingHarmful
        let metadata = details.map { shown.dropLast() + "," + $0.dropFirst() } ?? shown
        let body = post.body.map { body -> JSONText in
            ["text": body.text, "fetchedAt": body.fetchedAt, "isCurrent": body.isCurrent, "format": body.format]
        }
        let line: JSONText = [
            "source": post.source, "address": post.address, "listed": post.listed, "read": post.read,
            "saved": post.saved, "labels": post.labels, "unsent": post.unsent, "changedAt": post.changedAt,
            "wordsChangedAt": post.wordsChangedAt,
            "numbered": post.numbered == true ? true : nil as Bool?,
            "archived": post.archived == true ? true : nil as Bool?, "metadata": JSONText(json: metadata),
            "body": body, "article": post.article.map(article),
        ]
        return line.json + "\n"
    }

    package static func text(_ end: ExportEnd) -> String {
        let members: JSONText = ["lines": end.lines, "digest": end.digest]
        let line: JSONText = ["exportEnd": members]
        return line.json + "\n"
    }

    private static func article(_ article: Article) -> JSONText {
        [
            "address": article.address, "title": article.title, "author": article.author, "site": article.site,
            "publishDate": article.publishDate?.text, "language": article.language, "text": article.body,
            "format": article.format.rawValue, "isComplete": article.isComplete,
            "fetchedAt": article.fetchedAt.millisecondsSince1970,
        ]
    }

    package static func text(_ rule: ExportedRule) -> String {
        let line: JSONText = [
            "rule": rule.rule, "hide": rule.hide, "marks": rule.marks, "expires": rule.expires,
        ]
        return line.json + "\n"
    }

    package static func text(_ cursor: ExportedCursor) -> String {
        let line: JSONText = [
            "cursor": cursor.cursor, "source": cursor.source, "address": cursor.address, "unseen": cursor.unseen,
        ]
        return line.json + "\n"
    }

    /// A source that is or was followed.
    package static func text(_ source: ExportedSource) -> String {
        let line: JSONText = [
            "source": source.source, "address": source.address, "name": source.name, "folder": source.folder,
            "title": source.title, "label": source.label, "site": source.site, "keep": source.keep,
            "article": source.article, "articleBody": source.articleBody, "articleDrop": source.articleDrop,
            "every": source.every, "home": source.home, "feed": source.feed, "account": source.account,
            "followedAt": source.followedAt,
        ]
        return line.json + "\n"
    }
}

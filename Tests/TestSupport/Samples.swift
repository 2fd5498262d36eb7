import BlogModel
import BlogRendering
import Foundation
import Testing

/// Metadata with some values given by a test, and harmless ones for the rest.
package func sample(
    id: String = "1", title: String = "A Title", date: String = "2018-07-15T23:03:29Z", postId: String? = nil,
    summary: String? = "A summary.", author: String = "Kerri Lane", role: String? = "iOS Engineer",
    link: String? = nil, details: Details? = nil
) throws -> PostMetadata {
    PostMetadata(
        id: id, title: title, publishDate: try #require(Timestamp(date)), postId: postId ?? "10\(id)",
        summary: summary, author: Author(name: author, image: "/images/authors/kerri.jpg", title: role),
        link: link, details: details)
}

/// A record as the API sends it, with some members replaced or, if nil, left out.
package func sampleJSON(_ changes: [String: String?] = [:]) -> String {
    var members = [
        "id": #""1""#, "title": #""A Title""#, "publishDate": #""2018-07-15T23:03:29Z""#, "postId": #""1001""#,
        "summary": #""A summary.""#, "author": #"{"name":"Kerri Lane","image":"/k.jpg","title":"iOS Engineer"}"#,
    ]
    for (key, value) in changes { members[key] = value }
    return "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
}

extension Screen {
    /// A screen on 1 January 2026, in UTC.
    package static func sample(_ width: Int, isColored: Bool = false, hasHyperlinks: Bool = false) -> Screen {
        let dates = DateText(now: Date(timeIntervalSince1970: 1_767_225_600), timeZone: .gmt)
        return Screen(width: width, isColored: isColored, links: hasHyperlinks ? .hyperlinks : .numbered, dates: dates)
    }
}

extension StyledText {
    /// The text with its styles and links around it: `a <strong>b</> <link,http://x.y>c</>`.
    package var spelledOut: String {
        runs.map { run in
            let marks = run.styles.map { "\($0)" } + (run.link.map { [$0] } ?? [])
            return marks.isEmpty ? run.text : "<\(marks.joined(separator: ","))>\(run.text)</>"
        }.joined()
    }
}

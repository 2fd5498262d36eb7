import Foundation
import Model
import Store

/// A post with its state on one line of JSON, the same for the same post.
package enum ExportLine {
    package static func text(_ post: ExportedPost) -> String {
        let shown = JSONRecord(fields: JSONRecord.exported).text(Record(post.metadata))
        let metadata = (try? post.metadata.details?.json()).map { shown.dropLast() + "," + $0.dropFirst() } ?? shown
        let body = post.body.map { body in
            JSONText.object([
                ("text", JSONText.string(body.text)), ("fetchedAt", String(body.fetchedAt)),
                ("isCurrent", String(body.isCurrent)), ("format", body.format.map(JSONText.string)),
            ])
        }
        return JSONText.object([
            ("source", JSONText.string(post.source)), ("address", JSONText.string(post.address)),
            ("listed", String(post.listed)), ("read", String(post.read)), ("saved", String(post.saved)),
            ("changedAt", String(post.changedAt)),
            ("wordsChangedAt", post.wordsChangedAt.map { String($0) }),
            ("numbered", post.numbered == true ? "true" : nil), ("metadata", metadata), ("body", body),
        ]) + "\n"
    }

    /// A source that is or was followed on one line of JSON.
    package static func text(_ source: ExportedSource) -> String {
        JSONText.object([
            ("source", JSONText.string(source.source)), ("address", JSONText.string(source.address)),
            ("name", JSONText.string(source.name)), ("folder", JSONText.string(source.folder)),
            ("title", source.title.map(JSONText.string)), ("label", source.label.map(JSONText.string)),
            ("site", source.site.map(JSONText.string)),
            ("followedAt", source.followedAt.map { String($0) }),
        ]) + "\n"
    }
}

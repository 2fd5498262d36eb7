/// A post with its state on one line of JSON, the same for the same post.
package enum ExportLine {
    package static func text(_ post: ExportedPost) -> String {
        let shown = JSONRecord(fields: nil).text(Record(post.metadata))
        let metadata = post.metadata.discussion.map { shown.dropLast() + ",\"discussion\":\(text($0))}" } ?? shown
        let body = post.body.map { body in
            JSONText.object([
                ("text", JSONText.string(body.text)), ("fetchedAt", String(body.fetchedAt)),
                ("isCurrent", String(body.isCurrent)), ("format", body.format.map(JSONText.string)),
            ])
        }
        return JSONText.object([
            ("source", JSONText.string(post.source)), ("address", JSONText.string(post.address)),
            ("listed", String(post.listed)), ("read", String(post.read)), ("saved", String(post.saved)),
            ("changedAt", String(post.changedAt)), ("metadata", metadata), ("body", body),
        ]) + "\n"
    }

    /// A source that is or was followed on one line of JSON.
    package static func text(_ source: ExportedSource) -> String {
        JSONText.object([
            ("source", JSONText.string(source.source)), ("address", JSONText.string(source.address)),
            ("name", JSONText.string(source.name)), ("folder", JSONText.string(source.folder)),
            ("title", source.title.map(JSONText.string)), ("followedAt", source.followedAt.map { String($0) }),
        ]) + "\n"
    }

    private static func text(_ discussion: Discussion) -> String {
        JSONText.object([
            ("parent", discussion.parent.map(JSONText.string)),
            ("replies", "[" + discussion.replies.map(JSONText.string).joined(separator: ",") + "]"),
            ("withheld", discussion.removal.map { JSONText.string($0.rawValue) }),
        ])
    }
}

import BlogEssentials
import BlogModel

extension ExportedPost {
    /// Merges this post with another version of it.
    ///
    /// The operation is commutative.
    func merged(with other: ExportedPost) -> ExportedPost {
        let (later, earlier) = isBefore(other) ? (other, self) : (self, other)
        let isTie = earlier.changedAt == later.changedAt
        var merged = later
        merged.listed = later.listed || isTie && earlier.listed
        merged.numbered = later.numbered == true || isTie && earlier.numbered == true ? true : nil
        merged.read = read || other.read
        merged.saved = saved || other.saved
        merged.wordsChangedAt = [wordsChangedAt, other.wordsChangedAt].compactMap { $0 }.max()
        merged.body = [body(mergedInto: later), other.body(mergedInto: later)].compactMap { $0 }
            .max { $0.isBefore($1) }
        merged.article = [article, other.article].compactMap { $0 }.max { $0.isBefore($1) }
        return merged
    }

    /// Whether a merge prefers the metadata of another version.
    private func isBefore(_ other: ExportedPost) -> Bool {
        changedAt == other.changedAt ? metadata.precedes(other.metadata) : changedAt < other.changedAt
    }

    /// The body, marked as outdated unless it belongs to the metadata that wins.
    private func body(mergedInto winner: ExportedPost) -> Body? {
        var body = body
        if metadata != winner.metadata { body?.isCurrent = false }
        return body
    }
}

extension ExportedPost.Body {
    /// Whether a merge prefers another version.
    fileprivate func isBefore(_ other: Self) -> Bool {
        fetchedAt == other.fetchedAt ? precedes(other) : fetchedAt < other.fetchedAt
    }
}

extension LinkedArticle {
    /// Whether a merge prefers another version.
    fileprivate func isBefore(_ other: Self) -> Bool {
        fetchedAt == other.fetchedAt ? precedes(other) : fetchedAt < other.fetchedAt
    }
}

extension Encodable where Self: Equatable {
    /// An arbitrary order of different values, which is the same in every store: the order of their JSON.
    fileprivate func precedes(_ other: Self) -> Bool { self != other && json.lexicographicallyPrecedes(other.json) }

    private var json: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Everything in an export can be encoded.
        return (try? encoder.encode(self)) ?? Data()
    }
}

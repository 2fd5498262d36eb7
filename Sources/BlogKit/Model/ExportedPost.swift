import BlogEssentials

/// A post with its state, for moving it from one store to another.
///
/// In JSON it is an object with the members `source`, `address`, `listed`, `read`, `saved`, `changedAt` (milliseconds
/// since 1970, UTC), optionally `labels`, `unsent` (marks that its server has yet to be told) and `wordsChangedAt`, `metadata` (in the format of the blog API) and optionally `body`,
/// with `text`, `fetchedAt` (milliseconds) and `isCurrent`. For a post with a linked article, `article` has `address`,
/// `text`, `format`, `isComplete`, `fetchedAt` (milliseconds) and, if known, `title`, `author`, `site`, `publishDate`
/// and `language`.
public struct ExportedPost: Codable, Hashable, Sendable {
    package let source: String
    package private(set) var address: String
    package var listed: Bool
    package var read: Bool
    package var saved: Bool
    /// The labels in alphabetical order; nil for none.
    package var labels: [String]?
    /// The marks that the server of a service has yet to be told, as ``Mark/text``; nil for none.
    package var unsent: [String]?
    /// When the metadata or ``listed`` last changed.
    package var changedAt: Int64
    /// When its words last changed; nil if they never did.
    package var wordsChangedAt: Int64?
    /// Whether its id is a number that the store gave it; nil for false.
    package var numbered: Bool?
    /// Whether it came with the archive of its blog; nil for false.
    package var archived: Bool?
    package var metadata: PostMetadata
    package var body: Body?
    package var article: Article?

    package struct Body: Codable, Hashable, Sendable {
        package var text: String
        package let fetchedAt: Int64
        /// Whether the metadata is still the same as when the body was fetched.
        package var isCurrent: Bool
        /// The format of the text; nil if its source didn't specify it.
        package var format: String?

        package init(text: String, fetchedAt: Int64, isCurrent: Bool, format: String? = nil) {
            self.text = text
            self.fetchedAt = fetchedAt
            self.isCurrent = isCurrent
            self.format = format
        }
    }

    /// The source of the post.
    package var sourceID: SourceID { SourceID(kind: source, address: address) }

    /// The post with its source at another address.
    package func moved(to address: String) -> ExportedPost {
        var post = self
        post.address = address
        return post
    }

    package init(
        source: String, address: String, listed: Bool, read: Bool, saved: Bool, labels: [String] = [],
        changedAt: Int64,
        wordsChangedAt: Int64? = nil, numbered: Bool? = nil, metadata: PostMetadata, body: Body? = nil,
        article: Article? = nil
    ) {
        self.source = source
        self.address = address
        self.listed = listed
        self.read = read
        self.saved = saved
        self.labels = labels.isEmpty ? nil : labels
        self.changedAt = changedAt
        self.wordsChangedAt = wordsChangedAt
        self.numbered = numbered
        self.metadata = metadata
        self.body = body
        self.article = article
    }

    /// Whether its labels could have been typed, and its times are in the years 1970 to 9999: a later one would win every
    /// merge.
    public var isPlausible: Bool {
        let years = Self.plausibleTimes
        return labels?.allSatisfy { Label.typed($0) == $0 } ?? true
            && years.contains(changedAt) && wordsChangedAt.map(years.contains) ?? true
            && body.map { years.contains($0.fetchedAt) } ?? true
            && article.map { years.contains($0.fetchedAt.millisecondsSince1970) } ?? true
    }

    /// The milliseconds of the years 1970 to 9999.
    package static let plausibleTimes = 0..<Int64(253_402_300_800_000)
}

extension ExportedPost {
    /// Merges this post with another version of it.
    ///
    /// The operation is commutative.
    package func merged(with other: ExportedPost) -> ExportedPost {
        let (later, earlier) = isBefore(other) ? (other, self) : (self, other)
        let isTie = earlier.changedAt == later.changedAt
        var merged = later
        merged.listed = later.listed || isTie && earlier.listed
        merged.numbered = later.numbered == true || isTie && earlier.numbered == true ? true : nil
        merged.archived = archived == true && other.archived == true ? true : nil
        // What came with an archive is read without anybody having read it.
        merged.read =
            (archived == true) == (other.archived == true) ? read || other.read : archived == true ? other.read : read
        merged.saved = saved || other.saved
        let labels = Label.sorted((labels ?? []) + (other.labels ?? []))
        merged.labels = labels.isEmpty ? nil : labels
        let unsent = Set((unsent ?? []) + (other.unsent ?? [])).sorted()
        merged.unsent = unsent.isEmpty ? nil : unsent
        merged.wordsChangedAt = [wordsChangedAt, other.wordsChangedAt].compactMap { $0 }.max()
        merged.body = [body(mergedInto: later), other.body(mergedInto: later)].compactMap { $0 }
            .max { $0.isBefore($1, by: \.fetchedAt) }
        merged.article = [article, other.article].compactMap { $0 }.max { $0.isBefore($1, by: \.fetchedAt) }
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

extension Encodable where Self: Equatable {
    /// Whether a merge prefers another version.
    fileprivate func isBefore<Time: Comparable>(_ other: Self, by time: (Self) -> Time) -> Bool {
        time(self) == time(other) ? precedes(other) : time(self) < time(other)
    }

    /// An arbitrary order of different values, which is the same in every store: the order of their JSON.
    fileprivate func precedes(_ other: Self) -> Bool { self != other && json.lexicographicallyPrecedes(other.json) }

    private var json: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Everything in an export can be encoded.
        return (try? encoder.encode(self)) ?? Data()
    }
}

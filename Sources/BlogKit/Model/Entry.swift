import BlogEssentials

/// A post in a source's list.
package struct Entry: Hashable, Sendable {
    package let metadata: PostMetadata
    /// The body if it came with the list.
    package let content: Content?
    /// For an entry that the store numbers; nil if its source gave it an ID.
    package let numbering: Numbering?
    /// The comments on it that came with it, including replies.
    package let comments: [Entry]
    /// A digest of the bytes that it was decoded from and of what else determined the result; nil if unknown.
    package let digest: Int64?

    /// The text of the body; "" if there is none.
    package var text: String { content?.text ?? "" }

    package init(
        _ metadata: PostMetadata, content: Content? = nil, numbering: Numbering? = nil, comments: [Entry] = [],
        digest: Int64? = nil
    ) {
        self.metadata = metadata
        self.content = content
        self.numbering = numbering
        self.comments = comments
        self.digest = digest
    }

    /// Marks an entry that the store numbers when it is first seen.
    ///
    /// It is identified by its ``PostMetadata/postId`` as far as that is its own; its ``PostMetadata/id`` is meaningless.
    package struct Numbering: Hashable, Sendable {
        /// Whether it has a date; if not, the date is when it was first seen.
        package let hasDate: Bool
        /// Whether the date stays when it is edited: when it was published, not when it was updated.
        package let hasFixedDate: Bool
        /// Whether it is identified by its link, for want of a GUID.
        package let isByLink: Bool
        /// Whether others of its list have the same link.
        package let sharesLink: Bool
        package let distinction: Distinction

        package init(
            hasDate: Bool, hasFixedDate: Bool? = nil, isByLink: Bool = false, sharesLink: Bool = false,
            distinction: Distinction = .identity
        ) {
            self.hasDate = hasDate
            self.hasFixedDate = hasFixedDate ?? hasDate
            self.isByLink = isByLink
            self.sharesLink = sharesLink
            self.distinction = distinction
        }
    }

    /// What tells entries apart that have the same GUID or link, in the form in which it is compared.
    package struct Facts: Hashable, Sendable {
        package let title: String
        package let link: String?
        /// When it was published, in milliseconds since 1970.
        package let date: Int64?

        package init(title: String, link: String?, published: Timestamp?) {
            self.title = title
            self.link = link.map(Entry.canonical)
            date = published?.milliseconds
        }
    }

    package var facts: Facts {
        Facts(
            title: metadata.title, link: metadata.link,
            published: numbering?.hasFixedDate == true ? metadata.publishDate : nil)
    }

    /// What tells an entry apart from the others of its list.
    package enum Distinction: Sendable {
        /// Its address, which can't be that of another: a page that the user named.
        case address
        /// Its ``PostMetadata/postId``, unless stored posts show that others had the same.
        case identity
        /// Its ``Facts``: others have the same ``PostMetadata/postId``.
        case facts
        /// Its text: others also have the same ``Facts``.
        case text
    }

    /// In a stored ``PostMetadata/postId``, it is between a GUID or link that several posts have and what tells them
    /// apart.
    package static let separator: Unicode.Scalar = "\u{1F}"

    /// The spellings of a GUID or link that mean the same: with both schemes, with and without a slash at the end; the
    /// host is in lower case.
    ///
    /// A text that isn't a web address has only one.
    package static func spellings(of identity: String) -> [String] {
        let address = canonical(identity).dropFirst("https://".count)
        guard isAddress(withLowercasedHost(identity)) else { return [identity] }
        return ["https://", "http://"].flatMap { [$0 + address, $0 + address + "/"] }
    }

    /// The first of the ``spellings(of:)``.
    package static func canonical(_ identity: String) -> String {
        let identity = withLowercasedHost(identity)
        guard isAddress(identity) else { return identity }
        let address = identity.hasSuffix("/") ? String(identity.dropLast()) : identity
        return address.hasPrefix("https") ? address : "https" + address.dropFirst("http".count)
    }

    /// The canonical GUID or link in a stored ``PostMetadata/postId``.
    package static func withoutDistinction(_ identity: String) -> String {
        guard let end = identity.unicodeScalars.firstIndex(of: separator) else { return canonical(identity) }
        return canonical(String(identity[..<end]))
    }

    package static func withLowercasedHost(_ address: String) -> String {
        guard address.utf8.prefix(4).elementsEqual("http".utf8, by: { $0.lowercased == $1 }) else { return address }
        var slashes = 0
        let path = address.utf8.firstIndex { byte in
            slashes += byte == UInt8(ascii: "/") ? 1 : 0
            return slashes == 3
        }
        let end = path ?? address.endIndex
        guard slashes >= 2, address.utf8[..<end].contains(where: { $0 != $0.lowercased }) else { return address }
        return address[..<end].lowercased() + address[end...]
    }

    private static func isAddress(_ identity: String) -> Bool {
        identity.hasPrefix("https://") || identity.hasPrefix("http://")
    }

    package struct Content: Hashable, Sendable {
        /// The text as published; "" if there is none.
        package let text: String
        /// Nil if unknown.
        package let format: BodyFormat?

        package init(_ text: String, _ format: BodyFormat?) {
            self.text = text
            self.format = format
        }
    }
}

/// Consecutive entries of a list.
package struct EntryBatch: Hashable, Sendable {
    package var entries: [Entry] = []
    /// The digests of entries that were left out because they are stored.
    package var unchanged: [Int64] = []
    /// Records that were skipped because a field is missing or invalid.
    package var rejected: [RejectedRecord] = []

    package init(_ entries: [Entry] = [], rejected: [RejectedRecord] = []) {
        self.entries = entries
        self.rejected = rejected
    }

    package var count: Int { entries.count + unchanged.count + rejected.count }

    package var isEmpty: Bool { count == 0 }
}

/// The entries of a list in batches, each decoded when it is asked for: all of them would take more memory than the
/// document.
package protocol EntryBatches: Sendable {
    /// The next entries; nil at the end. Throws a ``FetchError`` if the document isn't a list, or a ``StoreError`` if it
    /// can't be read.
    mutating func next() throws -> EntryBatch?
}

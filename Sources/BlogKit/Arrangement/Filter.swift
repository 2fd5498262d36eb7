import Foundation

/// Which posts a list is to hold: those that meet every condition given.
public struct Filter: Hashable, Sendable {
    /// Whole words of the author's name, case and accents aside: "kerri" finds "Kerri Miller".
    public var author: String?
    /// A part of the title, case, accents and width aside.
    public var title: String?
    /// The first moment that counts.
    public var since: Date?
    /// The first moment that no longer counts.
    public var before: Date?

    /// A filter; without arguments every post passes.
    public init(author: String? = nil, title: String? = nil, since: Date? = nil, before: Date? = nil) {
        self.author = author
        self.title = title
        self.since = since
        self.before = before
    }

    /// Whether every post passes.
    public var isEmpty: Bool { self == Filter() }
}

import BlogEssentials

/// A mark that the user sets on a post.
public enum Mark: Hashable, Sendable {
    /// The post was read.
    case read
    /// The post is unread.
    case unread
    /// The post is saved.
    case saved
    /// The post is no longer saved.
    case unsaved
    /// The post has a label.
    case labelled(String)
    /// The post no longer has a label.
    case unlabelled(String)

    /// The marks without a label, by their names in commands.
    public static let named: [(name: String, mark: Mark)] = [
        ("read", .read), ("unread", .unread), ("saved", .saved), ("unsaved", .unsaved),
    ]

    /// The mark as the store has it: its name, or "labelled" or "unlabelled" and the label.
    package var text: String {
        switch self {
        case .labelled(let label): "labelled \(label)"
        case .unlabelled(let label): "unlabelled \(label)"
        default: Self.named.first { $0.mark == self }?.name ?? ""
        }
    }

    /// Nil for an unknown text.
    package init?(text: String) {
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        switch (parts.first, parts.count) {
        case ("labelled", 2): self = .labelled(parts[1])
        case ("unlabelled", 2): self = .unlabelled(parts[1])
        default:
            guard let named = Self.named.first(where: { $0.name == text }) else { return nil }
            self = named.mark
        }
    }

    /// The mark that undoes this one.
    public var opposite: Mark {
        switch self {
        case .read: .unread
        case .unread: .read
        case .saved: .unsaved
        case .unsaved: .saved
        case .labelled(let label): .unlabelled(label)
        case .unlabelled(let label): .labelled(label)
        }
    }

    /// The label that it sets or removes; nil for other marks.
    package var label: String? {
        switch self {
        case .labelled(let label), .unlabelled(let label): label
        case .read, .unread, .saved, .unsaved: nil
        }
    }

    /// Whether posts with these marks have this one.
    package func isSet(in state: PostState) -> Bool {
        switch self {
        case .read: state.isRead
        case .unread: !state.isRead
        case .saved: state.isSaved
        case .unsaved: !state.isSaved
        case .labelled(let label): state.labels.contains { Label.isSame($0, label) }
        case .unlabelled(let label): !state.labels.contains { Label.isSame($0, label) }
        }
    }
}

/// A label: free text on one line, of which case and accents don't count.
public enum Label {
    /// The label that a typed text stands for; nil if it is empty, too long, or has characters that can't be seen, or a
    /// double quote, which couldn't be searched for.
    public static func typed(_ text: String) -> String? {
        let name = text.trimmed
        let isPlain = name.unicodeScalars.allSatisfy { scalar in
            // Emoji are joined by U+200D.
            scalar != "\"" && (scalar == "\u{200D}" || !scalar.properties.generalCategory.isInvisible)
        }
        return name.isEmpty || !isPlain || name.utf8.count > LineLength.tag.rawValue ? nil : name
    }

    /// Whether two texts are the same label.
    package static func isSame(_ one: String, _ other: String) -> Bool {
        Folding.searchable(one) == Folding.searchable(other)
    }

    /// Labels as the store and exports have them: each once, in the same order everywhere.
    package static func sorted(_ labels: [String]) -> [String] {
        var seen: Set<String> = []
        return labels.sorted().filter { seen.insert(Folding.searchable($0)).inserted }
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isInvisible: Bool {
        [.control, .format, .lineSeparator, .paragraphSeparator, .surrogate].contains(self)
    }
}

/// A label with the numbers of its posts.
public struct LabelCounts: Hashable, Sendable {
    /// The label.
    public let label: String
    /// The number of its posts.
    public let posts: Int
    /// How many of ``posts`` are unread.
    public let unread: Int

    package init(label: String, posts: Int, unread: Int) {
        (self.label, self.posts, self.unread) = (label, posts, unread)
    }
}

/// The user's marks on a post.
public struct PostState: Hashable, Sendable {
    /// Whether the post was read.
    public let isRead: Bool
    /// Whether the post is saved.
    public let isSaved: Bool
    /// The labels that the user gave it, in alphabetical order.
    public let labels: [String]

    /// The given marks; by default those of a new post.
    public init(isRead: Bool = false, isSaved: Bool = false, labels: [String] = []) {
        self.isRead = isRead
        self.isSaved = isSaved
        self.labels = labels
    }
}

/// The result of a marking.
public struct MarkingReport: Hashable, Sendable {
    /// The mark that was set.
    public let mark: Mark
    /// How many of the posts are stored.
    public let known: Int
    /// How many posts didn't have the mark before.
    public let changed: Int
    /// The ids that aren't stored.
    public let unknownIDs: [PostID]
    /// The titles of the newest changed posts, at most ``maxTitles``; empty in the report of a new marking.
    public let titles: [String]

    /// The maximum number of ``titles``.
    public static let maxTitles = 3

    package init(mark: Mark, known: Int, changed: Int, unknownIDs: [PostID], titles: [String] = []) {
        self.titles = titles
        self.mark = mark
        self.known = known
        self.changed = changed
        self.unknownIDs = unknownIDs
    }
}

extension Set<Mark> {
    /// Whether a label is among them; case and accents don't count.
    package func hasLabel(_ label: String) -> Bool {
        contains { if case .labelled(let own) = $0 { Label.isSame(own, label) } else { false } }
    }
}

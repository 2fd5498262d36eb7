import BlogEssentials

/// What is done with the posts that a search finds, those that are stored and those that arrive.
package struct Rule: Hashable, Sendable {
    /// The search as it was typed.
    package let words: String
    /// Whether the posts are hidden: left out of all lists and counts, but not deleted.
    package let isHiding: Bool
    /// The marks that the posts get once, when they are first found: read, saved, or a label.
    package let marks: [Mark]
    /// When the rule ends; nil for never.
    package let expires: Date?

    /// A rule with the given values, which aren't checked.
    package init(words: String, isHiding: Bool = false, marks: [Mark] = [], expires: Date? = nil) {
        (self.words, self.isHiding, self.marks, self.expires) = (words, isHiding, marks, expires)
    }

    /// The maximum number of rules: each looks at every post.
    package static let maxCount = 500
    fileprivate static let maxLength = 4096

    /// Why a search can't be a rule's; nil if it can.
    ///
    /// A rule that depends on marks or hidden posts would depend on its own work, and one that depends on the current date
    /// would have to be applied every day.
    package static func problem(in search: Search) -> SearchProblem? {
        if let problem = search.problemOfKeeping { return problem }
        if search.text.utf8.count > maxLength { return SearchProblem(.tooLong(limit: maxLength), at: 1) }
        for (condition, range) in search.places {
            switch condition {
            case .isUnread, .isSaved:
                return SearchProblem(.notInRules(name: "is"), at: search.place(of: range.lowerBound))
            case .label: return SearchProblem(.notInRules(name: "label"), at: search.place(of: range.lowerBound))
            default: continue
            }
        }
        for filter in search.filters {
            let isFixed =
                DayRange.parse(filter.value, now: .distantPast) == DayRange.parse(filter.value, now: .distantFuture)
            if filter.name == .in { return SearchProblem(.notInRules(name: "in"), at: filter.place) }
            if !isFixed { return SearchProblem(.relativeInRule(name: filter.name.rawValue), at: filter.place) }
        }
        return search.condition == nil ? SearchProblem(.empty, at: 1) : nil
    }
}

/// A rule in the store.
package struct StoredRule: Hashable, Sendable {
    /// Its number, by which it is removed.
    package let number: Int
    /// The rule.
    package let rule: Rule
    /// Whether it has ended.
    package let isExpired: Bool

    package init(number: Int, rule: Rule, isExpired: Bool) {
        (self.number, self.rule, self.isExpired) = (number, rule, isExpired)
    }
}

/// A rule, for moving it from one store to another.
///
/// In JSON it is an object with the member `rule`, the words of its search, and optionally `hide` (true), `marks` (each
/// `read`, `saved`, or `labelled`, a space and a label) and `expires` (milliseconds since 1970, UTC).
package struct ExportedRule: Codable, Hashable, Sendable {
    package let rule: String
    package let hide: Bool?
    package let marks: [String]?
    package let expires: Int64?

    package init(_ rule: Rule) {
        self.rule = rule.words
        hide = rule.isHiding ? true : nil
        marks = rule.marks.isEmpty ? nil : rule.marks.map(\.text)
        expires = rule.expires?.millisecondsSince1970
    }

    /// The rule, with other names of sources; nil if it does nothing or has an unknown mark.
    package func imported(renaming names: [String: String]) -> Rule? {
        let known = (marks ?? []).compactMap { Mark(text: $0) }.filter(\.isOfRules)
        guard known.count == marks?.count ?? 0, hide == true || !known.isEmpty, rule.utf8.count <= Rule.maxLength,
            expires.map(ExportedPost.plausibleTimes.contains) ?? true
        else { return nil }
        return Rule(
            words: Search(rule).renaming(names), isHiding: hide == true, marks: known,
            expires: expires.map { Date(millisecondsSince1970: $0) })
    }
}

extension Search {
    /// The text with other names of sources, by their names in it.
    package func renaming(_ names: [String: String]) -> String {
        renaming { if case .source(let name) = $0 { names[name].map { .source($0) } } else { nil } }
    }
}

extension Mark {
    /// Whether a rule can set it.
    fileprivate var isOfRules: Bool {
        switch self {
        case .read, .saved: true
        case .labelled(let label): Label.typed(label) == label
        case .unread, .unsaved, .unlabelled: false
        }
    }
}

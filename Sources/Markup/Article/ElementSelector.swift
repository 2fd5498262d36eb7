/// A selector of elements, as in CSS: `article`, `.post`, `#main`, `[itemprop=articleBody]`, `div.post p`, `h1, h2`.
package struct ElementSelector: Hashable, Sendable {
    /// As it was written.
    package let text: String
    /// The alternatives; each is a list of elements, of which every one is somewhere in the one before.
    private let alternatives: [[[Condition]]]

    /// Nil if it isn't a selector, or has something that isn't supported: see ``problem(in:)``.
    package init?(_ text: String) {
        guard let alternatives = try? SelectorParser.parse(text) else { return nil }
        self.text = text
        self.alternatives = alternatives
    }

    /// Why a text isn't a supported selector, as the end of a sentence: ``has `>`, which isn't supported``.
    package static func problem(in text: String) -> String? {
        do {
            _ = try SelectorParser.parse(text)
            return nil
        } catch {
            return error.reason
        }
    }

    /// The elements that match, in the order of the page; not those within others of them.
    func matches(in tree: HTMLTree) -> [Int] {
        var found: [Int] = []
        var node: Int? = HTMLTree.root
        while let current = node {
            if tree.isElement(current), matches(current, in: tree) {
                found.append(current)
                node = tree.nextOutside(current, within: HTMLTree.root)
            } else {
                node = tree.nextInOrder(current, within: HTMLTree.root)
            }
        }
        return found
    }

    private func matches(_ node: Int, in tree: HTMLTree) -> Bool {
        alternatives.contains { chain in
            guard let last = chain.last, Self.matches(node, last, in: tree) else { return false }
            var rest = chain.dropLast()
            guard !rest.isEmpty else { return true }
            for ancestor in tree.ancestors(of: node) {
                if let next = rest.last, Self.matches(ancestor, next, in: tree) { rest.removeLast() }
            }
            return rest.isEmpty
        }
    }

    /// What one element must be or have.
    fileprivate enum Condition: Hashable {
        case tag(String)
        case word(String)
        case attribute(String, String?)
    }

    private static func matches(_ node: Int, _ conditions: [Condition], in tree: HTMLTree) -> Bool {
        var attributes: [String: String]?
        return conditions.allSatisfy { condition in
            if case .tag(let name) = condition { return name == "*" || tree.name(of: node) == name }
            attributes = attributes ?? tree.attributes(of: node)
            switch condition {
            case .tag: return true
            case .word(let word):
                return attributes?["class"]?.split(whereSeparator: \.isWhitespace).contains(Substring(word)) == true
            case .attribute(let name, let value):
                return attributes?[name].map { value == nil || $0 == value } ?? false
            }
        }
    }
}

private struct SelectorProblem: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

private struct SelectorParser {
    private var rest: Substring

    static func parse(_ text: String) throws(SelectorProblem) -> [[[ElementSelector.Condition]]] {
        var parser = SelectorParser(rest: Substring(text))
        var alternatives: [[[ElementSelector.Condition]]] = [[]]
        parser.skipSpaces()
        while let next = parser.rest.first {
            if next == "," {
                parser.rest.removeFirst()
                alternatives.append([])
            } else {
                alternatives[alternatives.count - 1].append(try parser.element())
            }
            parser.skipSpaces()
        }
        if alternatives == [[]] { throw SelectorProblem("is empty") }
        if alternatives.contains([]) { throw SelectorProblem("has a comma with nothing before or after it") }
        return alternatives
    }

    private mutating func skipSpaces() {
        rest = rest.drop(while: \.isWhitespace)
    }

    /// Reads what is said of one element.
    private mutating func element() throws(SelectorProblem) -> [ElementSelector.Condition] {
        var conditions: [ElementSelector.Condition] = []
        while let sign = rest.first, !sign.isWhitespace, sign != "," {
            if conditions.isEmpty, Self.isPartOfName(sign) {
                conditions.append(.tag(try name().lowercased()))
                continue
            }
            rest.removeFirst()
            switch sign {
            case "*" where conditions.isEmpty: conditions.append(.tag("*"))
            case ".": conditions.append(.word(try name()))
            case "#": conditions.append(.attribute("id", try name()))
            case "[": conditions.append(try attribute())
            default: throw SelectorProblem("has “\(sign)”, which isn't supported")
            }
        }
        return conditions
    }

    private mutating func attribute() throws(SelectorProblem) -> ElementSelector.Condition {
        skipSpaces()
        let name = try name().lowercased()
        skipSpaces()
        var value: String?
        if rest.first == "=" {
            rest.removeFirst()
            skipSpaces()
            value = try self.value()
            skipSpaces()
        }
        guard let end = rest.popFirst() else { throw SelectorProblem("has “[” without “]”") }
        guard end == "]" else { throw SelectorProblem("has “\(end)”, which isn't supported") }
        return .attribute(name, value)
    }

    private mutating func value() throws(SelectorProblem) -> String {
        guard let quote = rest.first, quote == "\"" || quote == "'" else { return try name() }
        rest.removeFirst()
        guard let end = rest.firstIndex(of: quote) else { throw SelectorProblem("has an unclosed quotation mark") }
        defer { rest = rest[rest.index(after: end)...] }
        return String(rest[..<end])
    }

    private mutating func name() throws(SelectorProblem) -> String {
        let name = rest.prefix(while: Self.isPartOfName)
        guard !name.isEmpty else { throw SelectorProblem("is missing a name") }
        rest = rest[name.endIndex...]
        return String(name)
    }

    private static func isPartOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "-" || character == "_"
    }
}

/// A CSS selector, with the most common parts of the syntax: `article`, `.post`, `#main`, `[itemprop=articleBody]`,
/// `div.post p`, `h1, h2`.
package struct ElementSelector: Hashable, Sendable {
    /// The selector as it was written.
    package let text: String
    /// The alternatives separated by commas, each a list of compound selectors joined by descendant combinators.
    private let alternatives: [[[Condition]]]

    /// Nil if the selector is invalid or not supported: see ``problem(in:)``.
    package init?(_ text: String) {
        guard let alternatives = try? SelectorParser.parse(text) else { return nil }
        self.text = text
        self.alternatives = alternatives
    }

    /// Why a selector is invalid, as the end of a sentence: ``has `>`, which isn't supported``; nil if it is valid.
    package static func problem(in text: String) -> String? {
        do {
            _ = try SelectorParser.parse(text)
            return nil
        } catch {
            return error.reason
        }
    }

    /// The outermost matching elements, in document order.
    func matches(in tree: HTMLTree) -> [Int] {
        var found: [Int] = []
        // The elements around the node, with the number of compounds of each alternative that they and those around
        // them match in order, so that each start tag is read only once.
        var around: [(element: Int, matched: [Int])] = []
        var node: Int? = HTMLTree.root
        while let current = node {
            while let last = around.last, last.element != tree.parent(current) { around.removeLast() }
            let before = around.last?.matched ?? alternatives.map { _ in 0 }
            if let matched = tree.isElement(current) ? matched(current, before, in: tree) : before {
                around.append((current, matched))
                node = tree.nextInOrder(current, within: HTMLTree.root)
            } else {
                found.append(current)
                node = tree.nextOutside(current, within: HTMLTree.root)
            }
        }
        return found
    }

    /// The numbers of compounds that are matched inside an element; nil if it matches an alternative itself.
    private func matched(_ node: Int, _ before: [Int], in tree: HTMLTree) -> [Int]? {
        var matched = before
        let facts = Facts(node, in: tree)
        for (index, compounds) in alternatives.enumerated() {
            if before[index] == compounds.count - 1 {
                if facts.match(compounds[compounds.count - 1]) { return nil }
            } else if facts.match(compounds[before[index]]) {
                matched[index] += 1
            }
        }
        return matched
    }

    /// A simple selector.
    fileprivate enum Condition: Hashable {
        case tag(String)
        case className(String)
        case attribute(String, String?)
    }

    /// What an element is compared by.
    private struct Facts {
        private let name: String
        private let attributes: ElementAttributes

        init(_ node: Int, in tree: HTMLTree) {
            (name, attributes) = (tree.name(of: node), tree.attributes(of: node))
        }

        func match(_ conditions: [Condition]) -> Bool {
            conditions.allSatisfy { condition in
                switch condition {
                case .tag(let tag): tag == "*" || name == tag
                case .className(let name): attributes["class"]?.utf8.hasWord(name) ?? false
                case .attribute(let name, let value): attributes[name].map { value == nil || $0 == value } ?? false
                }
            }
        }
    }
}

private struct SelectorProblem: Error {
    let reason: String
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
                alternatives[alternatives.count - 1].append(try parser.compound())
            }
            parser.skipSpaces()
        }
        if alternatives == [[]] { throw SelectorProblem(reason: "is empty") }
        if alternatives.contains([]) { throw SelectorProblem(reason: "has a comma with nothing before or after it") }
        return alternatives
    }

    private mutating func skipSpaces() {
        rest = rest.drop(while: \.isWhitespace)
    }

    /// Parses a compound selector.
    private mutating func compound() throws(SelectorProblem) -> [ElementSelector.Condition] {
        var conditions: [ElementSelector.Condition] = []
        while let sign = rest.first, !sign.isWhitespace, sign != "," {
            if conditions.isEmpty, Self.isPartOfName(sign) {
                conditions.append(.tag(try name().lowercased()))
                continue
            }
            rest.removeFirst()
            switch sign {
            case "*" where conditions.isEmpty: conditions.append(.tag("*"))
            case ".": conditions.append(.className(try name()))
            case "#": conditions.append(.attribute("id", try name()))
            case "[": conditions.append(try attribute())
            default: throw SelectorProblem(reason: "has “\(sign)”, which isn't supported")
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
        guard let end = rest.popFirst() else { throw SelectorProblem(reason: "has “[” without “]”") }
        guard end == "]" else { throw SelectorProblem(reason: "has “\(end)”, which isn't supported") }
        return .attribute(name, value)
    }

    private mutating func value() throws(SelectorProblem) -> String {
        guard let quote = rest.first, quote == "\"" || quote == "'" else { return try name() }
        rest.removeFirst()
        guard let end = rest.firstIndex(of: quote) else { throw SelectorProblem(reason: "has an unclosed quote") }
        defer { rest = rest[rest.index(after: end)...] }
        return String(rest[..<end])
    }

    private mutating func name() throws(SelectorProblem) -> String {
        let name = rest.prefix(while: Self.isPartOfName)
        guard !name.isEmpty else { throw SelectorProblem(reason: "is missing a name") }
        rest = rest[name.endIndex...]
        return String(name)
    }

    private static func isPartOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "-" || character == "_"
    }
}

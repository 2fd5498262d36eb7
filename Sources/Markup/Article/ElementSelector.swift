/// A selector of elements, as in CSS: `article`, `.post`, `#main`, `[itemprop=articleBody]`, `div.post p`, `h1, h2`.
package struct ElementSelector: Hashable, Sendable {
    /// As it was written.
    package let text: String
    /// The alternatives; each is a list of elements, of which every one is somewhere in the one before.
    private let alternatives: [[Compound]]

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
            guard let last = chain.last, last.matches(node, in: tree) else { return false }
            var rest = chain.dropLast()
            guard !rest.isEmpty else { return true }
            for ancestor in tree.ancestors(of: node) {
                if let next = rest.last, next.matches(ancestor, in: tree) { rest.removeLast() }
            }
            return rest.isEmpty
        }
    }

    /// What one element must have.
    fileprivate struct Compound: Hashable {
        var tag: String?
        var classes: [String] = []
        var attributes: [Attribute] = []

        func matches(_ node: Int, in tree: HTMLTree) -> Bool {
            if let tag, tag != "*", tree.name(of: node) != tag { return false }
            guard !classes.isEmpty || !attributes.isEmpty else { return true }
            let values = tree.attributes(of: node)
            let names = values["class"]?.split(whereSeparator: \.isWhitespace) ?? []
            return classes.allSatisfy { names.contains(Substring($0)) }
                && attributes.allSatisfy { values[$0.name] != nil && ($0.value == nil || values[$0.name] == $0.value) }
        }
    }

    fileprivate struct Attribute: Hashable {
        let name: String
        let value: String?
    }
}

private struct SelectorProblem: Error {
    let reason: String
}

private struct SelectorParser {
    private var rest: Substring

    static func parse(_ text: String) throws(SelectorProblem) -> [[ElementSelector.Compound]] {
        var parser = SelectorParser(rest: Substring(text))
        var alternatives: [[ElementSelector.Compound]] = [[]]
        parser.skipSpaces()
        while let next = parser.rest.first {
            if next == "," {
                guard alternatives.last?.isEmpty == false else { break }
                parser.rest.removeFirst()
                alternatives.append([])
            } else {
                alternatives[alternatives.count - 1].append(try parser.compound())
            }
            parser.skipSpaces()
        }
        guard alternatives.allSatisfy({ !$0.isEmpty }) else {
            throw SelectorProblem(reason: text.contains(",") ? "has nothing on one side of a comma" : "is empty")
        }
        return alternatives
    }

    private mutating func skipSpaces() {
        rest = rest.drop(while: \.isWhitespace)
    }

    private mutating func compound() throws(SelectorProblem) -> ElementSelector.Compound {
        var compound = ElementSelector.Compound()
        if rest.first == "*" {
            rest.removeFirst()
            compound.tag = "*"
        } else if let first = rest.first, Self.isPartOfName(first) {
            compound.tag = try name().lowercased()
        }
        while let sign = rest.first, !sign.isWhitespace, sign != "," {
            rest.removeFirst()
            switch sign {
            case ".": compound.classes.append(try name())
            case "#": compound.attributes.append(ElementSelector.Attribute(name: "id", value: try name()))
            case "[": compound.attributes.append(try attribute())
            default: throw SelectorProblem(reason: "has `\(sign)`, which isn't supported")
            }
        }
        return compound
    }

    private mutating func attribute() throws(SelectorProblem) -> ElementSelector.Attribute {
        skipSpaces()
        let name = try name().lowercased()
        skipSpaces()
        var value: String?
        if rest.first == "=" {
            rest.removeFirst()
            skipSpaces()
            value = try quotedName()
            skipSpaces()
        }
        guard let end = rest.popFirst() else { throw SelectorProblem(reason: "has a `[` without a `]`") }
        guard end == "]" else { throw SelectorProblem(reason: "has `\(end)`, which isn't supported") }
        return ElementSelector.Attribute(name: name, value: value)
    }

    private mutating func quotedName() throws(SelectorProblem) -> String {
        guard let quote = rest.first, quote == "\"" || quote == "'" else { return try name() }
        rest.removeFirst()
        guard let end = rest.firstIndex(of: quote) else { throw SelectorProblem(reason: "has a quote without an end") }
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

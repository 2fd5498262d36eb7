import BlogEssentials

/// Normalises a page before its article is looked for.
extension HTMLTree {
    /// Removes scripts and pictures without an address, replaces placeholders by the pictures in `noscript`, and makes
    /// paragraphs of text separated by double line breaks.
    mutating func prepareForReading() {
        for node in all(in: Self.body) where tag(node) == .noscript { unwrapPicture(node) }
        for node in all(in: Self.body) where tag(node) == .img && !hasAddress(node) { remove(node) }
        for node in all(in: Self.root) {
            switch tag(node) {
            case .script where attribute("type", of: node)?.hasPrefix(HTMLToken.formula) == true:
                setTag(.code, of: node)
            case .template where attributes(of: node).pairs.contains { $0.name.hasPrefix("shadowroot") }:
                setTag(.div, of: node)
            case .script, .noscript, .style, .template, .link: remove(node)
            case .font: setTag(.span, of: node)
            case .button where isInText(node): setTag(.span, of: node)
            case .button where isTitleOfPanel(node): setTag(.h3, of: node)
            case .button where hasPicture(node): setTag(.div, of: node)
            case .span where attributes(of: node).areForEditors: remove(node)
            case .code where isBlock(code: node): setTag(.pre, of: node)
            case .td, .pre, .span: if attributes(of: node).areLineNumbers, isNumbers(node) { remove(node) }
            default: break
            }
        }
        for node in all(in: Self.body) where tag(node) == .br && parent(node) != nil { splitParagraph(at: node) }
    }

    /// Whether code in some language has lines and stands alone, which a style shows as a block.
    private func isBlock(code: Int) -> Bool {
        guard attributes(of: code).hasClass(where: { $0.hasPrefix("language-") }), let around = parent(code),
            tag(around) == .div, onlyChild(of: around) == code
        else { return false }
        return text(of: code).trimmed.contains("\n") && !ancestors(of: code, atMost: 4).contains { tag($0) == .pre }
    }

    /// Whether a button is all of a heading, as of a section that it opens, or stands in the middle of a sentence.
    private func isInText(_ button: Int) -> Bool {
        var (neighbors, inner) = (visibleNeighbors(of: button), button)
        if neighbors.count == 2 { return neighbors.allSatisfy { tag($0) == .text } }
        for _ in 0..<4 {
            guard neighbors.isEmpty, let around = parent(inner) else { return false }
            if tag(around).isHeading || tag(around) == .dt || tag(around) == .summary { return true }
            (neighbors, inner) = (visibleNeighbors(of: around), around)
        }
        return false
    }

    /// Whether a button opens a part of the text, as that of a question.
    private func isTitleOfPanel(_ button: Int) -> Bool {
        let attributes = attributes(of: button)
        let name = attributes["class"]?.lowercased() ?? ""
        guard attributes["aria-haspopup"] == nil,
            attributes["aria-controls"] != nil || name.contains("accordion") || name.contains("collaps"),
            !isInFurniture(button)
        else { return false }
        let words = text(of: button, atLeast: 201)
        return words.utf8.count <= 200 && words.split(whereSeparator: \.isWhitespace).count >= 3
    }

    /// Whether a button enlarges a picture, rather than being shown by one.
    private func hasPicture(_ button: Int) -> Bool {
        !isInFurniture(button)
            && beginning(of: button, 16).contains { node in
                tag(node) == .img && attribute("src", of: node)?.lowercased().contains(".svg") != true
            }
    }

    private func isInFurniture(_ node: Int) -> Bool {
        ancestors(of: node).contains { [.nav, .aside, .footer, .form].contains(tag($0)) }
    }

    /// The siblings before and after a node that aren't white space.
    func visibleNeighbors(of node: Int) -> [Int] {
        [previous, next].compactMap { step in
            var (sibling, left) = (step(node), 8)
            while let current = sibling, left > 0, tag(current) == .text, isBlank(current) {
                (sibling, left) = (step(current), left - 1)
            }
            return sibling
        }
    }

    /// Whether an element has nothing but numbers of lines of code.
    private func isNumbers(_ element: Int) -> Bool {
        var inner = element
        for _ in 0..<4 { inner = onlyChild(of: inner) ?? inner }
        func isNumber(_ node: Int) -> Bool {
            tag(node) == .text && withSource(of: node) { $0.allSatisfy { $0.isDigit || $0.isASCIIWhitespace } }
        }
        return children(of: inner).allSatisfy { node in
            isNumber(node) || tag(node) == .br || attributes(of: node).areLineNumbers
                || tag(node) == .span && children(of: node).allSatisfy(isNumber)
        }
    }

    /// Whether an `img` has an address, possibly in an attribute that a script reads, or in a `source` beside it.
    private func hasAddress(_ picture: Int) -> Bool {
        let isAddressed = attributes(of: picture).pairs.contains { name, value in
            ["src", "srcset", "data-src", "data-srcset"].contains(name) || PictureAddress.hasFileName(value)
        }
        guard !isAddressed, let outer = parent(picture), tag(outer) == .picture else { return isAddressed }
        return children(of: outer).contains { tag($0) == .source && attribute("srcset", of: $0) != nil }
    }

    /// Replaces the placeholder before a `noscript` by the picture in that.
    private mutating func unwrapPicture(_ noscript: Int) {
        guard isPicture(noscript), let picture = children(of: noscript).first(where: isElement) else { return }
        var before = previous(noscript)
        while let current = before, !isElement(current) { before = previous(current) }
        // Squarespace has the placeholder after it, with the same address.
        let address = all(in: picture).first { tag($0) == .img }.flatMap { attribute("src", of: $0) }
        if let address, let after = nextVisible(after: noscript), isElement(after), isPicture(after),
            let image = all(in: after).first(where: { tag($0) == .img }),
            attributes(of: image).pairs.contains(where: { $0.value == address })
        {
            return remove(noscript)
        }
        replace(before.flatMap { isPicture($0) ? $0 : nil } ?? noscript, with: picture)
    }

    /// Whether an element is a picture or contains only one.
    private func isPicture(_ element: Int) -> Bool {
        var node = element
        while tag(node) != .img {
            guard let only = onlyChild(of: node) else { return false }
            node = only
        }
        return true
    }

    /// The only child of an element, if that is an element; white space is ignored.
    func onlyChild(of element: Int) -> Int? {
        let children = children(of: element).filter { isElement($0) || !isBlank($0) }
        return children.count == 1 && isElement(children[0]) ? children[0] : nil
    }

    /// Moves the inline nodes after two line breaks into a paragraph.
    private mutating func splitParagraph(at lineBreak: Int) {
        var isSplit = false
        var after = nextVisible(after: lineBreak)
        while let next = after, tag(next) == .br {
            isSplit = true
            after = nextVisible(after: next)
            remove(next)
        }
        guard isSplit else { return }
        let paragraph = makeElement(.p)
        replace(lineBreak, with: paragraph)
        while let next = next(paragraph) {
            if tag(next) == .br, let after = nextVisible(after: next), tag(after) == .br { break }
            guard isInline(next) else { break }
            append(next, to: paragraph)
        }
        trimEnd(of: paragraph)
        if let outer = parent(paragraph), tag(outer) == .p || tag(outer) == .span { setTag(.div, of: outer) }
    }

    /// Removes white space and line breaks from the end of an element.
    mutating func trimEnd(of element: Int) {
        while let last = lastChild(element), isSpace(last) { remove(last) }
    }

    /// The next sibling that isn't white space.
    func nextVisible(after node: Int) -> Int? {
        var after = next(node)
        while let current = after, tag(current) == .text, isBlank(current) { after = next(current) }
        return after
    }

    /// Whether a node is blank text or a line break.
    func isSpace(_ node: Int) -> Bool { tag(node) == .text ? isBlank(node) : tag(node) == .br }

    /// Whether a node can be part of a paragraph.
    func isInline(_ node: Int) -> Bool {
        switch tag(node) {
        case .text, .abbr, .acronym, .audio, .b, .bdi, .bdo, .big, .br, .button, .cite, .code, .data, .datalist, .dfn,
            .em,
            .embed, .font, .i, .img, .input, .kbd, .label, .mark, .math, .meter, .nobr, .noscript, .object, .output,
            .progress,
            .q, .ruby, .s, .samp, .script, .select, .small, .span, .strike, .strong, .sub, .sup, .textarea, .time, .tt,
            .u,
            .var, .wbr:
            return true
        // The depth of the tree is bounded.
        case .a, .del, .ins: return children(of: node).allSatisfy(isInline)
        default: return false
        }
    }
}

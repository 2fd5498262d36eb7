/// The capabilities of a terminal that matter for painting.
struct ScreenCapabilities: Hashable, Sendable {
    /// Whether to use colours; other attributes are always used.
    var isColored = true
    /// Whether it supports OSC 8.
    var hasHyperlinks = false
    /// What replaces colours that are hard to read.
    var replacements: [Look.Color: Look.Color] = [:]
    /// Whether it can display a frame atomically (mode 2026).
    var hasSynchronizedOutput = false
    /// Whether it counts columns by grapheme clusters (mode 2027), so that no width is ambiguous.
    var hasClusters = false
    /// Whether it is the Linux console, which has no alternate screen, no title and no scrolling sequences.
    var isConsole = false
}

/// Computes the bytes that change a screen from one frame to the next.
///
/// Between frames the terminal's attributes and margins are reset, and its cursor is hidden unless the frame has one.
struct FramePainter: Sendable {
    let capabilities: ScreenCapabilities

    /// The bytes that display a frame; empty if it is displayed already.
    ///
    /// - Parameter previous: the frame on the screen; nil if that isn't known.
    func bytes(from previous: Frame?, to next: Frame) -> [UInt8] {
        // Terminals rearrange their rows when their size changes.
        let previous = previous?.size == next.size ? previous : nil
        let changed = next.rows.indices.filter { previous?.rows[$0] != next.rows[$0] }
        guard !changed.isEmpty else { return cursor(from: previous, to: next) }
        let scroll = previous.flatMap { self.scroll(changed, from: $0, to: next) }
        let rows = scroll.map { painted($0, to: next) } ?? painted(changed, from: previous, to: next)
        let hides = previous == nil || previous?.cursor != nil
        let parts = [
            capabilities.hasSynchronizedOutput ? ScreenSequences.beginFrame : [],
            hides ? ScreenSequences.hideCursor : [], rows, next.cursor.map(shown) ?? [],
            capabilities.hasSynchronizedOutput ? ScreenSequences.endFrame : [],
        ]
        return Array(parts.joined())
    }

    private func cursor(from previous: Frame?, to next: Frame) -> [UInt8] {
        guard let previous, previous.cursor != next.cursor else { return [] }
        return next.cursor.map(shown) ?? ScreenSequences.hideCursor
    }

    private func shown(_ cursor: Frame.Position) -> [UInt8] {
        ScreenSequences.position(row: cursor.row, column: cursor.column) + ScreenSequences.showCursor
    }

    private func painted(_ changed: [Int], from previous: Frame?, to next: Frame) -> [UInt8] {
        var pen = Pen(capabilities: capabilities)
        for row in changed { paint(row, from: previous?.rows[row], to: next.rows[row], with: &pen) }
        pen.reset()
        return pen.bytes
    }

    // MARK: Rows

    private func paint(_ row: Int, from previous: [Cell]?, to next: [Cell], with pen: inout Pen) {
        var isChanged = next.indices.map { column in previous.map { $0[column] != next[column] } ?? true }
        if let previous { spread(&isChanged, from: previous, to: next) }
        guard let last = isChanged.lastIndex(of: true) else { return }
        // Erase the blank end of the row as a whole, after an error of width in the text, too.
        let blank = (next.lastIndex { $0 != .blank } ?? -1) + 1
        let isErased = last - blank >= Self.shortGap || last >= blank && pen.hasAmbiguousWidth(next, before: blank)
        let end = isErased ? blank : last + 1
        var column = 0
        while column < end {
            guard isChanged[column] || isShortGap(column, isChanged, next, pen, row) else {
                column += 1
                continue
            }
            pen.write(next[column], row: row, column: column, isNew: previous?[column] != next[column])
            column += max(Int(next[column].width), 1)
        }
        if isErased { pen.erase(row: row, from: blank) }
    }

    /// Extends the changed cells to all from the first one of ambiguous width on, because an error of width may have
    /// shifted its neighbours.
    private func spread(_ isChanged: inout [Bool], from previous: [Cell], to next: [Cell]) {
        guard !capabilities.hasClusters, let last = isChanged.lastIndex(of: true) else { return }
        guard let first = next.indices.first(where: { next[$0].hasAmbiguousWidth || previous[$0].hasAmbiguousWidth }),
            first <= last
        else { return }
        for column in first..<isChanged.count { isChanged[column] = true }
    }

    /// Whether writing an unchanged cell again takes fewer bytes than skipping it.
    private func isShortGap(_ column: Int, _ isChanged: [Bool], _ next: [Cell], _ pen: Pen, _ row: Int) -> Bool {
        guard pen.isAt(row: row, column: column) else { return false }
        let gap = isChanged[column...].prefix(Self.shortGap + 1).prefix { !$0 }
        guard gap.count <= Self.shortGap, gap.endIndex < isChanged.count else { return false }
        return gap.indices.allSatisfy { next[$0].text.utf8.count == 1 && pen.writesAsIs(next[$0]) }
    }

    /// The most cells to write again rather than skip: `ESC [ n G` is as long.
    private static let shortGap = 4
}

// MARK: - Scrolling

extension FramePainter {
    /// Rows that two frames have in common at different positions.
    private struct Scroll {
        /// The rows within the margins.
        let region: ClosedRange<Int>
        /// The number of rows that the text moves up, or down if negative.
        let distance: Int
        /// The rows on the screen after it.
        let rows: [[Cell]]

        init(_ region: ClosedRange<Int>, by distance: Int, from previous: Frame) {
            (self.region, self.distance) = (region, distance)
            let blank = Array(repeating: Cell.blank, count: previous.size.columns)
            rows = previous.rows.indices.map { row in
                guard region.contains(row) else { return previous.rows[row] }
                return region.contains(row + distance) ? previous.rows[row + distance] : blank
            }
        }

        /// The rows that have yet to be painted.
        func changed(to next: Frame) -> [Int] { rows.indices.filter { rows[$0] != next.rows[$0] } }
    }

    /// The scrolling that leaves the least to paint; nil if none leaves fewer rows than have changed.
    private func scroll(_ changed: [Int], from previous: Frame, to next: Frame) -> Scroll? {
        guard !capabilities.isConsole, changed.count > 2, let first = changed.first, let last = changed.last
        else { return nil }
        let (old, new) = (previous.rows.map(digest), next.rows.map(digest))
        let blank = digest(Array(repeating: Cell.blank, count: next.size.columns))
        var votes: [Int: Int] = [:]
        let oldRows = Dictionary(grouping: (first...last).filter { old[$0] != blank }) { old[$0] }
        for row in first...last {
            // Frequent rows, such as rules, don't tell how far the text moved.
            guard let rows = oldRows[new[row]], rows.count <= 4 else { continue }
            for oldRow in rows where oldRow != row { votes[oldRow - row, default: 0] += 1 }
        }
        guard
            let distance = votes.max(by: { ($0.value, -abs($0.key), $0.key) < ($1.value, -abs($1.key), $1.key) })?.key,
            let rows = longestRun(
                within: first...last, { (first...last).contains($0 + distance) && new[$0] == old[$0 + distance] })
        else { return nil }
        let region = min(rows.lowerBound, rows.lowerBound + distance)...max(rows.upperBound, rows.upperBound + distance)
        let scroll = Scroll(region, by: distance, from: previous)
        return scroll.changed(to: next).count < changed.count ? scroll : nil
    }

    /// A hash of a row's text (FNV-1a); hashing whole cells takes ten times as long.
    private func digest(_ row: [Cell]) -> UInt64 {
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        for cell in row {
            for byte in cell.text.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        return digest
    }

    private func longestRun(within rows: ClosedRange<Int>, _ belongs: (Int) -> Bool) -> ClosedRange<Int>? {
        var (best, start): (ClosedRange<Int>?, Int?) = (nil, nil)
        for row in rows {
            guard belongs(row) else {
                start = nil
                continue
            }
            let run = (start ?? row)...row
            start = run.lowerBound
            if run.count > best?.count ?? 0 { best = run }
        }
        return best
    }

    private func painted(_ scroll: Scroll, to next: Frame) -> [UInt8] {
        var pen = Pen(capabilities: capabilities)
        pen.scroll(scroll.region, by: scroll.distance)
        for row in scroll.changed(to: next) { paint(row, from: scroll.rows[row], to: next.rows[row], with: &pen) }
        pen.reset()
        return pen.bytes
    }
}

// MARK: - The pen

/// Writes cells, and moves or changes attributes only when necessary.
private struct Pen {
    let capabilities: ScreenCapabilities
    private(set) var bytes: [UInt8] = []
    private var row: Int?
    /// The column of the cursor; nil after a character of ambiguous width.
    private var column: Int?
    private var look = Look()
    private var link: String?

    init(capabilities: ScreenCapabilities) {
        self.capabilities = capabilities
        bytes.reserveCapacity(4096)
    }

    func isAt(row: Int, column: Int) -> Bool { self.row == row && self.column == column }

    /// Whether a cell can be written without changing attributes.
    func writesAsIs(_ cell: Cell) -> Bool { shownLook(of: cell) == look && shownLink(of: cell) == link }

    /// Whether the width of the text before a column is ambiguous.
    func hasAmbiguousWidth(_ cells: [Cell], before column: Int) -> Bool {
        !capabilities.hasClusters && cells[..<column].contains { $0.hasAmbiguousWidth }
    }

    mutating func write(_ cell: Cell, row: Int, column: Int, isNew: Bool) {
        move(row: row, column: column)
        select(look: shownLook(of: cell), link: shownLink(of: cell))
        let isAmbiguous = cell.hasAmbiguousWidth && !capabilities.hasClusters
        // If the terminal shows it in one column, the other would keep its old text.
        if isAmbiguous, isNew, cell.width == 2 { bytes += Array("  ".utf8) + ScreenSequences.column(column) }
        bytes += cell.text.utf8
        self.column = isAmbiguous ? nil : column + Int(cell.width)
    }

    mutating func erase(row: Int, from column: Int) {
        // Erased cells get the current background, and in some terminals the link.
        reset()
        move(row: row, column: column)
        bytes += ScreenSequences.eraseRestOfRow
    }

    /// Scrolls rows, up if the distance is positive; new rows are blank.
    mutating func scroll(_ rows: ClosedRange<Int>, by distance: Int) {
        bytes += ScreenSequences.scroll(rows, by: distance)
        (row, column) = (nil, nil)
    }

    mutating func reset() { select(look: Look(), link: nil) }

    private mutating func move(row: Int, column: Int) {
        guard !isAt(row: row, column: column) else { return }
        if self.row == row {
            bytes += ScreenSequences.column(column)
        } else if column == 0, self.row == row - 1 {
            bytes += ScreenSequences.nextRow
        } else {
            bytes += ScreenSequences.position(row: row, column: column)
        }
        (self.row, self.column) = (row, column)
    }

    private mutating func select(look: Look, link: String?) {
        if link != self.link {
            bytes += ScreenSequences.link(link)
            self.link = link
        }
        guard look != self.look else { return }
        bytes += ScreenSequences.look(look, after: self.look)
        self.look = look
    }

    private func shownLook(of cell: Cell) -> Look {
        guard capabilities.isColored else { return cell.look.withoutColors }
        guard let replacement = capabilities.replacements[cell.look.foreground] else { return cell.look }
        var look = cell.look
        look.foreground = replacement
        return look
    }

    private func shownLink(of cell: Cell) -> String? { capabilities.hasHyperlinks ? cell.link : nil }
}

extension Look {
    fileprivate var withoutColors: Look {
        var look = self
        (look.foreground, look.background) = (.usual, .usual)
        return look
    }
}

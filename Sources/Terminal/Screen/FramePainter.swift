import Rendering

/// What a terminal can do, as far as painting depends on it.
struct ScreenCapabilities: Hashable, Sendable {
    /// Whether colours are wanted; other looks don't need them.
    var isColored = true
    /// Whether it takes OSC 8.
    var hasHyperlinks = false
    /// Whether it shows a frame at once (mode 2026).
    var hasSynchronizedOutput = false
    /// Whether it counts columns by grapheme clusters (mode 2027), so that no width is doubtful.
    var hasClusters = false
    /// Whether it is the Linux console, which has no alternate screen and no title, and doesn't scroll on request.
    var isConsole = false
}

/// Paints frames: what changes a screen from one frame into the next.
///
/// Between two frames the terminal's looks and margins are as after a reset, and its cursor is hidden unless the frame has
/// one.
struct FramePainter: Sendable {
    let capabilities: ScreenCapabilities

    /// The bytes that show a frame; none if it is shown already.
    ///
    /// - Parameter previous: the frame that is shown; nil if that isn't known.
    func bytes(from previous: Frame?, to next: Frame) -> [UInt8] {
        // A terminal arranges its rows anew when its size changes.
        let previous = previous?.size == next.size ? previous : nil
        let changed = next.rows.indices.filter { previous?.rows[$0] != next.rows[$0] }
        guard !changed.isEmpty else { return cursor(from: previous, to: next) }
        var rows = painted(changed, from: previous, to: next)
        if let previous, let scroll = scroll(changed, from: previous, to: next) {
            let scrolled = painted(scroll, from: previous, to: next)
            if scrolled.count < rows.count { rows = scrolled }
        }
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
        var isChanged = next.indices.map { previous?[$0] != next[$0] }
        if let previous { spread(&isChanged, from: previous, to: next) }
        guard let last = isChanged.lastIndex(of: true) else { return }
        // An error of width in the text before doesn't reach the blank end of the row, which is erased as a whole.
        let blank = (next.lastIndex { $0 != .blank } ?? -1) + 1
        let isErased = last - blank >= Self.shortGap || last >= blank && pen.isDoubtful(next, before: blank)
        let end = isErased ? blank : last + 1
        var column = 0
        while column < end {
            guard isChanged[column] || isShortGap(column, isChanged, next, pen, row) else {
                column += 1
                continue
            }
            pen.write(next[column], row: row, column: column)
            column += max(Int(next[column].width), 1)
        }
        if isErased { pen.erase(row: row, from: blank) }
    }

    /// Adds the cells that must be painted with those that have changed: all from the first one of doubtful width on,
    /// because an error of width may have covered its neighbours.
    private func spread(_ isChanged: inout [Bool], from previous: [Cell], to next: [Cell]) {
        guard !capabilities.hasClusters, let last = isChanged.lastIndex(of: true) else { return }
        guard let first = next.indices.first(where: { next[$0].hasDoubtfulWidth || previous[$0].hasDoubtfulWidth }),
            first <= last
        else { return }
        for column in first..<isChanged.count { isChanged[column] = true }
    }

    /// Whether an unchanged cell is cheaper to write again than to jump over.
    private func isShortGap(_ column: Int, _ isChanged: [Bool], _ next: [Cell], _ pen: Pen, _ row: Int) -> Bool {
        guard pen.isAt(row: row, column: column) else { return false }
        let gap = isChanged[column...].prefix(Self.shortGap + 1).prefix { !$0 }
        guard gap.count <= Self.shortGap, gap.endIndex < isChanged.count else { return false }
        return gap.indices.allSatisfy { next[$0].text.utf8.count == 1 && pen.writesAsIs(next[$0]) }
    }

    /// The most cells that are written again rather than jumped over: `ESC [ n G` is as long.
    private static let shortGap = 4
}

// MARK: - Scrolling

extension FramePainter {
    /// Rows that a frame has in common with the one before, in another place.
    private struct Scroll {
        /// The first and last row, margins of what is scrolled.
        let region: ClosedRange<Int>
        /// By how many rows the text goes up, or down if negative.
        let distance: Int
    }

    /// The scrolling after which the least is left to paint; nil for none.
    private func scroll(_ changed: [Int], from previous: Frame, to next: Frame) -> Scroll? {
        guard !capabilities.isConsole, changed.count > 2, let first = changed.first, let last = changed.last
        else { return nil }
        let (old, new) = (previous.rows.map(digest), next.rows.map(digest))
        let blank = digest(Array(repeating: Cell.blank, count: next.size.columns))
        var votes: [Int: Int] = [:]
        let places = Dictionary(grouping: (first...last).filter { old[$0] != blank }) { old[$0] }
        for row in first...last {
            // Rows that are everywhere, such as rules, don't tell how far the text went.
            guard let rows = places[new[row]], rows.count <= 4 else { continue }
            for place in rows where place != row { votes[place - row, default: 0] += 1 }
        }
        guard
            let distance = votes.max(by: { ($0.value, -abs($0.key), $0.key) < ($1.value, -abs($1.key), $1.key) })?.key,
            let rows = longestRun(
                within: first...last, { (first...last).contains($0 + distance) && new[$0] == old[$0 + distance] })
        else { return nil }
        let region = min(rows.lowerBound, rows.lowerBound + distance)...max(rows.upperBound, rows.upperBound + distance)
        return Scroll(region: region, distance: distance)
    }

    /// A number that rows of the same text have in common (FNV-1a); hashing whole cells takes ten times as long.
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

    private func painted(_ scroll: Scroll, from previous: Frame, to next: Frame) -> [UInt8] {
        var pen = Pen(capabilities: capabilities)
        pen.scroll(scroll.region, by: scroll.distance)
        let blank = Array(repeating: Cell.blank, count: next.size.columns)
        for row in next.rows.indices {
            let source = scroll.region.contains(row) ? row + scroll.distance : row
            let isNew = scroll.region.contains(row) && !scroll.region.contains(source)
            let shown = isNew ? blank : previous.rows[source]
            if shown != next.rows[row] { paint(row, from: shown, to: next.rows[row], with: &pen) }
        }
        pen.reset()
        return pen.bytes
    }
}

// MARK: - The pen

/// Writes cells one after the other, and moves and changes looks only where it must.
private struct Pen {
    let capabilities: ScreenCapabilities
    private(set) var bytes: [UInt8] = []
    private var row: Int?
    /// Where the next cell would be written; nil if that isn't sure.
    private var column: Int?
    private var look = Look()
    private var link: String?

    init(capabilities: ScreenCapabilities) {
        self.capabilities = capabilities
        bytes.reserveCapacity(4096)
    }

    func isAt(row: Int, column: Int) -> Bool { self.row == row && self.column == column }

    /// Whether a cell needs nothing but its text.
    func writesAsIs(_ cell: Cell) -> Bool { shownLook(of: cell) == look && shownLink(of: cell) == link }

    /// Whether the width of what stands before a column is doubtful.
    func isDoubtful(_ cells: [Cell], before column: Int) -> Bool {
        !capabilities.hasClusters && cells[..<column].contains { $0.hasDoubtfulWidth }
    }

    mutating func write(_ cell: Cell, row: Int, column: Int) {
        move(row: row, column: column)
        select(look: shownLook(of: cell), link: shownLink(of: cell))
        bytes += cell.text.utf8
        let isDoubtful = cell.hasDoubtfulWidth && !capabilities.hasClusters
        self.column = isDoubtful ? nil : column + Int(cell.width)
    }

    /// Erases the rest of a row.
    mutating func erase(row: Int, from column: Int) {
        // Erased cells would get the background, and the link in some terminals.
        reset()
        move(row: row, column: column)
        bytes += ScreenSequences.eraseRestOfRow
    }

    /// Scrolls rows, up if the distance is positive; the new ones are blank.
    mutating func scroll(_ rows: ClosedRange<Int>, by distance: Int) {
        bytes += ScreenSequences.scroll(rows, by: distance)
        (row, column) = (nil, nil)
    }

    /// Back to plain text.
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

    private func shownLook(of cell: Cell) -> Look { capabilities.isColored ? cell.look : cell.look.withoutColors }

    private func shownLink(of cell: Cell) -> String? { capabilities.hasHyperlinks ? cell.link : nil }
}

extension Look {
    fileprivate var withoutColors: Look {
        var look = self
        (look.foreground, look.background) = (.usual, .usual)
        return look
    }
}

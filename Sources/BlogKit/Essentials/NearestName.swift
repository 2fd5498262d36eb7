/// "Did you mean …": the known name with the fewest typing mistakes.
package enum NearestName {
    /// The nearest name; nil if too many letters are wrong: more than a third, but at least one may be.
    package static func of(_ text: String, among names: [String]) -> String? {
        let typed = Array(Folding.searchable(text).unicodeScalars.prefix(maxLength))
        var best: (name: String, mistakes: Int)?
        for name in names {
            let letters = Array(Folding.searchable(name).unicodeScalars.prefix(maxLength))
            let allowed = min(max(1, (letters.count + 1) / 3), letters.count - 1, best.map { $0.mistakes - 1 } ?? .max)
            // Each letter too many or too few is a mistake.
            guard abs(letters.count - typed.count) <= allowed else { continue }
            let mistakes = distance(typed, letters)
            if mistakes <= allowed { best = (name, mistakes) }
        }
        return best?.name
    }

    private static let maxLength = 100

    /// The nearest name, or the first one with a similar prefix: "gardning" finds "gardening-by-the-sea".
    package static func ofBeginning(_ text: String, among names: [String]) -> String? {
        if let name = of(text, among: names) { return name }
        guard text.count > 3 else { return nil }
        return names.first { of(text, among: [String($0.prefix(text.count + 1))]) != nil }
    }

    /// The nearest name, or the nearest with a similar word: "Kerr" finds "Kerri Miller".
    package static func ofWords(_ text: String, among names: [String]) -> String? {
        // Several authors of a post are one name, separated by commas.
        let names = names.flatMap { $0.contains(",") ? $0.split(separator: ", ").map(String.init) : [$0] }
        if let name = of(text, among: names) { return name }
        let words = names.flatMap { name in name.split(separator: " ").map { (word: String($0), name: name) } }
        guard let word = of(text, among: words.map(\.word)) else { return nil }
        return words.first { $0.word == word }?.name
    }

    /// The number of insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
    static func distance<Letter: Equatable>(_ left: [Letter], _ right: [Letter]) -> Int {
        var rows = [Array(0...right.count)]
        for (row, letter) in left.enumerated() {
            var next = [row + 1]
            for (column, other) in right.enumerated() {
                let replaced = rows[row][column] + (letter == other ? 0 : 1)
                var best = min(replaced, rows[row][column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    best = min(best, rows[row - 1][column - 1] + 1)
                }
                next.append(best)
            }
            rows.append(next)
        }
        return rows[left.count][right.count]
    }
}

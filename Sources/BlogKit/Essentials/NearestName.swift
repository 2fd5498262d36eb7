/// "Did you mean …": the known name with the fewest typing mistakes.
package enum NearestName {
    /// The nearest name; nil if too many letters are wrong: more than a third, but at least one may be.
    package static func of(_ text: String, among names: [String]) -> String? {
        let typed = Folding.fold(text)
        let best = names.map { ($0, distance(typed, Folding.fold($0))) }.min { $0.1 < $1.1 }
        guard let (name, mistakes) = best, mistakes <= max(1, (name.count + 1) / 3), mistakes < name.count else {
            return nil
        }
        return name
    }

    /// The nearest name, or the first one with a similar prefix: "gardning" finds "gardening-by-the-sea".
    package static func ofBeginning(_ text: String, among names: [String]) -> String? {
        if let name = of(text, among: names) { return name }
        guard text.count > 3 else { return nil }
        return names.first { of(text, among: [String($0.prefix(text.count + 1))]) != nil }
    }

    /// The nearest name, or the nearest with a similar word: "Kerr" finds "Kerri Miller".
    package static func ofWords(_ text: String, among names: [String]) -> String? {
        // Several authors of a post are one name, separated by commas.
        let names = names.flatMap { $0.split(separator: ", ").map(String.init) }
        if let name = of(text, among: names) { return name }
        let words = names.flatMap { name in name.split(separator: " ").map { (word: String($0), name: name) } }
        guard let word = of(text, among: words.map(\.word)) else { return nil }
        return words.first { $0.word == word }?.name
    }

    /// The number of insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
    package static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left.prefix(100)), Array(right.prefix(100)))
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

import Foundation

/// Output as documentation shows it, in which a line `…` or `...` stands for any lines, or none.
struct ShownOutput {
    /// The lines between those that are left out.
    private let parts: [[String]]

    init(_ lines: [String]) {
        let lines = Self.lines(of: lines.joined(separator: "\n"))
        parts = lines.split(omittingEmptySubsequences: false) { $0 == "…" || $0 == "..." }.map(Array.init)
    }

    /// The lines without the spaces and empty lines at their ends.
    private static func lines(of text: String) -> [String] {
        var lines = text.components(separatedBy: "\n").map { $0.replacing(#/\s+$/#, with: "") }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// Whether an output is the one that is shown.
    func matches(_ output: String) -> Bool {
        var rest = Self.lines(of: output)[...]
        guard parts.count > 1, let first = parts.first, let last = parts.last else { return [Array(rest)] == parts }
        guard rest.starts(with: first) else { return false }
        rest = rest.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() {
            guard let start = (rest.startIndex...rest.endIndex).first(where: { rest[$0...].starts(with: part) }) else {
                return false
            }
            rest = rest[(start + part.count)...]
        }
        return rest.count >= last.count && Array(rest.suffix(last.count)) == last
    }
}

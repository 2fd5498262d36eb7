import BlogEssentials

/// The last line of an export, by which an import sees whether it has all the lines before it.
///
/// In JSON it is an object with the member `exportEnd`, which has the members `lines`, the number of the lines before,
/// and `digest`, 64 bits in hexadecimal.
package struct ExportEnd: Decodable, Hashable, Sendable {
    package let lines: Int
    package let digest: String

    private struct Line: Decodable { let exportEnd: ExportEnd }

    /// Nil if a line is another one.
    package init?(line: Data) {
        guard line.starts(with: Data("{\"exportEnd\":".utf8)),
            let line = try? JSONDecoder().decode(Line.self, from: line)
        else { return nil }
        self = line.exportEnd
    }

    fileprivate init(lines: Int, digest: UInt64) {
        self.lines = lines
        self.digest = String(digest, radix: 16)
    }
}

/// The end of the lines so far.
package struct ExportedLines: Sendable {
    private var lines = 0
    private var digest: UInt64 = 0

    package init() {}

    package var end: ExportEnd { ExportEnd(lines: lines, digest: digest) }

    /// Adds a line without its end.
    package mutating func add(_ line: some ContiguousBytes) {
        lines += 1
        digest = (digest &<< 7 | digest &>> 57) ^ line.withUnsafeBytes { ContentDigest.hash(of: $0) }
    }
}

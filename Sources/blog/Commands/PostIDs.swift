import Foundation

/// The ids of posts on a command line, where `-` stands for those on stdin.
enum PostIDs {
    /// All of them, once stdin has ended.
    ///
    /// Throws ``UsageError/unreadableFile(_:reason:)`` if stdin can't be read to its end.
    static func of(_ operands: [String]) throws -> [String] {
        try operands.flatMap { operand in
            guard operand == "-" else { return [operand] }
            let lines = try LineReader(path: operand)
            let ids = Array(ids(in: lines))
            try lines.finish()
            return ids
        }
    }

    /// The ids in lines as they come: one a line, the first column of a tab-separated one.
    static func ids(in lines: LineReader) -> some Sequence<String> {
        lines.lazy.map { line in
            String(decoding: line.prefix { $0 != 0x09 }, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }.filter { !$0.isEmpty }
    }
}

import Foundation

/// The ids of posts on a command line, where `-` stands for those on stdin.
enum PostIDs {
    /// All of them, once stdin has ended.
    static func of(_ operands: [String]) -> [String] {
        operands.flatMap { $0 == "-" ? Array(fromStandardInput()) : [$0] }
    }

    /// The ids on stdin as they come: one a line, the first column of a tab-separated one.
    static func fromStandardInput() -> some Sequence<String> {
        sequence(state: ()) { _ in
            while let line = readLine(strippingNewline: true) {
                let id = line.prefix { $0 != "\t" }.trimmingCharacters(in: .whitespaces)
                if !id.isEmpty { return id }
            }
            return nil
        }
    }
}

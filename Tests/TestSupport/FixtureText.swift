import Foundation

/// A text in `Fixtures`, which shows what has changed.
package enum FixtureText {
    /// The first difference of a text from the fixture of a name, and where all of the text can be seen; nil if they
    /// are equal.
    package static func difference(of text: String, from name: String) throws -> String? {
        let file = Repository.root.appending(path: "Tests/Fixtures/\(name)")
        let kept = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        guard !kept.utf8.elementsEqual(text.utf8) else { return nil }
        let now = FileManager.default.temporaryDirectory.appending(path: name)
        try Data(text.utf8).write(to: now)
        let (old, new) = (lines(kept), lines(text))
        let same = zip(old, new).prefix { $0.utf8.elementsEqual($1.utf8) }.count
        let title = new.prefix(same + 1).last { $0.hasPrefix("=== ") } ?? ""
        return """
            line \(same + 1), in “\(title)”:
            - \(old.dropFirst(same).first?.debugDescription ?? "nothing")
            + \(new.dropFirst(same).first?.debugDescription ?? "nothing")
            All of it: diff -u Tests/Fixtures/\(name) \(now.path)
            If that is what you meant, copy the second file over the first.
            """
    }

    /// Documents one after the other, each under its number.
    package static func joined(_ documents: [String]) -> String {
        documents.enumerated().map { "=== \($0)\n\($1)\n" }.joined()
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false) { $0.isNewline }
    }
}

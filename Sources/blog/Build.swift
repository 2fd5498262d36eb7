/// The commit that the program was built from, if known.
enum Build {
    /// The commit, for `blog --version`.
    static var text: String { commit.map { "\($0), \(date ?? "")" } ?? "commit unknown" }

    /// The date of the commit, as in 2026-11-22.
    static var date: String? { known(archivedDate) }

    private static var commit: String? { known(archivedCommit).map { String($0.prefix(7)) } }

    // `git archive` replaces both, because of .gitattributes; other copies of the sources keep them unchanged.
    private static let archivedCommit = "$Format:%H$"
    private static let archivedDate = "$Format:%cs$"

    private static func known(_ text: String) -> String? { text.hasPrefix("$") ? nil : text }
}

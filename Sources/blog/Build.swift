import BlogCBuild

/// The commit that the program was built from, if known.
enum Build {
    /// The commit and its date, or whether it was modified, for `blog --version`.
    static var text: String {
        let built = String(cString: cbuild_commit())
        return commit.map { "\($0), \(date ?? "")" } ?? (built.isEmpty ? "commit unknown" : built)
    }

    /// The date of the commit, as in 2026-11-22.
    static var date: String? { known(archivedDate) }

    private static var commit: String? { known(archivedCommit).map { String($0.prefix(7)) } }

    // `git archive` replaces both, because of .gitattributes; in a clone they stay, and `make` asks git.
    private static let archivedCommit = "$Format:%H$"
    private static let archivedDate = "$Format:%cs$"

    private static func known(_ text: String) -> String? { text.hasPrefix("$") ? nil : text }
}

import BlogLibrary

extension RefreshReport {
    package var isUnchanged: Bool { if case .unchanged = outcome { true } else { false } }
}

extension PostList {
    /// The report of the only source.
    package var report: RefreshReport? { refreshes.first?.report }
}

@testable import BlogLibrary

extension RefreshReport {
    /// The error of a refresh that failed; nil for any other.
    package var failure: (any Error)? { if case .failed(let error, _) = outcome { error } else { nil } }

    package var isUnchanged: Bool { if case .unchanged = outcome { true } else { false } }
}

extension PostList {
    /// The report of the only source.
    package var report: RefreshReport? { refreshes.first?.report }
}

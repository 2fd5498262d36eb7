import Foundation

/// What a sync did about pictures.
package struct PictureReport: Sendable {
    /// Pictures that were fetched.
    package private(set) var new = 0
    /// Pictures that were kept already.
    package private(set) var unchanged = 0
    /// Pictures that came, but could not be written.
    package private(set) var unkept = 0
    /// Pictures that were not requested any more, because there is no room for more.
    package internal(set) var untried = 0
    /// The others, and why.
    package private(set) var failures: [(url: URL, error: any Error)] = []
    /// The bytes of those that are kept.
    private(set) var bytes = 0

    /// How many were looked for.
    package var total: Int { new + unchanged + unkept + failures.count }

    mutating func count(_ arrival: PictureArrival) {
        switch arrival {
        case .unchanged(let count): (unchanged, bytes) = (unchanged + 1, bytes + count)
        case .new(let count): (new, bytes) = (new + 1, bytes + count)
        case .unkept: unkept += 1
        case .failed(let url, let error): failures.append((url, error))
        }
    }
}

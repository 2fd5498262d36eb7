import BlogMockServer
import Foundation
import Testing

/// The folders of this repository.
package enum Repository {
    package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    package static let mockBlog = root.appending(path: "mocks/data/blog")
    package static let mockHackerNews = root.appending(path: "mocks/data/hackernews")
    package static let mockFeeds = root.appending(path: "mocks/data/feeds")
    package static let mockPhotos = root.appending(path: "mocks/data/photos")
    /// Mocks that take long to load.
    package static let hackerNewsSite = Result { try HackerNewsSite(folder: mockHackerNews) }
    package static let photoSite = Result { try PhotoSite(folder: mockPhotos) }

    /// Every Swift file below a folder, with its text.
    package static func swiftFiles(below folder: String) throws -> [(path: String, text: String)] {
        let base = root.appending(path: folder)
        let names = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
        let files = names.filter { $0.hasSuffix(".swift") }
        try #require(!files.isEmpty, "\(folder)")
        return try files.sorted().map { name in
            (name, try String(contentsOf: base.appending(path: name), encoding: .utf8))
        }
    }
}

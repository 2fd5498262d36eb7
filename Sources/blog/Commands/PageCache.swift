import Foundation
import Model
import Terminal

/// The pages that a browser was shown last, in a folder beside the store.
struct PageCache {
    private let path: String

    init(storePath: String) {
        path = storePath + "-pages"
    }

    /// Writes a page, which only its owner can read, and returns its address.
    ///
    /// Throws an ``OutputError``.
    func write(_ page: String, of post: PostID, title: String) throws -> URL {
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw WholeFile.failure(path) }
        let name = PageName.of(post, title: title)
        try WholeFile.write(page, to: path + "/" + name, mode: 0o600)
        removeOldest(but: name)
        return URL(filePath: path).appending(path: name)
    }

    /// Keeps the newest pages: a browser may still show them.
    private func removeOldest(but kept: String) {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter {
            PageName.isOne($0) && $0 != kept
        }
        guard names.count >= Self.maxPages else { return }
        let dated = names.map { name -> (name: String, date: Date) in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + name)
            return (name, attributes?[.modificationDate] as? Date ?? .distantPast)
        }
        for page in dated.sorted(by: { $0.date > $1.date }).dropFirst(Self.maxPages - 1) {
            unlink(path + "/" + page.name)
        }
    }

    private static let maxPages = 50
}

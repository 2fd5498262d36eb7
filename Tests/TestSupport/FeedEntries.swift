import Foundation
@testable import BlogModel
@testable import BlogStore

extension SourceID {
    package static let feed = SourceID(kind: "feed", address: "http://feed")
}

extension Entry {
    /// A feed item, dated by its day since 1970 if it has a date.
    package static func item(_ guid: String, day: Int? = nil, title: String = "Item", body: String? = nil) -> Entry {
        let metadata = PostMetadata(
            id: guid, title: title, publishDate: Timestamp(secondsSince1970: (day ?? 0) * 86_400), postId: guid,
            summary: nil, author: Author(name: "Ann"))
        return Entry(
            metadata, content: body.map { Entry.Content($0, .html) }, numbering: Entry.Numbering(hasDate: day != nil))
    }
}

extension PostStore {
    /// Makes a feed list exactly these items, on a day since 1970.
    package func feed(_ entries: [Entry], on day: Int) async throws {
        let checkpoint = Checkpoint(validators: CacheValidators(etag: nil, lastModified: nil), digest: nil)
        let batches = Batches([EntryBatch(entries)])
        _ = try await storeList(of: .feed, .window, mark: RefreshMark(checkpoint, refreshedAt: .day(day)), batches)
    }

    /// Prunes a source on a day since 1970.
    @discardableResult
    package func prune(_ source: SourceID = .feed, olderThan days: Int, on day: Int) async throws -> PruneCounts {
        guard let key = try read({ try Sources($0).find(source) })?.key else { return PruneCounts() }
        return try await prune(key, before: .day(day - days), at: .day(day))
    }
}

extension Date {
    package static func day(_ day: Int) -> Date { Date(timeIntervalSince1970: TimeInterval(day * 86_400)) }
}

import Foundation
import Model

/// The photos of several pages, each once.
struct PopularPhotos {
    private var photos: [PhotoRecord] = []
    private var rejected: [RejectedRecord] = []
    private var seen: Set<Int> = []
    private var count = 0

    /// As many as anybody looks at; as many stories as Hacker News has on its lists.
    private static let maxPhotos = 500

    /// Whether nothing more is wanted.
    var isFull: Bool { photos.count >= Self.maxPhotos }

    /// Adds the records of the next page; whether there was any that was not there before.
    mutating func add(_ records: [Result<PhotoRecord, RejectedPhoto>]) -> Bool {
        let before = photos.count
        for record in records {
            switch record {
            case .success(let photo):
                if !isFull, seen.insert(photo.id).inserted { photos.append(photo) }
            case .failure(let fault):
                rejected.append(RejectedRecord(index: count, field: fault.field, reason: fault.reason, id: fault.id))
            }
            count += 1
        }
        return photos.count > before
    }

    /// The photos with the highest rating first, those without one last, else in the API's order.
    ///
    /// Throws ``SourceError/nothingUsable(_:_:)`` where there are records, but none that can be read.
    func ranking(of api: URL, on site: PhotoWebsite) throws -> Ranking {
        guard !photos.isEmpty || rejected.isEmpty else { throw SourceError.nothingUsable(api, rejected) }
        let ranked = photos.enumerated().sorted { first, second in
            let (left, right) = (first.element.rating ?? -1, second.element.rating ?? -1)
            return left == right ? first.offset < second.offset : left > right
        }.map(\.element)
        return Ranking(
            ids: ranked.map { String($0.id) }, entries: ranked.map { $0.listed(on: site) }, rejected: rejected)
    }
}

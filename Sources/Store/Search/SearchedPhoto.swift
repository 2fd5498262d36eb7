import Foundation
import Model

/// The words that a photo is found by beside its title, its author and what is said about it.
enum SearchedPhoto {
    /// What it was taken with and where, what it shows, and under what name its author is known; "" for nothing.
    static func words(_ photo: Photo?) -> String {
        let words = [
            photo?.camera?.model, photo?.camera?.lens, photo?.place?.name, photo?.category,
            photo?.photographer?.username,
        ]
        return words.compactMap { $0 }.joined(separator: " · ")
    }

    /// The same out of the details of a post as they are stored; "" for a post that is no photo.
    static func words(details: String) -> String {
        // Nearly all posts are no photos, and to decode them takes time.
        guard details.hasPrefix("{\"photo\""),
            case .photo(let photo) = try? JSONDecoder().decode(Details.self, from: Data(details.utf8))
        else { return "" }
        return words(photo)
    }
}

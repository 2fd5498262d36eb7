import BlogEssentials
import BlogMarkup
import BlogModel

/// Makes text searchable in scripts that don't separate words by spaces, and words with signs, such as "C++".
///
/// SQLite's tokenizer treats a run of letters as one word, even a whole Chinese sentence. Zero-width spaces around the
/// characters of such scripts make each character a token, and each word a phrase that matches anywhere. A custom
/// tokenizer would do the same, but other SQLite tools couldn't check the store then.
///
/// The index contains segmented text, so a change here needs a migration that rebuilds it.
enum Segmentation {
    /// The searchable text with a zero-width space on both sides of each Chinese, Japanese, Korean, Thai, Lao, Khmer or
    /// Burmese character, and of the signs of a word.
    static func segmented(_ text: String) -> String {
        var text = text
        // SQLite folds ASCII.
        if text.withUTF8({ bytes in bytes.allSatisfy { $0 < 0x80 } }) { return text.withSignsAsWords }
        let folded = Folding.searchable(text).withSignsAsWords
        guard folded.unicodeScalars.contains(where: { Folding.isUnspaced($0) }) else { return folded }
        var result = String.UnicodeScalarView()
        for scalar in folded.unicodeScalars {
            guard Folding.isUnspaced(scalar) else {
                result.append(scalar)
                continue
            }
            if let last = result.last, last != boundary { result.append(boundary) }
            result.append(scalar)
            result.append(boundary)
        }
        return String(result)
    }

    private static let boundary: Unicode.Scalar = "\u{200B}"
}

/// The searchable words of a photo besides its title, author and description.
enum SearchedPhoto {
    /// The camera, lens, place, category and the photographer's user name; "" for none.
    static func words(_ photo: Photo?) -> String {
        let words = [
            photo?.camera?.model, photo?.camera?.lens, photo?.place?.name, photo?.category,
            photo?.photographer?.username,
        ]
        return words.compactMap { $0 }.joined(separator: " · ")
    }

    /// The searchable words in the stored details of a post; "" if it isn't a photo.
    static func words(details: String) -> String {
        // Few posts are photos, and decoding is slow.
        guard details.hasPrefix("{\"photo\""),
            case .photo(let photo) = try? JSONDecoder().decode(Details.self, from: Data(details.utf8))
        else { return "" }
        return words(photo)
    }
}

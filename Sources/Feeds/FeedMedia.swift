import Foundation
import Model

extension XMLFeed {
    /// The files that come with an item, and a picture of it.
    struct Media {
        private(set) var enclosures: [Enclosure] = []
        /// The best picture that there is.
        var image: String? { thumbnail ?? picture }

        private let base: LinkBase?
        private var thumbnail: String?
        private var picture: String?
        private var addresses: Set<String> = []

        init(_ item: FeedElement, base: LinkBase?) {
            self.base = base
            for child in item.children { take(child) }
        }

        private mutating func take(_ element: FeedElement) {
            switch (element.vocabulary, element.name) {
            case (.feed, "enclosure"): takeFile(element, at: element.attribute("url") ?? element.attribute("href"))
            case (.feed, "link") where element.attribute("rel")?.lowercased().hasSuffix("enclosure") == true:
                takeFile(element, at: element.attribute("href"))
            case (.media, "content"):
                takeFile(element, at: element.attribute("url"))
                for child in element.children { take(child) }
            case (.media, "group"):
                for child in element.children { take(child) }
            case (.media, "thumbnail"): thumbnail = thumbnail ?? address(element.attribute("url"), of: element)
            case (.itunes, "image"): thumbnail = thumbnail ?? address(element.attribute("href"), of: element)
            case (.feed, "image"):
                let url = element.text(.feed, "url") ?? element.attribute("href") ?? element.trimmedText
                picture = picture ?? address(url, of: element)
            default: break
            }
        }

        /// Takes a file: a picture that media RSS has is one of the item, not a file that comes with it.
        private mutating func takeFile(_ element: FeedElement, at link: String?) {
            guard let url = address(link, of: element) else { return }
            let type = element.attribute("type")
            let isPicture = element.attribute("medium") == "image" || type?.lowercased().hasPrefix("image/") == true
            if isPicture { picture = picture ?? url }
            guard !(isPicture && element.vocabulary == .media), addresses.insert(url).inserted else { return }
            let length = (element.attribute("length") ?? element.attribute("filesize")).flatMap { Int($0) }
            let title = element.attribute("title") ?? element.text(.media, "title")
            enclosures.append(
                Enclosure(
                    url: url, type: type, length: length.flatMap { $0 >= 0 ? $0 : nil },
                    title: title.flatMap { FeedText.line($0.utf8) }))
        }

        private func address(_ link: String?, of element: FeedElement) -> String? {
            link.flatMap { XMLFeed.resolve($0, element.base ?? base) }
        }
    }
}

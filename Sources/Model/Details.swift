import Foundation

/// Facts about a post that only posts of one kind have.
public enum Details: Hashable, Sendable {
    /// The post is part of a discussion.
    case discussion(Discussion)
    /// The post is an article of a feed.
    case article(Article)
    /// The post is a photo.
    case photo(Photo)
}

extension Details {
    /// The details as JSON: the same details are the same text, so that what holds it changes only where they do.
    ///
    /// Throws an `EncodingError`.
    package func json() throws -> String {
        if case .discussion(let discussion) = self, let json = discussion.json {
            return #"{"discussion":\#(json)}"#
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

extension Details: Codable {
    private enum CodingKeys: String, CodingKey {
        case discussion
        case article
        case photo
    }

    /// Decodes an object with one member, whose name is the kind: `{"discussion": {"replies": ["8952"]}}`.
    ///
    /// Throws a `DecodingError` for a kind that is not known.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if container.contains(.article) {
            self = .article(try container.decode(Article.self, forKey: .article))
        } else if container.contains(.photo) {
            self = .photo(try container.decode(Photo.self, forKey: .photo))
        } else {
            self = .discussion(try container.decode(Discussion.self, forKey: .discussion))
        }
    }

    /// Encodes what ``init(from:)`` decodes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .discussion(let discussion): try container.encode(discussion, forKey: .discussion)
        case .article(let article): try container.encode(article, forKey: .article)
        case .photo(let photo): try container.encode(photo, forKey: .photo)
        }
    }
}

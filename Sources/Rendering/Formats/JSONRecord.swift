import Essentials
import Markup
import Model
import Store

/// A record as a JSON object as in the API, or with chosen fields.
struct JSONRecord {
    private let fields: [Field]?
    private let hasGroup: Bool

    /// - Parameters:
    ///   - fields: the members; nil for the default ones.
    ///   - hasGroup: whether the first member is the group.
    init(fields: [Field]?, hasGroup: Bool = false) {
        self.fields = fields
        self.hasGroup = hasGroup
    }

    private static let metadata = exported + [.photo]
    /// The members in a list; a post with its body is written as in the API.
    private static let listed = metadata + [.source, .read, .saved]

    /// The members in an export, to which the stored details are added.
    static let exported: [Field] = [
        .id, .title, .publishDate, .postId, .summary, .author, .link, .score, .commentCount, .rank, .parent, .story,
        .tags, .enclosures, .image, .updated, .changed, .type, .snippet, .snippetPlace,
    ]

    /// The object on one line.
    func text(_ record: Record) -> String {
        let group: [(key: String, value: String?)] = hasGroup ? [("group", record.group.map(JSONText.string))] : []
        if let fields { return JSONText.object(group + members(fields, record)) }
        guard let body = record.body else { return JSONText.object(group + members(Self.listed, record)) }
        return JSONText.object([
            ("id", JSONText.string(record.metadata.postId)),
            // The ID in lists.
            ("typedId", JSONText.string(record.metadata.id)),
            ("metadata", JSONText.object(members(Self.metadata, record))),
            ("body", JSONText.string(body)),
            ("article", Field.article.json(record)),
        ])
    }

    private func members(_ fields: [Field], _ record: Record) -> [(key: String, value: String?)] {
        fields.map { ($0.rawValue, $0.json(record)) }
    }

    /// Writes the object piece by piece, as its body may be too long for memory.
    func write(_ record: Record, _ emit: (String) throws -> Void) throws {
        guard let body = record.longBody, fields.map({ $0.count { $0 == .body } <= 1 }) ?? true else {
            return try emit(text(record.whole()))
        }
        var empty = record
        empty.body = ""
        let object = text(empty)
        // Quotes in strings are escaped, so this is the member.
        guard let key = object.utf8.firstRange(of: "\"body\":\"".utf8) else { return try emit(object) }
        try emit(String(object[..<key.upperBound]))
        var place = 0
        while let part = try body.part(at: &place) { try emit(JSONText.part(part)) }
        try emit(String(object[key.upperBound...]))
    }
}

/// Writes compact JSON with keys in the given order and all control characters escaped.
///
/// Foundation's encoder doesn't keep the order of keys, and doesn't escape C1 and bidirectional controls.
package enum JSONText {
    /// A string in quotes.
    package static func string(_ text: String) -> String { "\"" + part(text) + "\"" }

    /// A part of a string, escaped but without quotes.
    static func part(_ text: String) -> String {
        var text = text
        return text.withUTF8(escaped)
    }

    /// An object without members whose value is nil.
    package static func object(_ members: [(key: String, value: String?)]) -> String {
        let present = members.compactMap { member in member.value.map { "\(string(member.key)):\($0)" } }
        return "{" + present.joined(separator: ",") + "}"
    }

    /// On bytes, because a body may have many megabytes.
    private static func escaped(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        if bytes.endOfPlainText(from: 0) == bytes.count { return String(decoding: bytes, as: UTF8.self) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 16)
        var index = 0
        while true {
            let start = index
            index = bytes.endOfPlainText(from: start)
            result += bytes[start..<index]
            guard index < bytes.count else { break }
            let byte = bytes[index]
            let (code, length) = Sanitizer.harmfulScalar(bytes, index)
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): result += [UInt8(ascii: "\\"), byte]
            case 0x0A: result += Array("\\n".utf8)
            case 0x09: result += Array("\\t".utf8)
            case 0x0D: result += Array("\\r".utf8)
            case _ where code != nil:
                let hex = String(code ?? 0, radix: 16)
                result += Array(("\\u" + String(repeating: "0", count: 4 - hex.count) + hex).utf8)
            default: result += bytes[index..<index + length]
            }
            index += length
        }
        return String(decoding: result, as: UTF8.self)
    }
}

/// A photo as a JSON object that decodes to a ``Photo``, without its comments.
enum PhotoJSON {
    static func object(_ photo: Photo) -> String {
        JSONText.object([
            ("pictures", "[" + photo.pictures.map(picture).joined(separator: ",") + "]"),
            ("rating", photo.rating.flatMap(number)), ("highestRating", photo.highestRating.flatMap(number)),
            ("views", photo.views.map { String($0) }), ("votes", photo.votes.map { String($0) }),
            ("category", photo.category.map(JSONText.string)), ("license", photo.license.map(JSONText.string)),
            ("nsfw", String(photo.isAdult)), ("photographer", photo.photographer.map(photographer)),
            ("camera", photo.camera.map(camera)), ("place", photo.place.map(place)),
        ])
    }

    static func camera(_ camera: Camera) -> String {
        JSONText.object([
            ("model", camera.model.map(JSONText.string)), ("lens", camera.lens.map(JSONText.string)),
            ("focalLength", camera.focalLength.map(JSONText.string)),
            ("shutterSpeed", camera.shutterSpeed.map(JSONText.string)),
            ("aperture", camera.aperture.map(JSONText.string)), ("iso", camera.iso.map(JSONText.string)),
            ("takenAt", camera.takenAt.map { JSONText.string($0.text) }),
        ])
    }

    static func place(_ place: Place) -> String {
        let point = place.coordinates.map { point in
            JSONText.object([("latitude", number(point.latitude)), ("longitude", number(point.longitude))])
        }
        return JSONText.object([("name", place.name.map(JSONText.string)), ("coordinates", point)])
    }

    /// Returns nil for infinity and NaN, which JSON can't express.
    static func number(_ number: Double) -> String? { number.isFinite ? "\(number)" : nil }

    private static func picture(_ picture: Picture) -> String {
        JSONText.object([("url", JSONText.string(picture.url)), ("size", picture.size.map { String($0) })])
    }

    private static func photographer(_ photographer: Photographer) -> String {
        JSONText.object([
            ("username", photographer.username.map(JSONText.string)), ("city", photographer.city.map(JSONText.string)),
            ("country", photographer.country.map(JSONText.string)),
        ])
    }
}

/// Posts and sources as lines of JSON for an export; the same post always becomes the same line.
package enum ExportLine {
    package static func text(_ post: ExportedPost) -> String {
        let shown = JSONRecord(fields: JSONRecord.exported).text(Record(post.metadata))
        let metadata = (try? post.metadata.details?.json()).map { shown.dropLast() + "," + $0.dropFirst() } ?? shown
        let body = post.body.map { body in
            JSONText.object([
                ("text", JSONText.string(body.text)), ("fetchedAt", String(body.fetchedAt)),
                ("isCurrent", String(body.isCurrent)), ("format", body.format.map(JSONText.string)),
            ])
        }
        return JSONText.object([
            ("source", JSONText.string(post.source)), ("address", JSONText.string(post.address)),
            ("listed", String(post.listed)), ("read", String(post.read)), ("saved", String(post.saved)),
            ("changedAt", String(post.changedAt)),
            ("wordsChangedAt", post.wordsChangedAt.map { String($0) }),
            ("numbered", post.numbered == true ? "true" : nil), ("metadata", metadata), ("body", body),
            ("article", post.article.map(text)),
        ]) + "\n"
    }

    private static func text(_ article: LinkedArticle) -> String {
        JSONText.object([
            ("address", JSONText.string(article.address)), ("title", article.title.map(JSONText.string)),
            ("author", article.author.map(JSONText.string)), ("site", article.site.map(JSONText.string)),
            ("publishDate", article.publishDate.map { JSONText.string($0.text) }),
            ("language", article.language.map(JSONText.string)), ("text", JSONText.string(article.body)),
            ("format", JSONText.string(article.format.rawValue)), ("isComplete", String(article.isComplete)),
            ("fetchedAt", String(article.fetchedAt.millisecondsSince1970)),
        ])
    }

    /// A source that is or was followed.
    package static func text(_ source: ExportedSource) -> String {
        JSONText.object([
            ("source", JSONText.string(source.source)), ("address", JSONText.string(source.address)),
            ("name", JSONText.string(source.name)), ("folder", JSONText.string(source.folder)),
            ("title", source.title.map(JSONText.string)), ("label", source.label.map(JSONText.string)),
            ("site", source.site.map(JSONText.string)), ("keep", source.keep.map(JSONText.string)),
            ("article", source.article.map(JSONText.string)),
            ("articleBody", source.articleBody.map(JSONText.string)),
            ("articleDrop", source.articleDrop.map(JSONText.string)),
            ("followedAt", source.followedAt.map { String($0) }),
        ]) + "\n"
    }
}

import BlogEssentials
import BlogFeeds
import BlogModel

/// A photo as the API sends it, in a list or alone; everything except its ID may be missing.
struct PhotoRecord: Decodable, Sendable {
    let id: Int
    let rating: Double?
    /// 1970 if the date is unknown.
    private let createdAt: Timestamp
    private let name: String?
    private let description: String?
    private let highestRating: Double?
    private let views: Int?
    private let votes: Int?
    private let comments: Int?
    private let category: String?
    private let license: String?
    private let isAdult: Bool
    /// Relative to the site.
    private let page: String?
    private let pictures: [Picture]
    private let user: PhotoUser?
    private let camera: Camera?
    private let place: Place?

    private enum CodingKeys: CodingKey {
        case id
    }

    /// Throws a `DecodingError` for a photo without an id.
    init(from decoder: any Decoder) throws {
        id = try Self.id(in: try decoder.container(keyedBy: CodingKeys.self))
        let photo = try LenientObject(from: decoder)
        createdAt = photo.line("created_at").flatMap { Timestamp($0) } ?? Timestamp(secondsSince1970: 0)
        name = photo.line("name")
        description = photo.text("description")
        rating = photo.rating("rating")
        highestRating = photo.rating("highest_rating")
        views = photo.count("times_viewed")
        votes = photo.count("votes_count")
        comments = photo.count("comments_count")
        category = photo.count("category").flatMap { PhotoTerms.categories[$0] }
        license = photo.count("license_type").flatMap { PhotoTerms.licenses[$0] }
        isAdult = photo.isTrue("nsfw")
        page = photo.line("url")
        pictures = photo.pictures
        user = photo.object("user").map { PhotoUser($0) }
        camera = photo.camera
        place = photo.place
    }

    private static func id(in container: KeyedDecodingContainer<CodingKeys>) throws -> Int {
        do {
            let id = try container.decode(Int.self, forKey: .id)
            guard id > 0 else {
                throw DecodingError.dataCorruptedError(
                    forKey: .id, in: container, debugDescription: "isn't positive")
            }
            return id
        } catch let error as DecodingError {
            throw error
        } catch {
            // For a fraction, Foundation throws an error of its own.
            throw DecodingError.typeMismatch(
                Int.self,
                DecodingError.Context(codingPath: container.codingPath + [CodingKeys.id], debugDescription: ""))
        }
    }

    /// The photo as it is listed, without content, which is fetched with the photo itself.
    func listed(on site: PhotoWebsite) -> Entry { Entry(metadata(on: site, replies: [])) }

    func entry(on site: PhotoWebsite, _ comments: PhotoComments) -> Entry {
        Entry(
            metadata(on: site, replies: comments.replies), content: Entry.Content(published: description ?? ""),
            comments: comments.entries(on: site, at: createdAt))
    }

    private func metadata(on site: PhotoWebsite, replies: [String]) -> PostMetadata {
        let pictures = pictures.compactMap { picture in
            site.address(picture.url).map { Picture(url: $0, size: picture.size) }
        }
        let photo = Photo(
            pictures: pictures, rating: rating, highestRating: highestRating, views: views, votes: votes,
            category: category, license: license, isAdult: isAdult, photographer: user?.photographer, camera: camera,
            place: place, replies: replies)
        return PostMetadata(
            id: String(id), title: name ?? "[untitled]", publishDate: createdAt, postId: String(id),
            summary: description.flatMap { FeedContent(published: $0).line(limit: Self.maxSummary) },
            author: PhotoUser.author(user, on: site), link: site.address(page) ?? site.page(of: id).absoluteString,
            commentCount: comments, details: .photo(photo))
    }

    /// The limit in bytes on the part of a description in a list.
    private static let maxSummary = 500
}

extension FeedContent {
    /// A text entered by users in a field that accepts HTML.
    fileprivate init(published text: String) {
        self.init(text: Array(text.utf8), isHTML: FeedText.isHTML(Array(text.utf8)))
    }
}

extension Entry.Content {
    /// A text entered by users in a field that accepts HTML.
    init(published text: String) {
        self.init(text, FeedContent(published: text).isHTML ? .html : .plain)
    }
}

extension LenientObject {
    fileprivate func rating(_ name: String) -> Double? { number(name).flatMap { (0...100).contains($0) ? $0 : nil } }

    /// The pictures in the requested sizes, smallest first; without sizes, in the API's order.
    fileprivate var pictures: [Picture] {
        let sized = values("images", as: LenientObject.self).compactMap { image in
            (image.line("https_url") ?? image.line("url")).map { Picture(url: $0, size: image.count("size")) }
        }
        let all = sized.isEmpty ? values("image_url", as: String.self).map { Picture(url: $0) } : sized
        let sorted = all.prefix(Self.maxPictures).enumerated().sorted {
            ($0.element.size ?? 0, $0.offset) < ($1.element.size ?? 0, $1.offset)
        }
        return sorted.map(\.element)
    }

    /// The camera; nil if unknown.
    fileprivate var camera: Camera? {
        let camera = Camera(
            model: known("camera"), lens: known("lens"), focalLength: known("focal_length"),
            shutterSpeed: shutterSpeed, aperture: known("aperture"), iso: known("iso"),
            takenAt: line("taken_at").flatMap { Timestamp($0) })
        return camera == Camera() ? nil : camera
    }

    /// Where the photo was taken; nil if unknown.
    fileprivate var place: Place? {
        let (name, latitude, longitude) = (line("location"), number("latitude"), number("longitude"))
        let coordinates = latitude.flatMap { latitude in
            longitude.flatMap { Coordinates(latitude: latitude, longitude: Self.wrapped($0)) }
        }
        // Cameras without GPS report 0, 0, which is in the sea off Ghana.
        let isKnown = coordinates.map { $0.latitude != 0 || $0.longitude != 0 } ?? false
        return name == nil && !isKnown ? nil : Place(name: name, coordinates: isKnown ? coordinates : nil)
    }

    /// A longitude between -180 and 180; maps that can be scrolled around the world give others.
    private static func wrapped(_ longitude: Double) -> Double {
        guard longitude.magnitude > 180, longitude.magnitude <= 3600 else { return longitude }
        return (longitude - 360 * (longitude / 360).rounded())
    }

    /// The exposure time in seconds as photographers write it: "1/190" for 0.00526; nil if it isn't a time.
    private var shutterSpeed: String? {
        guard let text = known("shutter_speed") else { return nil }
        let number = text.hasSuffix("s") ? text.dropLast().trimmed : text
        let parts = number.split(separator: "/", omittingEmptySubsequences: false).map { Double($0.trimmed) }
        guard (1...2).contains(parts.count), let first = parts[0], let last = parts[parts.count - 1], first > 0,
            last > 0
        else { return nil }
        let seconds = parts.count == 2 ? first / last : first
        guard (0.000_001...1_000_000).contains(seconds) else { return nil }
        return parts.count == 1 && seconds < 0.25 ? "1/\(Int((1 / seconds).rounded()))" : number
    }

    /// A detail from the camera; nil if it is 0 or infinite, which means unknown.
    private func known(_ name: String) -> String? {
        line(name).flatMap { Double($0) == 0 || $0.unicodeScalars.contains("∞") ? nil : $0 }
    }

    /// More than there are sizes.
    private static let maxPictures = 50
}

/// The meanings of the API's numbers
/// (https://github.com/500px/legacy-api-documentation/blob/master/basics/formats_and_terms.md).
enum PhotoTerms {
    static let categories = [
        1: "Celebrities", 2: "Film", 3: "Journalism", 4: "Nude", 5: "Black and White", 6: "Still Life", 7: "People",
        8: "Landscapes", 9: "City and Architecture", 10: "Abstract", 11: "Animals", 12: "Macro", 13: "Travel",
        14: "Fashion", 15: "Commercial", 16: "Concert", 17: "Sport", 18: "Nature", 19: "Performing Arts", 20: "Family",
        21: "Street", 22: "Underwater", 23: "Food", 24: "Fine Art", 25: "Wedding", 26: "Transportation",
        27: "Urban Exploration",
    ]

    static let licenses = [
        0: "Standard 500px License", 1: "Creative Commons Attribution Non Commercial",
        2: "Creative Commons Attribution Non Commercial No Derivatives",
        3: "Creative Commons Attribution Non Commercial Share Alike", 4: "Creative Commons Attribution",
        5: "Creative Commons Attribution No Derivatives", 6: "Creative Commons Attribution Share Alike",
        7: "Public Domain Mark 1.0", 8: "Creative Commons Zero (CC0) 1.0",
    ]
}

/// A user as the API sends one; any of the details may be missing.
struct PhotoUser: Sendable {
    private let name: String?
    private let username: String?
    private let city: String?
    private let country: String?
    /// The address of a small picture, relative to the site.
    private let picture: String?

    init(_ user: LenientObject) {
        username = user.line("username")
        let parts = [user.line("firstname"), user.line("lastname")].compactMap { $0 }
        name = user.line("fullname") ?? (parts.isEmpty ? username : parts.joined(separator: " "))
        (city, country) = (user.line("city"), user.line("country"))
        let avatars = user.object("avatars")
        let sizes = ["large", "default", "small", "tiny"].compactMap { avatars?.object($0)?.line("https") }
        picture = sizes.first ?? user.line("userpic_https_url") ?? user.line("userpic_url")
    }

    /// The details about the photographer except the name; nil if there are none.
    var photographer: Photographer? {
        let photographer = Photographer(username: username, city: city, country: country)
        return photographer == Photographer(username: nil) ? nil : photographer
    }

    /// A user as an author; nil for an unknown one.
    static func author(_ user: PhotoUser?, on site: PhotoWebsite) -> Author {
        Author(name: user?.name ?? Author.unknown, image: site.address(user?.picture))
    }
}

/// A JSON object whose members are nil if they are missing or of another type.
///
/// It can be read only during decoding.
struct LenientObject: Decodable {
    private let members: KeyedDecodingContainer<Name>

    /// Throws a `DecodingError` for any value but an object.
    init(from decoder: any Decoder) throws {
        members = try decoder.container(keyedBy: Name.self)
    }

    /// A string, or a number as text; nil if blank.
    func text(_ name: String) -> String? {
        let name = Name(stringValue: name)
        let text =
            (try? members.decode(String.self, forKey: name)) ?? (try? members.decode(Int.self, forKey: name)).map {
                "\($0)"
            }
            ?? (try? members.decode(Double.self, forKey: name)).map { "\($0)" }
        return text.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    }

    /// A text with its white space collapsed.
    func line(_ name: String) -> String? { text(name).flatMap { FeedText.line($0.utf8) } }

    /// A finite number, or a string that contains one.
    func number(_ name: String) -> Double? {
        let key = Name(stringValue: name)
        let number = (try? members.decode(Double.self, forKey: key)) ?? line(name).flatMap { Double($0) }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    /// A non-negative integer.
    func count(_ name: String) -> Int? { number(name).flatMap { Int(exactly: $0) }.flatMap { $0 < 0 ? nil : $0 } }

    func isTrue(_ name: String) -> Bool {
        (try? members.decode(Bool.self, forKey: Name(stringValue: name))) ?? (number(name) == 1)
    }

    func object(_ name: String) -> LenientObject? {
        try? members.decode(LenientObject.self, forKey: Name(stringValue: name))
    }

    /// The elements of an array that can be decoded as a type, or a single value as an array.
    func values<Value: Decodable>(_ name: String, as type: Value.Type) -> [Value] {
        let name = Name(stringValue: name)
        if let values = try? members.decode([Lossy<Value>].self, forKey: name) { return values.compactMap(\.value) }
        return (try? members.decode(Value.self, forKey: name)).map { [$0] } ?? []
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }
}

/// A value; nil if it can't be decoded.
private struct Lossy<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}

/// A photo's details besides its name, its description and the photographer's name.
///
/// Nil means unknown, as do a source's placeholders (`""`, `"0"`, `1/∞`).
public struct Photo: Codable, Hashable, Sendable {
    /// The picture in all available sizes, smallest first; may be empty.
    public let pictures: [Picture]
    /// The current rating, from 0 to 100.
    public let rating: Double?
    /// The highest ``rating`` so far.
    public let highestRating: Double?
    /// The number of views.
    public let views: Int?
    /// The number of votes.
    public let votes: Int?
    /// The category, for example "Landscapes".
    public let category: String?
    /// The license, for example "Creative Commons Attribution".
    public let license: String?
    /// Whether the source marks it as adult content.
    public let isAdult: Bool
    /// More about the photographer.
    public let photographer: Photographer?
    /// The equipment and settings.
    public let camera: Camera?
    /// Where it was taken.
    public let place: Place?
    /// The ids of the top-level comments, in the source's order; empty if they weren't fetched.
    public var replies: [String] { replyIDs ?? [] }
    /// Nil rather than empty, to keep it out of the JSON of photos without comments.
    private let replyIDs: [String]?

    private enum CodingKeys: String, CodingKey {
        case pictures, rating, highestRating, views, votes, category, license, photographer, camera, place
        case isAdult = "nsfw"
        case replyIDs = "replies"
    }

    /// A photo with the given values, which aren't validated.
    public init(
        pictures: [Picture] = [], rating: Double? = nil, highestRating: Double? = nil, views: Int? = nil,
        votes: Int? = nil, category: String? = nil, license: String? = nil, isAdult: Bool = false,
        photographer: Photographer? = nil, camera: Camera? = nil, place: Place? = nil, replies: [String] = []
    ) {
        self.pictures = pictures
        self.rating = rating
        self.highestRating = highestRating
        self.views = views
        self.votes = votes
        self.category = category
        self.license = license
        self.isAdult = isAdult
        self.photographer = photographer
        self.camera = camera
        self.place = place
        replyIDs = replies.isEmpty ? nil : replies
    }

    /// This photo from a list, completed with details that only come with a request for a single photo.
    func completed(by known: Photo) -> Photo {
        Photo(
            pictures: pictures.isEmpty ? known.pictures : pictures, rating: rating,
            highestRating: highestRating ?? known.highestRating, views: views, votes: votes,
            category: category ?? known.category, license: license ?? known.license, isAdult: isAdult,
            photographer: photographer ?? known.photographer, camera: known.camera ?? camera,
            place: known.place ?? place, replies: replies.isEmpty ? known.replies : replies)
    }
}

/// A picture in one size.
public struct Picture: Codable, Hashable, Sendable {
    /// The absolute URL, as its source sent it.
    public let url: String
    /// The number of its size at the source (https://github.com/500px/legacy-api-documentation, "Image sizes"); nil if
    /// unknown.
    public let size: Int?

    /// A picture with the given values, which aren't validated.
    public init(url: String, size: Int? = nil) {
        self.url = url
        self.size = size
    }
}

/// The person who took a photo.
public struct Photographer: Codable, Hashable, Sendable {
    /// The name of the account.
    public let username: String?
    /// The home town.
    public let city: String?
    /// The country of ``city``.
    public let country: String?

    /// A photographer with the given values, which aren't validated.
    public init(username: String?, city: String? = nil, country: String? = nil) {
        self.username = username
        self.city = city
        self.country = country
    }
}

/// The equipment and settings of a photo, as its source spells them.
public struct Camera: Codable, Hashable, Sendable {
    /// The make and model, for example "Canon EOS 6D".
    public let model: String?
    /// The lens.
    public let lens: String?
    /// In millimetres, for example "35".
    public let focalLength: String?
    /// In seconds, for example "1/250".
    public let shutterSpeed: String?
    /// The f-number, for example "2.8".
    public let aperture: String?
    /// The sensitivity, for example "100".
    public let iso: String?
    /// When the photo was taken.
    public let takenAt: Timestamp?

    /// A camera with the given values, which aren't validated.
    public init(
        model: String? = nil, lens: String? = nil, focalLength: String? = nil, shutterSpeed: String? = nil,
        aperture: String? = nil, iso: String? = nil, takenAt: Timestamp? = nil
    ) {
        self.model = model
        self.lens = lens
        self.focalLength = focalLength
        self.shutterSpeed = shutterSpeed
        self.aperture = aperture
        self.iso = iso
        self.takenAt = takenAt
    }
}

/// A place on Earth.
public struct Place: Codable, Hashable, Sendable {
    /// The name; nil if only the coordinates are known.
    public let name: String?
    /// The coordinates; nil if only the name is known.
    public let coordinates: Coordinates?

    /// A place with the given values, which aren't validated.
    public init(name: String?, coordinates: Coordinates? = nil) {
        self.name = name
        self.coordinates = coordinates
    }
}

/// A point on Earth (WGS 84).
public struct Coordinates: Codable, Hashable, Sendable {
    /// Degrees north of the equator, from -90 to 90.
    public let latitude: Double
    /// Degrees east of Greenwich, from -180 to 180.
    public let longitude: Double

    /// Nil if the degrees are out of range.
    public init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Decodes a point; throws a `DecodingError` if it is out of range.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let latitude = try container.decode(Double.self, forKey: .latitude)
        let longitude = try container.decode(Double.self, forKey: .longitude)
        guard let point = Coordinates(latitude: latitude, longitude: longitude) else {
            throw DecodingError.dataCorruptedError(
                forKey: .latitude, in: container, debugDescription: "isn't a valid latitude and longitude")
        }
        self = point
    }
}

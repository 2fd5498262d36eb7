import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering

@Suite("A photo record") struct PhotoRecordTests {
    private let site: PhotoWebsite

    init() throws {
        site = PhotoWebsite(api: try #require(URL(string: "https://api.photos.example/v1")))
    }

    private func metadata(_ changes: [String: String]) throws -> PostMetadata {
        try JSONDecoder().decode(PhotoRecord.self, from: Data(photoJSON(1, changes).utf8)).listed(on: site).metadata
    }

    private func photo(_ changes: [String: String]) throws -> Photo { try #require(try metadata(changes).photo) }

    static let ratings: [(String, Double?)] = [
        ("99.5", 99.5), ("100", 100), ("0", 0), ("-0.0", 0), (#""87.3""#, 87.3), ("null", nil), (#""NaN""#, nil),
        ("1e999", nil), ("-1", nil), ("101", nil), (#""high""#, nil), (#""""#, nil), ("[]", nil), ("{}", nil),
        ("true", nil), (#""1e999""#, nil), (#""-Infinity""#, nil),
    ]

    @Test("has a rating from 0 to 100, or none", arguments: ratings)
    func rating(json: String, rating: Double?) throws {
        #expect(try photo(["rating": json]).rating == rating)
        #expect(try photo(["highest_rating": json]).highestRating == rating)
    }

    static let counts: [(String, Int?)] = [
        ("0", 0), ("12", 12), ("12.0", 12), (#""12""#, 12), ("1.5", nil), ("-1", nil), ("null", nil), ("1e30", nil),
        ("[1]", nil), (#""many""#, nil),
    ]

    @Test("has non-negative view, vote and comment counts, or none", arguments: counts)
    func views(json: String, count: Int?) throws {
        #expect(try photo(["times_viewed": json]).views == count)
        #expect(try photo(["votes_count": json]).votes == count)
        #expect(try metadata(["comments_count": json]).commentCount == count)
    }

    static let pictures: [([String: String], [Picture])] = [
        ([:], []), (["image_url": "null", "images": "null"], []), (["image_url": "{}", "images": #""x""#], []),
        (["image_url": #""https://i.example/1.jpg?v=2""#], [Picture(url: "https://i.example/1.jpg?v=2")]),
        (
            ["image_url": #"["https://i.example/1.jpg",null,"https://i.example/2.jpg"]"#],
            [Picture(url: "https://i.example/1.jpg"), Picture(url: "https://i.example/2.jpg")]
        ),
        (["images": #"{"size":4,"url":"http://i.example/4.jpg"}"#], [Picture(url: "http://i.example/4.jpg", size: 4)]),
        (
            [
                "images": """
                [{"size":1600,"url":"http://i.example/b","https_url":"https://i.example/b"},[],
                {"size":"440","url":"http://i.example/a","format":"png"},{"size":2}]
                """, "image_url": #""https://i.example/other""#,
            ], [Picture(url: "http://i.example/a", size: 440), Picture(url: "https://i.example/b", size: 1600)]
        ),
        (["image_url": #"["javascript:alert(1)","file:///etc/passwd","data:image/png;base64,AA=="]"#], []),
        (["image_url": #""/here.jpg""#], [Picture(url: "https://photos.example/here.jpg")]),
    ]

    @Test("lists its pictures, smallest first, whichever field has them", arguments: pictures)
    func named(changes: [String: String], pictures: [Picture]) throws {
        #expect(try photo(changes).pictures == pictures)
    }

    static let unknown = [
        "null", #""""#, #""0""#, #""0.0""#, "0", #""1/∞""#, #""∞""#, #""   ""#, "[]", "{}", #"["35"]"#, "false",
    ]

    @Test("has no camera if all its fields are placeholders", arguments: unknown)
    func noCamera(json: String) throws {
        let names = ["camera", "lens", "focal_length", "iso", "shutter_speed", "aperture", "taken_at"]
        #expect(try photo(Dictionary(uniqueKeysWithValues: names.map { ($0, json) })).camera == nil)
    }

    @Test("describes the camera and the exposure")
    func camera() throws {
        let camera = try photo([
            "camera": #"" Canon  EOS 6D ""#, "lens": #""0""#, "focal_length": "35", "iso": #""100""#,
            "shutter_speed": #""1/250""#, "aperture": "2.8", "taken_at": #""2018-07-01T10:00:00Z""#,
        ]).camera
        #expect(
            camera
                == Camera(
                    model: "Canon EOS 6D", focalLength: "35", shutterSpeed: "1/250", aperture: "2.8", iso: "100",
                    takenAt: Timestamp("2018-07-01T10:00:00Z")))
    }

    @Test(
        "has the exposure time as photographers write it, or none",
        arguments: [
            (#""1/190""#, "1/190"), ("0.005263158", "1/190"), (#""0.0166667 s""#, "1/60"), (#""1/60s""#, "1/60"),
            ("2", "2"),
            (#""0.5""#, "0.5"), (#""30 s""#, "30"), (#""fast""#, nil), (#""1/0""#, nil), (#""1/2/3""#, nil),
            (#""-1""#, nil),
            (#""1e-30""#, nil), (#""/""#, nil), (#""1e99""#, nil),
        ] as [(String, String?)])
    func shutter(json: String, text: String?) throws {
        #expect(try photo(["shutter_speed": json]).camera?.shutterSpeed == text)
    }

    static let places: [(String, String, Coordinates?)] = [
        ("64.5", "-16.25", Coordinates(latitude: 64.5, longitude: -16.25)),
        (#""64.5""#, #""-16.25""#, Coordinates(latitude: 64.5, longitude: -16.25)),
        ("0", "10", Coordinates(latitude: 0, longitude: 10)), ("90", "180", Coordinates(latitude: 90, longitude: 180)),
        ("-90", "-180", Coordinates(latitude: -90, longitude: -180)), ("0", "0", nil), ("0.0", #""0""#, nil),
        ("-0.0", "0", nil), ("null", "null", nil), ("64.5", "null", nil), ("90.1", "0", nil),
        ("0", "-180.5", Coordinates(latitude: 0, longitude: 179.5)),
        ("0", "190", Coordinates(latitude: 0, longitude: -170)), ("0", "730", Coordinates(latitude: 0, longitude: 10)),
        ("0", "1e9", nil),
        ("1e999", "0", nil), (#""NaN""#, #""NaN""#, nil), ("[64.5]", "{}", nil),
    ]

    @Test("has valid coordinates or none", arguments: places)
    func coordinates(latitude: String, longitude: String, point: Coordinates?) throws {
        let point = point.map { Place(name: nil, coordinates: $0) }
        #expect(try photo(["latitude": latitude, "longitude": longitude]).place == point)
        let named = try photo(["latitude": latitude, "longitude": longitude, "location": #""Vík ""#]).place
        #expect(named == Place(name: "Vík", coordinates: point?.coordinates))
    }

    static let people: [(String, String, String?)] = [
        (#"{"username":"ana","fullname":" Ana  Ruiz ","firstname":"A"}"#, "Ana Ruiz", nil),
        (#"{"username":"ana","fullname":"","firstname":"Ana","lastname":null}"#, "Ana", nil),
        (#"{"username":"ana","firstname":"Ana","lastname":"Ruiz"}"#, "Ana Ruiz", nil),
        (#"{"username":"ana"}"#, "ana", nil),
        ("{}", "[unknown]", nil), ("[]", "[unknown]", nil), ("null", "[unknown]", nil), (#""ana""#, "[unknown]", nil),
        (#"{"userpic_url":"/graphics/userpic.png"}"#, "[unknown]", "https://photos.example/graphics/userpic.png"),
        (
            #"{"userpic_url":"http://a.example/1","userpic_https_url":"https://a.example/1"}"#, "[unknown]",
            "https://a.example/1"
        ),
        (
            #"{"userpic_url":"/u","avatars":{"default":{"https":"https://a.example/d"},"large":{"https":"https://a.example/l"}}}"#,
            "[unknown]", "https://a.example/l"
        ),
        (#"{"avatars":{"tiny":{"https":"/t"},"small":{"https":"/s"}}}"#, "[unknown]", "https://photos.example/s"),
        (#"{"userpic_url":"/u","avatars":{"tiny":{"https":"/t"}}}"#, "[unknown]", "https://photos.example/t"),
        (#"{"userpic_url":"/u","avatars":[]}"#, "[unknown]", "https://photos.example/u"),
        (#"{"userpic_url":"HTTPS://a.example/u"}"#, "[unknown]", "HTTPS://a.example/u"),
        (#"{"userpic_url":"javascript:alert(1)"}"#, "[unknown]", nil),
    ]

    @Test("has the fullest name of its author", arguments: people)
    func author(json: String, name: String, image: String?) throws {
        #expect(try metadata(["user": json]).author == Author(name: name, image: image))
    }

    @Test("has a title, a page, a category, a license and a photographer")
    func facts() throws {
        let all = try metadata([
            "name": #""Name at its end   ""#, "url": #""/photo/1/name""#, "category": "8", "license_type": "4",
            "nsfw": "true",
            "user": #"{"username":"ana","city":"Oslo","country":"Norway"}"#,
        ])
        #expect(all.title == "Name at its end")
        #expect(all.link == "https://photos.example/photo/1/name")
        let photo = try #require(all.photo)
        #expect((photo.category, photo.license) == ("Landscapes", "Creative Commons Attribution"))
        #expect(photo.isAdult)
        #expect(try metadata(["nsfw": "1"]).photo?.isAdult == true)
        #expect(photo.photographer == Photographer(username: "ana", city: "Oslo", country: "Norway"))
        let none = try metadata(["name": "null", "category": "0", "license_type": "null", "nsfw": "null"])
        #expect((none.title, none.link) == ("[untitled]", "https://photos.example/photo/1"))
        #expect((none.photo?.category, none.photo?.license, none.photo?.isAdult) == (nil, nil, false))
    }

    @Test("is completed by what was known, except for what changes")
    func completed() {
        let known = Photo(
            pictures: [Picture(url: "a")], rating: 1, highestRating: 99, category: "Macro", license: "CC0",
            camera: Camera(model: "6D"), place: Place(name: "Vík"), replies: ["1:1"])
        let all = Photo(rating: 2).completed(by: known)
        #expect((all.rating, all.highestRating, all.category, all.license) == (2, 99, "Macro", "CC0"))
        #expect((all.pictures, all.camera, all.place) == (known.pictures, known.camera, known.place))
        let changed = Photo(category: "Nature", license: "CC BY").completed(by: known)
        #expect((changed.category, changed.license) == ("Nature", "CC BY"))
    }

    @Test(
        "is dated 1970 if its date is missing or invalid",
        arguments: ["null", "[]", #""""#, #""soon""#, "1", #""0000-00-00T00:00:00-05:00""#])
    func undated(json: String) throws {
        #expect(try metadata(["created_at": json]).publishDate.utc == "1970-01-01T00:00:00Z")
    }

    static let descriptions: [(String, String?, BodyFormat, String)] = [
        ("null", nil, .plain, ""), (#""""#, nil, .plain, ""), ("[]", nil, .plain, ""),
        (#""One.\nTwo *three* <3""#, "One. Two *three* <3", .plain, "One.\nTwo *three* <3"),
        (#""One<br>two &amp; <b>more</b>""#, "One two & more", .html, "One<br>two &amp; <b>more</b>"),
    ]

    @Test("has a description in plain text or HTML", arguments: descriptions)
    func description(json: String, summary: String?, format: BodyFormat, body: String) throws {
        let record = try JSONDecoder().decode(PhotoRecord.self, from: Data(photoJSON(1, ["description": json]).utf8))
        let entry = record.entry(on: site, PhotoComments(on: 1, []))
        #expect(entry.metadata.summary == summary)
        #expect(entry.content == Entry.Content(body, format))
        #expect(record.listed(on: site).content == nil)
    }
}

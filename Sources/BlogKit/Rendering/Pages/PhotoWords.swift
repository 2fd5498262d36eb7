import Foundation

/// What is known of a photo in words.
enum PhotoWords {
    /// A fact and what it is called.
    typealias Fact = (name: PageText, value: PageText)

    /// "98.6"; nil where there is no rating or none that can be.
    static func rating(_ photo: Photo) -> String? { photo.rating.flatMap(oneDecimal) }

    /// What it was taken with, as far as that is known.
    static func camera(_ camera: Camera, taken: (Timestamp) -> PageText) -> [Fact] {
        rows([
            ("Camera", camera.model.map { "\($0)" }), ("Lens", camera.lens.map { "\($0)" }),
            ("Focal length", camera.focalLength.map { "\($0) mm" }),
            ("Shutter speed", camera.shutterSpeed.map { "\($0) s" }), ("Aperture", camera.aperture.map { "f/\($0)" }),
            ("ISO", camera.iso.map { "\($0)" }), ("Taken", camera.takenAt.map(taken)),
        ])
    }

    /// What else is known.
    static func facts(_ photo: Photo) -> [Fact] {
        rows([
            ("Rating", rating(photo).map { "\($0)" }),
            ("Highest rating", photo.highestRating.flatMap(oneDecimal).map { "\($0)" }),
            ("Category", photo.category.map { "\($0)" }), ("Views", photo.views.map { "\(counted($0))" }),
            ("Votes", photo.votes.map { "\(counted($0))" }), ("Licence", photo.license.map { "\($0)" }),
        ])
    }

    /// "64.1466° N, 21.9426° W".
    static func coordinates(_ point: Coordinates) -> String {
        let north = degrees(abs(point.latitude)) + (point.latitude < 0 ? " S" : " N")
        return north + ", " + degrees(abs(point.longitude)) + (point.longitude < 0 ? " W" : " E")
    }

    /// The page with a map of a place at OpenStreetMap.
    static func mapPage(_ point: Coordinates) -> String {
        let (latitude, longitude) = (decimals(point.latitude, 5), decimals(point.longitude, 5))
        return "https://www.openstreetmap.org/?mlat=\(latitude)&mlon=\(longitude)#map=9/\(latitude)/\(longitude)"
    }

    private static func rows(_ facts: [(PageText, PageText?)]) -> [Fact] {
        facts.compactMap { name, value in value.map { (name, $0) } }
    }

    private static func oneDecimal(_ value: Double) -> String? {
        (0...100).contains(value) ? decimals(value, 1) : nil
    }

    private static func degrees(_ value: Double) -> String { decimals(value, 4) + "°" }

    private static func decimals(_ value: Double, _ count: Int) -> String { String(format: "%.\(count)f", value) }

    /// "1,234,567".
    private static func counted(_ number: Int) -> String { number.formatted(.number.locale(Locale(identifier: "en"))) }
}

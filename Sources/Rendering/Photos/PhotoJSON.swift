import Model

/// A photo as a JSON object, in the shape in which ``Photo`` is decoded; the comments on it are no part of it.
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

    /// A number; nil for one that JSON can't hold.
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

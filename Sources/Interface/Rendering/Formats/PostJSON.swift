import BlogEssentials
import BlogModel

extension Author: JSONValue {
    package func write(to json: inout [UInt8]) {
        JSONText.write(to: &json) { json in
            JSONText.add("name", name, to: &json)
            if let image { JSONText.add("image", image, to: &json) }
            if let title { JSONText.add("title", title, to: &json) }
        }
    }
}

extension Comment {
    /// The comment without its replies.
    var json: JSONText {
        [
            "id": id, "author": author, "publishDate": publishDate.text, "body": body,
            "withheld": removal?.rawValue, "isNew": isNew ? true : nil as Bool?,
        ]
    }
}

extension Enclosure {
    var json: JSONText { ["url": url, "type": type, "length": length, "title": title] }
}

extension Article {
    /// The facts about an article, without its text.
    var json: JSONText {
        [
            "title": title, "author": author, "publishDate": publishDate?.text, "site": site, "link": address,
            "language": language, "format": format.rawValue, "isComplete": isComplete,
        ]
    }
}

extension Photo {
    /// An object that decodes to a ``Photo``, without its comments.
    var json: JSONText {
        [
            "pictures": pictures.map { ["url": $0.url, "size": $0.size] as JSONText }, "rating": rating,
            "highestRating": highestRating, "views": views, "votes": votes, "category": category,
            "license": license, "nsfw": isAdult, "photographer": photographer?.json, "camera": camera?.json,
            "place": place?.json,
        ]
    }
}

extension Photographer {
    fileprivate var json: JSONText { ["username": username, "city": city, "country": country] }
}

extension Camera {
    var json: JSONText {
        [
            "model": model, "lens": lens, "focalLength": focalLength, "shutterSpeed": shutterSpeed,
            "aperture": aperture, "iso": iso, "takenAt": takenAt?.text,
        ]
    }
}

extension Place {
    var json: JSONText {
        let point = coordinates.map { ["latitude": $0.latitude, "longitude": $0.longitude] as JSONText }
        return ["name": name, "coordinates": point]
    }
}

import BlogMarkup
import BlogModel
import BlogRendering
import Foundation

extension PageOptions {
    /// Options for pages on 1 January 2026, in UTC, with a map that only has its latitude.
    package static func sample(_ pictures: PagePictures = .linked) -> PageOptions {
        let dates = DateText(now: Date(timeIntervalSince1970: 1_767_225_600), timeZone: .gmt)
        return PageOptions(dates: dates, pictures: pictures, command: { "blog read \($0)" }) { point, _ in
            "<svg class=\"map\">\(String(point.latitude))</svg>"
        }
    }
}

/// The page of a list of records, in their groups.
package func listPage(_ records: [Record], title: String = "Posts", _ options: PageOptions = .sample()) -> String {
    var names: [String] = []
    for record in records { if let group = record.group, group != names.last { names.append(group) } }
    let groups = names.map { name in PostGroup(name: name, count: records.count { $0.group == name }) }
    var renderer = ListPageRenderer(title: title, groups: groups, options)
    var (text, current) = (renderer.start(), String?.none)
    for record in records {
        if let group = groups.first(where: { $0.name == record.group }), group.name != current {
            text += renderer.group(group)
            current = group.name
        }
        text += renderer.record(record)
    }
    return (text + renderer.end()).plain
}

/// The page of posts with their bodies.
package func articlePage(_ records: [Record], _ options: PageOptions = .sample()) throws -> String {
    var renderer = PostPageRenderer(options)
    return try (records.reduce(renderer.start()) { try $0 + renderer.post($1) } + renderer.end()).plain
}

/// The page of a thread.
package func threadPage(_ record: Record, _ comments: [BlogModel.Comment]) throws -> String {
    var renderer = PostPageRenderer(.sample())
    var text = try renderer.start() + renderer.thread(record)
    for comment in comments { text += renderer.comment(comment) }
    return (text + renderer.endThread() + renderer.end()).plain
}

extension PostRenderer {
    /// A post whose comments follow.
    package mutating func thread(_ record: Record) throws -> StyledText {
        var record = record
        record.hasThread = true
        return try post(record)
    }
}

/// A photo with all details, some of them given by a test.
package func samplePhoto(
    id: String = "1", name: String = "Dawn", rating: Double? = 98.64, pictures: [String]? = nil,
    text: (String) -> String = { $0 }
) -> PostMetadata {
    let addresses = pictures ?? ["https://p.example/\(id)-440.jpg", "https://p.example/\(id)-1600.jpg"]
    let photo = Photo(
        pictures: addresses.map { Picture(url: $0) }, rating: rating, highestRating: 99.9, views: 1_234_567, votes: 89,
        category: text("Landscapes"), license: text("Creative Commons Attribution"),
        photographer: Photographer(username: text("runa"), city: text("Reykjavík"), country: text("Iceland")),
        camera: Camera(
            model: text("Canon EOS 6D"), lens: text("EF 24-70"), focalLength: text("35"), shutterSpeed: text("1/250"),
            aperture: text("2.8"), iso: text("100"), takenAt: Timestamp(secondsSince1970: 1_600_000_000)),
        place: Place(name: text("Vík"), coordinates: Coordinates(latitude: 63.4186, longitude: -19.006)))
    return PostMetadata(
        id: id, title: name, publishDate: Timestamp(secondsSince1970: 1_600_086_400), postId: id, summary: nil,
        author: Author(name: text("Rúna Jónsdóttir"), image: "https://p.example/runa.jpg"),
        link: "https://photos.example/photo/\(id)", details: .photo(photo))
}

import Foundation

/// A line of a photo file: JSON as it will be sent, in which addresses have yet to be put.
///
/// It is never decoded here, as some of it is what no decoder takes.
struct PhotoRecord: Sendable {
    /// The photo's id; nil for what is no photo.
    let id: Int?
    private let text: String

    init(_ line: Substring) {
        text = String(line)
        let start = line.hasPrefix(Self.detailsStart) ? Self.detailsStart : Self.listStart
        id = line.hasPrefix(start) ? Int(line.dropFirst(start.count).prefix { $0.isASCII && $0.isNumber }) : nil
    }

    /// The JSON with the addresses of the photo's picture in some sizes, at a server.
    func json(sizes: [Int], pictures: PhotoPictures, at site: String) -> String {
        let text = text.replacing("{site}", with: site)
        guard let id, let first = sizes.first else { return text }
        func address(_ size: Int) -> String { "\"\(site)\(pictures.address(of: id, size: size))\"" }
        func image(_ size: Int) -> String {
            // There is no TLS here, so both addresses are the same.
            let address = address(size)
            let format = pictures.format(of: id)
            return "{\"size\":\(size),\"url\":\(address),\"https_url\":\(address),\"format\":\"\(format)\"}"
        }
        return text.replacing("\"{image_url}\"", with: address(first))
            .replacing("\"{image_urls}\"", with: "[\(sizes.map(address).joined(separator: ","))]")
            .replacing("\"{image}\"", with: image(first))
            .replacing("\"{images}\"", with: "[\(sizes.map(image).joined(separator: ","))]")
    }

    /// A value of a line that JSON's decoder takes, as a number to sort by: a number, or the seconds of a timestamp.
    func number(_ field: String) -> Double? {
        let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let value = object?[field]
        if let time = value as? String { return try? Date(time, strategy: .iso8601).timeIntervalSince1970 }
        return value as? Double
    }

    private static let listStart = "{\"id\":"
    private static let detailsStart = "{\"photo\":{\"id\":"
}

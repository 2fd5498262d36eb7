import Foundation

/// The 500px API for a folder, `/v1/photos` and `/v1/photos/ID`, with its pictures and avatars.
///
/// No key is needed. The folder has a photo per line: `list.jsonl` in the order of the list, and `details.jsonl` with
/// comments.
public struct PhotoSite: MockSite {
    private let folder: URL
    private let list: [PhotoRecord]
    private let details: [Int: PhotoRecord]
    private let pictures: PhotoPictures

    /// Throws a ``MockServerError`` if a file is missing or can't be read.
    ///
    /// - Parameter hostile: a folder of photos that are listed last: hostile, invalid and odd ones, and lines that
    ///   aren't photos.
    public init(folder: URL, hostile: URL? = nil) throws {
        self.folder = folder
        let folders = [folder, hostile].compactMap(\.self)
        list = try folders.flatMap { try Self.records(of: $0.appending(path: "list.jsonl")) }
        let details = try folders.flatMap { try Self.records(of: $0.appending(path: "details.jsonl")) }
        self.details = Dictionary(details.compactMap { record in record.id.map { ($0, record) } }) { $1 }
        guard !list.isEmpty, self.details.count == details.count else {
            throw MockServerError(message: "\(folder.path) has no photos, or photo details without an id")
        }
        pictures = try PhotoPictures(folder: folder.appending(path: "pictures"))
    }

    /// The response to a request; nil if the path isn't part of the API.
    public func response(to request: MockRequest) -> MockResponse? {
        let segments = request.segments
        guard let first = segments.first, ["v1", "pictures", "avatars", "graphics", "photo"].contains(first)
        else { return nil }
        return found(segments, request) ?? .photoError(404, "Not found.")
    }

    private func found(_ segments: [String], _ request: MockRequest) -> MockResponse? {
        switch (segments[0], segments.count) {
        case ("v1", 2) where segments[1] == "photos": page(of: request)
        case ("v1", 3) where segments[1] == "photos": photo(segments[2], request)
        case ("pictures", _): pictures.response(to: request)
        case ("avatars", _), ("graphics", _):
            ServedFile(segments.joined(separator: "/"), in: folder)?.immutableResponse
        case ("photo", 2...): webPage(of: segments[1])
        default: nil
        }
    }

    /// A page of the list with 1 to 100 photos.
    private func page(of request: MockRequest) -> MockResponse {
        guard request.query["feature"] == "popular" else {
            return .photoError(400, "This server has feature=popular only.")
        }
        let size = request.query["rpp"].flatMap(Int.init).map { min(max($0, 1), 100) } ?? 20
        let pages = (list.count + size - 1) / size
        let number = max(request.query["page"].flatMap(Int.init) ?? 1, 1)
        let photos = number > pages ? [] : sorted(request).dropFirst((number - 1) * size).prefix(size)
        let sizes = sizes(of: request, default: 2)
        let site = request.serverAddress
        let array = photos.map { $0.json(sizes: sizes, pictures: pictures, at: site) }.joined(separator: ",")
        let head = #""feature":"popular","filters":{"category":false,"exclude":false},"current_page":\#(number),"#
        let object = "{\(head)\"total_pages\":\(pages),\"total_items\":\(list.count),\"photos\":[\(array)]}"
        var response = MockResponse.json(object)
        response.headers["Cache-Control"] = "max-age=300"
        return response
    }

    /// The list in the requested order.
    ///
    /// The file is only roughly ordered by rating: the real server updated the order now and then, while ratings kept
    /// changing.
    private func sorted(_ request: MockRequest) -> [PhotoRecord] {
        let field = request.query["sort"] ?? "rating"
        let isAscending = request.query["sort_direction"] == "asc"
        guard field != "rating" else { return isAscending ? list.reversed() : list }
        let none = isAscending ? Double.infinity : -Double.infinity
        let keyed = list.map { ($0, $0.number(field) ?? none) }
        return keyed.sorted { isAscending ? $0.1 < $1.1 : $0.1 > $1.1 }.map(\.0)
    }

    private func photo(_ id: String, _ request: MockRequest) -> MockResponse? {
        guard let number = Int(id), String(number) == id, let record = details[number] else { return nil }
        return .json(
            record.json(sizes: sizes(of: request, default: 4), pictures: pictures, at: request.serverAddress))
    }

    private func webPage(of id: String) -> MockResponse? {
        guard let number = Int(id), details[number] != nil else { return nil }
        let address = pictures.address(of: number, size: 1600).replacing("&", with: "&amp;")
        let page = "<!DOCTYPE html><html lang=\"en\"><title>Photo \(number)</title><img src=\"\(address)\" alt=\"\">\n"
        return MockResponse(headers: ["Content-Type": "text/html; charset=utf-8"], body: .bytes(Data(page.utf8)))
    }

    /// The requested sizes of pictures.
    private func sizes(of request: MockRequest, default size: Int) -> [Int] {
        let sizes = (request.query["image_size"] ?? "").split(separator: ",").compactMap { Int($0) }
            .filter { PhotoPictures.squares.contains($0) || PhotoPictures.wholes.contains($0) }
        return sizes.isEmpty ? [size] : sizes
    }

    private static func records(of file: URL) throws -> [PhotoRecord] {
        guard let data = FileManager.default.contents(atPath: file.path) else {
            throw MockServerError(message: "\(file.path) can't be read")
        }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(PhotoRecord.init)
    }
}

/// A line of a photo file: JSON with placeholders for addresses, not decoded because hostile ones may be invalid.
struct PhotoRecord: Sendable {
    /// The photo's ID; nil for lines that aren't photos.
    let id: Int?
    private let text: String

    init(_ line: Substring) {
        text = String(line)
        let start = line.hasPrefix(Self.detailsStart) ? Self.detailsStart : Self.listStart
        id = line.hasPrefix(start) ? Int(line.dropFirst(start.count).prefix { $0.isASCII && $0.isNumber }) : nil
    }

    /// The JSON with the addresses of the photo's picture in these sizes, on a server.
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

    /// A number to sort by, or the seconds of a timestamp; nil if the line is invalid.
    func number(_ field: String) -> Double? {
        let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let value = object?[field]
        if let time = value as? String { return try? Date(time, strategy: .iso8601).timeIntervalSince1970 }
        return value as? Double
    }

    private static let listStart = "{\"id\":"
    private static let detailsStart = "{\"photo\":{\"id\":"
}

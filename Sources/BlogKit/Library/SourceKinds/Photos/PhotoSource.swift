import BlogEssentials
import BlogHTTP
import BlogMarkup
import BlogModel

/// The most popular photos from a server that speaks the 500px API
/// (https://github.com/500px/legacy-api-documentation), which 500px itself shut down in 2018.
///
/// A list consists of pages with a hundred photos and all that a list shows; other details and the comments come with a
/// request for a single photo.
package struct PhotoSource: ItemFetching {
    package static let kind = SourceKind(
        name: "photos", aliases: ["500px"], defaultAddress: "http://localhost:8106/v1",
        description: "servers with the 500px API",
        capabilities: Capabilities(
            sections: ["popular"], orders: [.rank, .rating], hasComments: true, includesPosts: true,
            includesComments: true, rankingLifetime: 5 * 60),
        hint: "500px shut down its API in 2018. Use another server with --url."
    ) { PhotoSource(address: $0, client: $1) }
    /// The query parameter for the user's API key.
    static let keyName = "consumer_key"
    /// The environment variable with that key.
    package static let keyVariable = "FIVEHUNDREDPX_CONSUMER_KEY"

    package let id: SourceID
    private let address: URL
    private let site: PhotoWebsite
    private let client: HTTPClient

    /// The limit on requested pages; a page may have fewer than a hundred photos.
    private static let maxPages = 25
    /// The API's codes for pictures of 440 and 1,600 pixels on the longer side.
    private static let sizes = URLQueryItem(name: "image_size", value: "440,1600")

    package init(address: URL, client: HTTPClient) {
        self.address = address
        id = SourceID(kind: Self.kind.name, address: address.absoluteString)
        site = PhotoWebsite(api: address)
        self.client = client
    }

    package func refresh(_ section: String?, since: Checkpoint?) async throws -> Refresh {
        var photos = PopularPhotos()
        var page = 1
        while true {
            let (url, response) = try await get(PhotoListPage.self, [], Self.query(section, page: page))
            guard let records = response.records else {
                throw await refusal(response.status, url) ?? .unreadable(url, problem: "isn't a list of photos")
            }
            let hasNew = photos.add(records)
            // A server that ignores the page number sends the same photos again.
            let isLast = response.pageCount.map { page >= $0 } ?? !hasNew
            if records.isEmpty || isLast || photos.isFull || page == Self.maxPages { break }
            page += 1
        }
        return .ranking(try photos.ranking(of: address.appending(encodedPath: ["photos"]), on: site))
    }

    package func item(id: String) async throws -> Entry? {
        // A comment's ID starts with that of its photo.
        guard let photo = id.split(separator: ":").first.flatMap({ Int($0) }) else { return nil }
        guard let entry = try await self.photo(photo) else { return nil }
        return ([entry] + entry.comments).first { $0.metadata.id == id }
    }

    package func discussionPage(of id: String) -> URL? {
        id.split(separator: ":").first.flatMap { Int($0) }.map { site.page(of: $0) }
    }

    package func id(ofPage page: URL) -> String? { site.photo(ofPage: page).map { String($0) } }

    private func photo(_ id: Int) async throws -> Entry? {
        do {
            let comments = URLQueryItem(name: "comments", value: "1")
            let (url, details) = try await get(PhotoDetails.self, [String(id)], [Self.sizes, comments])
            guard let photo = details.photo else {
                if details.status == 404 { return nil }
                throw await refusal(details.status, url) ?? .unreadable(url, problem: "isn't a photo")
            }
            guard photo.id == id else {
                throw SourceError.unreadable(url, problem: "is for another photo, “\(photo.id)”")
            }
            return photo.entry(on: site, PhotoComments(on: id, details.comments))
        } catch let error as HTTPError where error.isNotFound {
            return nil
        }
    }

    private static func query(_ section: String?, page: Int) -> [URLQueryItem] {
        let items = [
            ("feature", section ?? kind.capabilities.sections[0]), ("sort", "rating"), ("sort_direction", "desc"),
            ("rpp", "100"), ("page", String(page)),
        ]
        return items.map { URLQueryItem(name: $0.0, value: $0.1) } + [sizes]
    }

    private func get<Value: Decodable>(
        _ type: Value.Type, _ path: [String], _ query: [URLQueryItem]
    ) async throws -> (url: URL, value: Value) {
        let resource = address.appending(encodedPath: ["photos"] + path)
        let options = RequestOptions(accept: "application/json", keyName: Self.keyName)
        do {
            let response = try await client.get(
                resource.appending(queryItems: query), options: options, limit: HTTPLimits.metadataBytes)
            // Lenient decoding would lose a whole text because of a lone surrogate.
            let data = try response.body.data
            let body = LoneSurrogates.replaced(in: data) ?? data
            return (resource, try WireJSON.decode(type, from: body, of: resource))
        } catch let error as HTTPError {
            if let refusal = await refusal(error.statusCode, resource) { throw refusal }
            // The query means nothing to users.
            throw error.about(resource)
        }
    }

    /// The error for a status that concerns the API key; nil for any other status.
    private func refusal(_ status: Int?, _ url: URL) async -> SourceError? {
        guard let status, [401, 403].contains(status) else { return nil }
        return .refused(url, hadKey: await client.sendsKey(Self.keyName, to: url))
    }
}

/// A page of a list of photos, or the photos as a bare array.
struct PhotoListPage: Decodable {
    /// The records of the page; nil for an error.
    let records: [Result<PhotoRecord, RejectedPhoto>]?
    /// How many pages there are; nil if the server doesn't say.
    let pageCount: Int?
    /// The status code of an error, which some servers send with HTTP 200.
    let status: Int?

    private enum CodingKeys: CodingKey {
        case photos
    }

    init(from decoder: any Decoder) throws {
        if let array = try? decoder.singleValueContainer().decode([PhotoItem].self) {
            (records, pageCount, status) = (array.map(\.record), nil, nil)
            return
        }
        let page = try LenientObject(from: decoder)
        let items = try? decoder.container(keyedBy: CodingKeys.self).decode([PhotoItem].self, forKey: .photos)
        records = items?.map(\.record)
        pageCount = page.count("total_pages")
        status = page.count("status")
    }
}

/// Why a record of a page isn't a photo.
struct RejectedPhoto: Error {
    let field: String
    let reason: String
    let id: String?
}

/// A photo with the comments on it; without a photo, an error.
struct PhotoDetails: Decodable {
    let photo: PhotoRecord?
    let comments: [PhotoComment]
    let status: Int?

    private enum CodingKeys: CodingKey {
        case photo
    }

    init(from decoder: any Decoder) throws {
        let details = try LenientObject(from: decoder)
        photo = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(PhotoRecord.self, forKey: .photo)
        comments = details.values("comments", as: PhotoComment.self)
        status = details.count("status")
    }
}

/// A record of a page, decoded on its own so that a malformed one doesn't affect the others.
private struct PhotoItem: Decodable {
    let record: Result<PhotoRecord, RejectedPhoto>

    init(from decoder: any Decoder) throws {
        do {
            record = .success(try PhotoRecord(from: decoder))
        } catch let error as DecodingError {
            let (field, reason) = WireJSON.fault(of: error, below: decoder.codingPath.count)
            let id = try? LenientObject(from: decoder).text("id")
            record = .failure(RejectedPhoto(field: field, reason: reason, id: id))
        }
    }
}

/// The photos of several pages, without repetitions.
struct PopularPhotos {
    private var photos: [PhotoRecord] = []
    private var rejected: [RejectedRecord] = []
    private var seen: Set<Int> = []
    private var count = 0

    /// The same as the number of stories on a list of Hacker News.
    private static let maxPhotos = 500

    var isFull: Bool { photos.count >= Self.maxPhotos }

    /// Adds the records of the next page; false if it has no new photos.
    mutating func add(_ records: [Result<PhotoRecord, RejectedPhoto>]) -> Bool {
        let before = photos.count
        for record in records {
            switch record {
            case .success(let photo):
                if !isFull, seen.insert(photo.id).inserted { photos.append(photo) }
            case .failure(let fault):
                rejected.append(RejectedRecord(index: count, field: fault.field, reason: fault.reason, id: fault.id))
            }
            count += 1
        }
        return photos.count > before
    }

    /// The photos by descending rating, those without one last, otherwise in the API's order.
    ///
    /// Throws ``SourceError/nothingUsable(_:_:)`` if there are records, but all of them are malformed.
    func ranking(of api: URL, on site: PhotoWebsite) throws -> Ranking {
        guard !photos.isEmpty || rejected.isEmpty else { throw SourceError.nothingUsable(api, rejected) }
        let ranked = photos.enumerated().sorted { first, second in
            let (left, right) = (first.element.rating ?? -1, second.element.rating ?? -1)
            return left == right ? first.offset < second.offset : left > right
        }.map(\.element)
        return Ranking(
            ids: ranked.map { String($0.id) }, entries: ranked.map { $0.listed(on: site) }, rejected: rejected)
    }
}

/// The website of an API: it is on the same host, without the prefix `api.`.
struct PhotoWebsite: Sendable {
    private let root: URL

    init(api: URL) {
        var site = URLComponents()
        let host = api.host() ?? ""
        (site.scheme, site.port) = (api.scheme, api.port)
        site.host = host.hasPrefix("api.") ? String(host.dropFirst("api.".count)) : host
        site.path = "/"
        root = site.url ?? api
    }

    /// The absolute http or https address in a text, perhaps relative to the site; nil if there is none.
    func address(_ text: String?) -> String? { text.flatMap { LinkTarget.web($0, base: root) } }

    func page(of photo: Int) -> URL { root.appending(encodedPath: ["photo", String(photo)]) }

    /// The id of the photo that a page is about; nil for another page.
    func photo(ofPage page: URL) -> Int? {
        guard page.hostAndPort == root.hostAndPort else { return nil }
        let parts = page.path().split(separator: "/")
        return parts.first == "photo" && parts.count > 1 ? Int(parts[1]) : nil
    }
}

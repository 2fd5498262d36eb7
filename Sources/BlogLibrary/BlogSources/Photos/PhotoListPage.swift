import Foundation

/// A page of a list of photos, or the photos alone as a bare array.
struct PhotoListPage: Decodable {
    /// Each record of the page; nil where it is no page but an error.
    let records: [Result<PhotoRecord, RejectedPhoto>]?
    /// How many pages there are, where the server says so.
    let pageCount: Int?
    /// The number of an error, which some servers send as if all were well.
    let status: Int?

    private enum CodingKeys: CodingKey {
        case photos
    }

    init(from decoder: any Decoder) throws {
        if let array = try? decoder.singleValueContainer().decode([PhotoItem].self) {
            (records, pageCount, status) = (array.map(\.record), nil, nil)
            return
        }
        let page = try LooseObject(from: decoder)
        let items = try? decoder.container(keyedBy: CodingKeys.self).decode([PhotoItem].self, forKey: .photos)
        records = items?.map(\.record)
        pageCount = page.count("total_pages")
        status = page.count("status")
    }
}

/// Why a record of a page is no photo.
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
        let details = try LooseObject(from: decoder)
        photo = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(PhotoRecord.self, forKey: .photo)
        comments = details.values("comments", as: PhotoComment.self)
        status = details.count("status")
    }
}

/// A record of a page, decoded on its own so that a bad one loses no other.
private struct PhotoItem: Decodable {
    let record: Result<PhotoRecord, RejectedPhoto>

    init(from decoder: any Decoder) throws {
        do {
            record = .success(try PhotoRecord(from: decoder))
        } catch let error as DecodingError {
            let (field, reason) = WireJSON.fault(of: error, below: decoder.codingPath.count)
            let id = try? LooseObject(from: decoder).text("id")
            record = .failure(RejectedPhoto(field: field, reason: reason, id: id))
        }
    }
}

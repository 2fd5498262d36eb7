import Foundation

/// JSON as servers send it: decoded with Foundation, and what is wrong with it said in words.
package enum WireJSON {
    /// A value out of a body; throws ``SourceError/unreadable(_:problem:)`` that names what is wrong.
    package static func decode<Value: Decodable>(_ type: Value.Type, from body: Data, of url: URL) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: body)
        } catch let error as DecodingError {
            if case .dataCorrupted = error, let repaired = LoneSurrogates.replaced(in: body) {
                return try decode(type, from: repaired, of: url)
            }
            throw SourceError.unreadable(url, problem: problem(of: error, body: body))
        }
    }

    /// The elements of an array, each on its own: a wrong one doesn't spoil the others.
    package static func decodeEach(
        from body: Data, of url: URL, byTwoFrom shortest: Int = 1 << 20
    ) async throws -> DecodedList {
        if let elements = await RecordScanner.elements(of: body, byTwoFrom: shortest), let list = list(elements, url) {
            return list
        }
        // What is wrong with the whole can only be told of the whole.
        return list(try decode([Lossy].self, from: body, of: url))
    }

    /// Elements with those in their places that the decoder has to look at; nil where it can make nothing of one.
    private static func list(_ elements: RecordScanner.Elements, _ url: URL) -> DecodedList? {
        guard !elements.others.isEmpty else { return DecodedList(records: elements.records, rejected: []) }
        var records: [PostMetadata] = []
        var rejected: [RejectedRecord] = []
        var rest = elements.records[...]
        for (index, json) in elements.others {
            let before = index - records.count - rejected.count
            records += rest.prefix(before)
            rest = rest.dropFirst(before)
            let array = Data("[".utf8) + json + Data("]".utf8)
            guard let lossy = try? decode([Lossy].self, from: array, of: url).first else { return nil }
            lossy.add(to: &records, orTo: &rejected, index)
        }
        return DecodedList(records: records + rest, rejected: rejected)
    }

    private static func list(_ elements: [Lossy]) -> DecodedList {
        var records: [PostMetadata] = []
        var rejected: [RejectedRecord] = []
        for (index, element) in elements.enumerated() { element.add(to: &records, orTo: &rejected, index) }
        return DecodedList(records: records, rejected: rejected)
    }

    private enum Lossy: Decodable {
        case record(PostMetadata)
        case rejected(DecodingError, id: String?)

        init(from decoder: any Decoder) throws {
            do {
                self = .record(try PostMetadata(from: decoder))
            } catch let error as DecodingError {
                let record = try? decoder.container(keyedBy: IDKey.self)
                self = .rejected(error, id: try? record?.decode(String.self, forKey: .id))
            }
        }

        func add(to records: inout [PostMetadata], orTo rejected: inout [RejectedRecord], _ index: Int) {
            switch self {
            case .record(let metadata): records.append(metadata)
            case .rejected(let error, let id):
                let (field, reason) = WireJSON.fault(of: error, below: 1)
                rejected.append(RejectedRecord(index: index, field: field, reason: reason, id: id))
            }
        }

        private enum IDKey: CodingKey {
            case id
        }
    }

    private static func problem(of error: DecodingError, body: Data) -> String {
        let start = body.prefix(512).drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if start.isEmpty && body.count <= 512 { return "is empty" }
        if start.first == UInt8(ascii: "<") { return "is a web page, not JSON" }
        let (field, reason) = fault(of: error, below: 0)
        if case .dataCorrupted(let context) = error, context.codingPath.isEmpty { return "is not valid JSON" }
        return field.isEmpty ? "is not what was expected: it \(reason)" : "is not a post: \(field) \(reason)"
    }

    /// The field's path, less its first `depth` parts, and what is wrong there.
    private static func fault(of error: DecodingError, below depth: Int) -> (field: String, reason: String) {
        func path(_ keys: [any CodingKey]) -> String {
            keys.dropFirst(depth).map(\.stringValue).joined(separator: ".")
        }
        switch error {
        case .keyNotFound(let key, let context): return (path(context.codingPath + [key]), "is missing")
        case .valueNotFound(_, let context): return (path(context.codingPath), "is null")
        case .typeMismatch(let type, let context): return (path(context.codingPath), "is not \(name(of: type))")
        case .dataCorrupted(let context):
            // Our own models end the sentence; Foundation's words about its insides don't.
            let isOurs = context.debugDescription.hasPrefix("is ")
            return (path(context.codingPath), isOurs ? context.debugDescription : "is not valid JSON")
        @unknown default: return ("", "can't be read")
        }
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is [Any].Type: "a list"
        default: "an object"
        }
    }
}

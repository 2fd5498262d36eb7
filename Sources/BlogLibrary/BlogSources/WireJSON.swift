import Foundation

/// JSON from servers, decoded with Foundation, with readable errors.
package enum WireJSON {
    /// A value out of a body; throws ``SourceError/unreadable(_:problem:)`` that names what is wrong.
    package static func decode<Value: Decodable>(_ type: Value.Type, from body: Data, of url: URL) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: body)
        } catch let error as DecodingError {
            if case .dataCorrupted = error,
                let repaired = LoneSurrogates.replaced(in: body) ?? NotANumber.replaced(in: body)
            {
                return try decode(type, from: repaired, of: url)
            }
            throw SourceError.unreadable(url, problem: problem(of: error, body: body))
        }
    }

    private static func problem(of error: DecodingError, body: Data) -> String {
        let start = body.prefix(512).drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if start.isEmpty && body.count <= 512 { return "is empty" }
        if start.first == UInt8(ascii: "<") { return "is a web page, not JSON" }
        let (field, reason) = fault(of: error, below: 0)
        if case .dataCorrupted(let context) = error, context.codingPath.isEmpty { return SourceError.malformedProblem }
        return field.isEmpty ? "has an unexpected format: it \(reason)" : "is not a post: \(field) \(reason)"
    }

    /// The field's path, less its first `depth` parts, and what is wrong there.
    static func fault(of error: DecodingError, below depth: Int) -> (field: String, reason: String) {
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
            return (path(context.codingPath), isOurs ? context.debugDescription : SourceError.malformedProblem)
        @unknown default: return ("", "can't be read")
        }
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Int.Type: "a whole number"
        case is [Any].Type: "a list"
        default: "an object"
        }
    }
}

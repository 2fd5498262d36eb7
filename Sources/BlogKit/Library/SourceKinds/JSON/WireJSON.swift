import BlogEssentials

/// Decodes JSON from servers, with readable errors.
package enum WireJSON {
    /// Decodes a value; throws a ``SourceError/unreadable(_:problem:)`` that says what is wrong.
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
        if case .dataCorrupted(let context) = error, context.codingPath.isEmpty {
            let last = body.last { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
            let isWhole = last == UInt8(ascii: "}") || last == UInt8(ascii: "]")
            return isWhole ? SourceError.malformedProblem : SourceError.cutOffProblem
        }
        return field.isEmpty ? "has an unexpected format: it \(reason)" : "isn't a post: \(field) \(reason)"
    }

    /// The path of a field without its first `depth` components, and what is wrong with it.
    static func fault(of error: DecodingError, below depth: Int) -> (field: String, reason: String) {
        func path(_ keys: [any CodingKey]) -> String {
            keys.dropFirst(depth).map(\.stringValue).joined(separator: ".")
        }
        switch error {
        case .keyNotFound(let key, let context): return (path(context.codingPath + [key]), "is missing")
        case .valueNotFound(_, let context): return (path(context.codingPath), "is null")
        case .typeMismatch(let type, let context): return (path(context.codingPath), "isn't \(name(of: type))")
        case .dataCorrupted(let context):
            // The errors of our own models complete the sentence; Foundation's describe its internals.
            let isOurs = ["is ", "isn't "].contains { context.debugDescription.hasPrefix($0) }
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

/// Lone surrogates: half of a pair such as `\ud800` in JSON, which RFC 8259, section 8.2, allows and Foundation
/// rejects.
enum LoneSurrogates {
    /// The JSON with U+FFFD in place of each; nil if there is none.
    static func replaced(in json: Data) -> Data? {
        var bytes = [UInt8](json)
        var hasReplaced = false
        var index = 0
        while index + 1 < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            guard let unit = codeUnit(bytes, index) else {
                // Another escape: the character after the backslash doesn't start one.
                index += 2
                continue
            }
            if (0xD800...0xDBFF).contains(unit), let next = codeUnit(bytes, index + 6), (0xDC00...0xDFFF).contains(next)
            {
                index += 12
                continue
            }
            if (0xD800...0xDFFF).contains(unit) {
                bytes.replaceSubrange(index..<index + 6, with: Array("\\ufffd".utf8))
                hasReplaced = true
            }
            index += 6
        }
        return hasReplaced ? Data(bytes) : nil
    }

    /// The code unit of a `\uXXXX` at an index, or nil.
    private static func codeUnit(_ bytes: [UInt8], _ index: Int) -> UInt32? {
        guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        return UInt32(String(decoding: bytes[index + 2..<index + 6], as: UTF8.self), radix: 16)
    }
}

/// `NaN` and `Infinity`, which Python and others write although JSON has no such numbers (RFC 8259, section 6), and
/// which Foundation rejects.
enum NotANumber {
    /// The JSON with `null` in place of each; nil if there is none.
    static func replaced(in json: Data) -> Data? {
        let bytes = [UInt8](json)
        var result: [UInt8] = []
        var (index, copied, isText) = (0, 0, false)
        while index < bytes.count {
            let byte = bytes[index]
            if isText {
                // The character after a backslash doesn't end the string.
                index += byte == UInt8(ascii: "\\") ? 2 : 1
                isText = byte != UInt8(ascii: "\"")
            } else if let word = words.first(where: { bytes[index...].starts(with: $0) }) {
                result += bytes[copied..<index] + Array("null".utf8)
                index += word.count
                copied = index
            } else {
                isText = byte == UInt8(ascii: "\"")
                index += 1
            }
        }
        return copied == 0 ? nil : Data(result + bytes[copied...])
    }

    private static let words = ["NaN", "-NaN", "Infinity", "-Infinity"].map { Array($0.utf8) }
}

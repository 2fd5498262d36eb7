import Foundation

/// The fast way through a long list: records in the API's usual form are read straight from their bytes, at some ten
/// times a decoder's speed.
///
/// Whatever differs from that form in the least is left to the decoder, which also tells what is wrong with it.
enum RecordScanner {
    /// An element of a list.
    enum Element: Sendable {
        case record(PostMetadata)
        /// What the decoder has to look at.
        case other(Data)
    }

    /// The elements of an array; nil where the text isn't one, or can't be told to be one.
    ///
    /// - Parameter shortest: how many bytes an array has at least that two processors read, each from its end of it.
    static func elements(of json: Data, byTwoFrom shortest: Int = 1 << 20) async -> [Element]? {
        guard json.count >= shortest, let middle = likelyBoundary(in: json) else {
            return part(of: json)?.elements
        }
        async let second = part(of: json, from: middle)
        // Only who comes from the beginning knows whether the second half begins between two elements.
        guard let first = part(of: json, until: middle) else { return nil }
        if first.isWhole { return first.elements }
        return await second.map { first.elements + $0.elements }
    }

    /// A place near the middle that looks as if an element began there.
    private static func likelyBoundary(in json: Data) -> Int? {
        let middle = json.startIndex + json.count / 2
        return json[middle...].firstRange(of: Data(#"},{"#.utf8)).map { $0.lowerBound + 2 - json.startIndex }
    }

    /// Elements from the beginning of an array, or from within it, up to its end or a place between two of them.
    private static func part(of json: Data, from start: Int = 0, until end: Int? = nil) -> Part? {
        json.withUnsafeBytes { bytes in
            var scanner = JSONScanner(bytes.bindMemory(to: UInt8.self), from: start)
            var elements: [Element] = []
            guard start > 0 || scanner.take("[") else { return nil }
            if start == 0, scanner.take("]") { return scanner.isAtEnd ? Part(elements: [], isWhole: true) : nil }
            repeat {
                let start = scanner.index
                if start == end { return Part(elements: elements, isWhole: false) }
                if let record = record(&scanner) {
                    elements.append(.record(record))
                } else {
                    guard let extent = scanner.extent(from: start) else { return nil }
                    elements.append(.other(Data(bytes[extent])))
                }
            } while scanner.take(",")
            return scanner.take("]") && scanner.isAtEnd ? Part(elements: elements, isWhole: true) : nil
        }
    }

    private struct Part: Sendable {
        let elements: [Element]
        /// Whether the array ended with them.
        let isWhole: Bool
    }

    private static func record(_ scanner: inout JSONScanner) -> PostMetadata? {
        var fields = RecordFields()
        guard scanner.object({ name, scanner in fields.take(name, &scanner) }) else { return nil }
        return fields.record
    }
}

import Foundation

/// The fast way through a long list: records in the API's usual form are read straight from their bytes, at some ten
/// times a decoder's speed.
///
/// Whatever differs from that form in the least is left to the decoder, which also tells what is wrong with it.
enum RecordScanner {
    /// The elements of a list, or of a part of it.
    struct Elements: Sendable {
        fileprivate(set) var records: [PostMetadata] = []
        /// What the decoder has to look at, and how many elements come before each.
        fileprivate(set) var others: [(index: Int, json: Data)] = []
        /// Whether the list ended with them.
        fileprivate var isWhole = false

        fileprivate mutating func append(_ rest: Elements) {
            let count = records.count + others.count
            records += rest.records
            others += rest.others.map { ($0.index + count, $0.json) }
        }
    }

    /// The elements of an array; nil where the text isn't one, or can't be told to be one.
    ///
    /// - Parameter shortest: how many bytes an array has at least that two processors read, each from its end of it.
    static func elements(of json: Data, byTwoFrom shortest: Int = 1 << 20) async -> Elements? {
        guard json.count >= shortest, let middle = likelyBoundary(in: json) else { return part(of: json) }
        async let second = part(of: json, from: middle)
        // Only who comes from the beginning knows whether the second half begins between two elements.
        guard var elements = part(of: json, until: middle) else { return nil }
        if elements.isWhole { return elements }
        guard let rest = await second else { return nil }
        elements.append(rest)
        return elements
    }

    /// A place near the middle that looks as if an element began there.
    private static func likelyBoundary(in json: Data) -> Int? {
        let middle = json.startIndex + json.count / 2
        return json[middle...].firstRange(of: Data(#"},{"#.utf8)).map { $0.lowerBound + 2 - json.startIndex }
    }

    /// Elements from the beginning of an array, or from within it, up to its end or a place between two of them.
    private static func part(of json: Data, from start: Int = 0, until end: Int? = nil) -> Elements? {
        json.withUnsafeBytes { bytes in
            var scanner = JSONScanner(bytes.bindMemory(to: UInt8.self), from: start)
            var elements = Elements()
            guard start > 0 || scanner.take("[") else { return nil }
            if start == 0, scanner.take("]") { return scanner.isAtEnd ? Elements(isWhole: true) : nil }
            repeat {
                let start = scanner.index
                if start == end { return elements }
                if let record = record(&scanner) {
                    elements.records.append(record)
                } else {
                    guard let extent = scanner.extent(from: start) else { return nil }
                    elements.others.append((elements.records.count + elements.others.count, Data(bytes[extent])))
                }
            } while scanner.take(",")
            elements.isWhole = true
            return scanner.take("]") && scanner.isAtEnd ? elements : nil
        }
    }

    private static func record(_ scanner: inout JSONScanner) -> PostMetadata? {
        var fields = RecordFields()
        guard scanner.object({ name, scanner in fields.take(name, &scanner) }) else { return nil }
        return fields.record
    }
}

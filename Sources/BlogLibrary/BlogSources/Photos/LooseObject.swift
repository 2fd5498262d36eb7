import Feeds
import Foundation

/// An object of JSON of which any member may be missing, or something else than it should be: then it is unknown.
///
/// It can be read only while its decoder decodes.
struct LooseObject: Decodable {
    private let members: KeyedDecodingContainer<Name>

    /// Throws a `DecodingError` for what is no object.
    init(from decoder: any Decoder) throws {
        members = try decoder.container(keyedBy: Name.self)
    }

    /// A string, or a number as text; nil where that says nothing.
    func text(_ name: String) -> String? {
        let name = Name(stringValue: name)
        let text =
            (try? members.decode(String.self, forKey: name)) ?? (try? members.decode(Int.self, forKey: name)).map {
                "\($0)"
            }
            ?? (try? members.decode(Double.self, forKey: name)).map { "\($0)" }
        return text.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    }

    /// The same with its white space collapsed.
    func line(_ name: String) -> String? { text(name).flatMap { FeedText.line($0.utf8) } }

    /// A number, or a string that spells one; never infinite.
    func number(_ name: String) -> Double? {
        let key = Name(stringValue: name)
        let number = (try? members.decode(Double.self, forKey: key)) ?? line(name).flatMap { Double($0) }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    /// How many there are of something.
    func count(_ name: String) -> Int? { number(name).flatMap { Int(exactly: $0) }.flatMap { $0 < 0 ? nil : $0 } }

    func isTrue(_ name: String) -> Bool {
        (try? members.decode(Bool.self, forKey: Name(stringValue: name))) ?? (number(name) == 1)
    }

    func object(_ name: String) -> LooseObject? {
        try? members.decode(LooseObject.self, forKey: Name(stringValue: name))
    }

    /// The values of an array that can be read as something, or the one value that stands in its place.
    func values<Value: Decodable>(_ name: String, as type: Value.Type) -> [Value] {
        let name = Name(stringValue: name)
        if let values = try? members.decode([Lossy<Value>].self, forKey: name) { return values.compactMap(\.value) }
        return (try? members.decode(Value.self, forKey: name)).map { [$0] } ?? []
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }
}

/// A value; nil where what is there can't be read as one.
private struct Lossy<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}

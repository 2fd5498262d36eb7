import Foundation

/// A user who wrote what is made up.
struct MadeUpAuthor: Encodable {
    let id: String
    let created: Int
    let karma: Int

    /// The made-up user of a name, or nil.
    init?(_ name: String) {
        guard let number = Self.names.firstIndex(of: name) else { return nil }
        id = name
        created = 1_300_000_000 + number * 1_000_000
        karma = 1 + MadeUpWords.number(place: number, below: 30_000)
    }

    /// Who wrote an item.
    static func name(of item: Int) -> String { names[MadeUpWords.number(place: item &* 37, below: names.count)] }

    /// The user as the API's JSON.
    func json() -> Data? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try? encoder.encode(self)
    }

    // Numbered, as words come twice and most of the world's short names are taken.
    private static let names = (1...100).map { "\(MadeUpWords.word(place: $0 &* 101))\($0)" }
}

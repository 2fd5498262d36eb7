import Foundation

/// Bodies that are too long for memory wait in a temporary table while they arrive: no other process sees it or waits
/// for it, and SQLite deletes it with the connection, however that ends.
extension PostStore {
    /// A number for a body that is going to be staged.
    package func newStagedBody() -> Int64 {
        lastStagedBody += 1
        return lastStagedBody
    }

    /// Keeps the next piece of a body until all of it has arrived.
    package func stage(_ text: String, of body: Int64) async throws {
        await waitForList()
        try mappingNoSpace {
            try database.execute(
                "CREATE TEMP TABLE IF NOT EXISTS staged_parts (key INTEGER PRIMARY KEY, body INTEGER, text TEXT)")
            for part in Self.parts(of: text) {
                try database.run(
                    "INSERT INTO staged_parts (body, text) VALUES (?, ?)", [.integer(body), .text(String(part))])
            }
        }
    }

    /// Forgets a staged body.
    package func discardStaged(_ body: Int64) async {
        await waitForList()
        try? read { try $0.run("DELETE FROM staged_parts WHERE body = ?", [.integer(body)]) }
    }

    /// Begins to read a staged body, as ``openParts(_:)`` does a stored one.
    func openStaged(_ body: Int64) throws -> Int? {
        try openParts("SELECT text FROM staged_parts WHERE body = ? ORDER BY key", body)
    }

    /// Text in pieces of at most ``partSize`` bytes, cut between characters.
    static func parts(of text: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = text[...]
        while let limit = rest.utf8.index(rest.startIndex, offsetBy: partSize, limitedBy: rest.endIndex),
            limit < rest.endIndex
        {
            var end = limit
            while UTF8.isContinuation(rest.utf8[end]) { end = rest.utf8.index(before: end) }
            parts.append(rest[..<end])
            rest = rest[end...]
        }
        if !rest.isEmpty { parts.append(rest) }
        return parts
    }

    private func mappingNoSpace(_ work: () throws -> Void) throws {
        try StoreError.mapped(path) {
            do {
                try work()
            } catch let error as DatabaseError where StoreNotice(error) != nil {
                throw StoreError.Reason.noTemporarySpace
            }
        }
    }
}

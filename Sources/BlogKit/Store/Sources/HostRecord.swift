import BlogEssentials
import BlogModel

/// The hosts that get no requests for a while.
///
/// These are rate-limited ones (`Retry-After`), and unresponsive ones, which refreshes of several sources skip. The
/// names of the latter have the prefix `silent`.
struct HostRecord {
    private let database: Database

    init(_ database: Database) { self.database = database }

    func wait(of host: String) throws -> Date? {
        try database.integer("SELECT until FROM waits WHERE host = ?", [.text(host)]).map {
            Date(millisecondsSince1970: $0)
        }
    }

    func save(wait: Date, of host: String) throws {
        try database.run(
            "INSERT INTO waits (host, until) VALUES (?, ?) ON CONFLICT (host) DO UPDATE SET until = excluded.until",
            [.text(host), DatabaseValue(wait)])
    }

    /// The unresponsive hosts, with their ports, and until when to skip them.
    func silences() throws -> [String: Date] {
        let sql = "SELECT host, until FROM waits WHERE substr(host, 1, 7) = ?"
        let found = try database.all(sql, [.text(Self.silent)]) { row in
            (String((row.text(0) ?? "").dropFirst(Self.silent.count)), Date(millisecondsSince1970: row.integer(1)))
        }
        return Dictionary(found) { first, _ in first }
    }

    /// Records an unresponsive host and until when to skip it.
    func save(silence until: Date, of host: String) throws { try save(wait: until, of: Self.silent + host) }

    func isSilent(_ host: String) throws -> Bool { try wait(of: Self.silent + host) != nil }

    /// Removes the record of an unresponsive host that has responded.
    func forgetSilence(of host: String) throws {
        try database.run("DELETE FROM waits WHERE host = ?", [.text(Self.silent + host)])
    }

    /// A prefix that can't be part of a host name.
    private static let silent = "silent "
}

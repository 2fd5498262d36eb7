import BlogEssentials
import BlogModel

/// The hosts and addresses that get no requests for a while.
///
/// These are rate-limited ones (`Retry-After`), and unresponsive hosts, which refreshes of several sources skip. The
/// names of the latter have the prefix `silent`.
struct HostRecord {
    private let database: Database

    init(_ database: Database) { self.database = database }

    /// The ends of all waits, by host and port, or by address.
    func waits() throws -> [String: Date] {
        let found = try database.all("SELECT host, until FROM waits", []) { row in
            (row.text(0) ?? "", Date(millisecondsSince1970: row.integer(1)))
        }
        return Dictionary(found) { first, _ in first }
    }

    /// Records a wait, and forgets those that ended long before it.
    func save(wait: Date, of place: String) throws {
        try database.run(
            "INSERT INTO waits (host, until) VALUES (?, ?) ON CONFLICT (host) DO UPDATE SET until = excluded.until",
            [.text(place), DatabaseValue(wait)])
        let dayBefore = DatabaseValue(wait.addingTimeInterval(-86_400))
        try database.run("DELETE FROM waits WHERE until < ? AND host NOT LIKE 'silent %'", [dayBefore])
    }

    /// The ends of all waits, and until when to skip unresponsive hosts, by host and port.
    func all() throws -> (waits: [String: Date], silences: [String: Date]) {
        let all = try waits()
        let silent = all.filter { $0.key.hasPrefix(Self.silent) }.map {
            ($0.key.dropFirst(Self.silent.count), $0.value)
        }
        return (all, Dictionary(uniqueKeysWithValues: silent.map { (String($0), $1) }))
    }

    /// Records an unresponsive host and until when to skip it.
    func save(silence until: Date, of host: String) throws { try save(wait: until, of: Self.silent + host) }

    func isSilent(_ host: String) throws -> Bool {
        try database.integer("SELECT 1 FROM waits WHERE host = ?", [.text(Self.silent + host)]) != nil
    }

    /// Removes the record of an unresponsive host that has responded.
    func forgetSilence(of host: String) throws {
        try database.run("DELETE FROM waits WHERE host = ?", [.text(Self.silent + host)])
    }

    /// A prefix that can't be part of a host name.
    private static let silent = "silent "
}

/// What can't be read or written is left out: it only saves requests.
extension PostStore: HostWaits {
    package func waits() -> [String: Date] { (try? read { try HostRecord($0).waits() }) ?? [:] }

    package func remember(wait: Date, of place: String) async {
        try? await writeIfFree { try HostRecord($0).save(wait: wait, of: place) }
    }

    /// The ends of all waits, and until when to skip unresponsive hosts: ``HostRecord/all()``.
    package func hosts() -> (waits: [String: Date], silences: [String: Date]) {
        (try? read { try HostRecord($0).all() }) ?? ([:], [:])
    }

    /// Records an unresponsive host and until when to skip it.
    package func remember(silence until: Date, of host: String) async {
        try? await writeIfFree { try HostRecord($0).save(silence: until, of: host) }
    }

    /// Removes the record of an unresponsive host that has responded; writes nothing if there is none.
    package func forgetSilence(of host: String) async {
        guard (try? read { try HostRecord($0).isSilent(host) }) == true else { return }
        try? await writeIfFree { try HostRecord($0).forgetSilence(of: host) }
    }
}

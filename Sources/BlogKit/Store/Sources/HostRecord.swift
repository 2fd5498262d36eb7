import BlogEssentials
import BlogModel

/// The hosts and addresses that get no requests for a while: those that want to be left alone (`Retry-After`), and
/// unresponsive hosts, which refreshes of several sources skip.
struct HostRecord {
    private let database: Database

    init(_ database: Database) { self.database = database }

    /// Until when hosts, by host and port, and addresses want to be left alone.
    func waits() throws -> [String: Date] { try ends(in: "waits") }

    /// Until when to skip unresponsive hosts, by host and port.
    func silences() throws -> [String: Date] { try ends(in: "silences") }

    private func ends(in table: String) throws -> [String: Date] {
        let found = try database.all("SELECT host, until FROM \(table)", []) { row in
            (row.text(0) ?? "", Date(millisecondsSince1970: row.integer(1)))
        }
        return Dictionary(found) { first, _ in first }
    }

    /// Records a wait, and forgets those that ended long before it.
    func save(wait: Date, of place: String) throws {
        try save(wait, of: place, in: "waits")
        try database.run("DELETE FROM waits WHERE until < ?", [DatabaseValue(wait.addingTimeInterval(-86_400))])
    }

    /// Records an unresponsive host and until when to skip it.
    func save(silence until: Date, of host: String) throws { try save(until, of: host, in: "silences") }

    private func save(_ until: Date, of host: String, in table: String) throws {
        try database.run(
            "INSERT INTO \(table) (host, until) VALUES (?, ?) ON CONFLICT (host) DO UPDATE SET until = excluded.until",
            [.text(host), DatabaseValue(until)])
    }

    func isSilent(_ host: String) throws -> Bool {
        try database.integer("SELECT 1 FROM silences WHERE host = ?", [.text(host)]) != nil
    }

    /// Removes the record of an unresponsive host that has responded.
    func forgetSilence(of host: String) throws {
        try database.run("DELETE FROM silences WHERE host = ?", [.text(host)])
    }
}

/// What can't be read or written is left out: it only saves requests.
extension PostStore: HostWaits {
    package func waits() -> [String: Date] { (try? read { try HostRecord($0).waits() }) ?? [:] }

    package func remember(wait: Date, of place: String) async {
        try? await writeIfFree { try HostRecord($0).save(wait: wait, of: place) }
    }

    /// ``HostRecord/waits()`` and ``HostRecord/silences()``.
    package func hosts() -> (waits: [String: Date], silences: [String: Date]) {
        (try? read { (try HostRecord($0).waits(), try HostRecord($0).silences()) }) ?? ([:], [:])
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

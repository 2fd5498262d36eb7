import Foundation
import HTTP
import Model
import SQLite

/// Until when hosts are left alone: by every request where they say so themselves (`Retry-After`), and, as a host that
/// begins with `silent`, by lists where they didn't respond in time.
extension PostStore: HostWaits {
    package func wait(of host: String) -> Date? {
        let sql = "SELECT until FROM waits WHERE host = ?"
        let found = try? read { try $0.first(sql, [.text(host)]) { $0.integer(0) } }
        return found.flatMap { $0 }.map { Date(millisecondsSince1970: $0) }
    }

    package func remember(wait: Date, of host: String) async {
        try? await writeIfFree { database in
            try database.run(
                "INSERT INTO waits (host, until) VALUES (?, ?) ON CONFLICT (host) DO UPDATE SET until = excluded.until",
                [.text(host), .integer(wait.millisecondsSince1970)])
        }
    }

    /// Until when lists leave hosts alone that were silent, by host with its port.
    package func silences() -> [String: Date] {
        let found = try? read { database in
            let rows = try database.statement(
                "SELECT host, until FROM waits WHERE substr(host, 1, 7) = ?", [.text(Self.silent)])
            defer { rows.reset() }
            var silences: [String: Date] = [:]
            while try rows.step() {
                let host = String((rows.text(0) ?? "").dropFirst(Self.silent.count))
                silences[host] = Date(millisecondsSince1970: rows.integer(1))
            }
            return silences
        }
        return found ?? [:]
    }

    /// Remembers until when lists leave a silent host alone.
    package func remember(silence until: Date, of host: String) async {
        await remember(wait: until, of: Self.silent + host)
    }

    /// Forgets that a host was silent: it has responded.
    package func forgetSilence(of host: String) async {
        guard wait(of: Self.silent + host) != nil else { return }
        try? await writeIfFree { try $0.run("DELETE FROM waits WHERE host = ?", [.text(Self.silent + host)]) }
    }

    /// No host has a space in it.
    private static let silent = "silent "
}

import Foundation
import SQLite

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
}

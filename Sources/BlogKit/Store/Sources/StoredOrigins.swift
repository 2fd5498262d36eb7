import BlogEssentials
import BlogModel

/// The `typed_origins` table: the origins of addresses that the user has typed.
///
/// Only what the user types here adds to it: neither an import nor what a server says. Exports leave it out.
package struct StoredOrigins {
    private let database: Database

    package init(_ database: Database) { self.database = database }

    /// A row of the table.
    package struct Row: Sendable {
        fileprivate let origin: String
        fileprivate let use: OriginUse
        /// The name of the service whose login is sent there; nil for none.
        fileprivate let login: String?
    }

    package func all() throws -> [Row] {
        try database.all("SELECT origin, is_service, allows_http, login FROM typed_origins") {
            Row(
                origin: $0.text(0) ?? "", use: OriginUse(isService: $0.bool(1), allowsHTTP: $0.bool(2)),
                login: $0.text(3))
        }
    }

    /// Adds a row of another store.
    func add(_ row: Row) throws {
        try add(row.use, of: row.origin)
        if let login = row.login { try bind(login: login, to: row.origin) }
    }

    func use(of origins: [String]) throws -> OriginUse? {
        let uses = try origins.compactMap { origin in
            try database.first("SELECT is_service, allows_http FROM typed_origins WHERE origin = ?", [.text(origin)]) {
                OriginUse(isService: $0.bool(0), allowsHTTP: $0.bool(1))
            }
        }
        return uses.reduce(nil) { $0?.merged(with: $1) ?? $1 }
    }

    /// Lets the login of a service's name be sent to an origin, and to no other.
    package func bind(login name: String, to origin: String) throws {
        try database.run(
            "UPDATE typed_origins SET login = nullif(login, ?1) WHERE origin <> ?2", [.text(name), .text(origin)])
        try database.run("UPDATE typed_origins SET login = ?1 WHERE origin = ?2", [.text(name), .text(origin)])
    }

    /// Whether the login of a service's name is for none of some origins, but for another one.
    package func isBoundElsewhere(login name: String, than origins: [String]) throws -> Bool {
        let owners = try database.texts("SELECT origin FROM typed_origins WHERE login = ?", [.text(name)])
        return !owners.isEmpty && !owners.contains(where: origins.contains)
    }

    /// Forgets an origin, as if nobody had typed it.
    package func forget(_ origin: String) throws {
        try database.run("DELETE FROM typed_origins WHERE origin = ?", [.text(origin)])
    }

    /// Forgets that there was a service at the origins of an address, unless another one there is followed.
    package func forgetService(at origins: [String]) throws {
        for origin in origins {
            try database.run(
                """
                UPDATE typed_origins SET (is_service, login) = (0, NULL) WHERE origin = ?1 AND NOT EXISTS (
                    SELECT 1 FROM sources WHERE kind = ?2 AND followed_at NOT NULL
                        AND (address BETWEEN ?1 || '/' AND ?1 || '0' OR address = ?1)
                )
                """, [.text(origin), .text(SourceID.serviceKind)])
        }
    }

    /// Whether there is a sync server on a host, also one that the user has yet to confirm.
    func hasService(atHost host: String) throws -> Bool {
        let services = try database.all("SELECT address FROM sources WHERE kind = ?", [.text(SourceID.serviceKind)]) {
            URL(address: $0.text(0) ?? "")?.host?.lowercased()
        }
        return services.contains(host)
    }

    /// Adds a use of an origin to its earlier ones, and lets what waited for it be asked.
    package func add(_ use: OriginUse, of origin: String) throws {
        let known = try self.use(of: [origin])
        let use = use.merged(with: known)
        if use == known { return }
        try database.run(
            """
            INSERT INTO typed_origins (origin, is_service, allows_http) VALUES (?, ?, ?)
            ON CONFLICT (origin) DO UPDATE SET
                (is_service, allows_http) = (excluded.is_service, excluded.allows_http)
            """,
            [.text(origin), .integer(use.isService ? 1 : 0), .integer(use.allowsHTTP ? 1 : 0)])
        // The addresses between `https://example.org/` and `https://example.org0`, for which there is an index.
        try database.run(
            """
            UPDATE sources SET (problem, due_at, asked_at) = (NULL, NULL, NULL)
            WHERE (address BETWEEN ?1 || '/' AND ?1 || '0' OR address = ?1) AND problem LIKE ?2
            """, [.text(origin), .text("\(RefreshProblem.unconfirmed.rawValue)%")])
    }
}

extension PostStore: OriginRecord {
    package func use(of origins: [String]) -> OriginUse? { try? read { try StoredOrigins($0).use(of: origins) } }

    package func hasService(atHost host: String) -> Bool {
        // Where the record can't be read, no login is sent.
        (try? read { try StoredOrigins($0).hasService(atHost: host) }) ?? true
    }
}

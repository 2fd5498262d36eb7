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
        /// The names of the services whose logins are sent there.
        fileprivate let logins: [String]
    }

    package func all() throws -> [Row] {
        try database.all("SELECT origin, is_service, allows_http, login FROM typed_origins") {
            Row(
                origin: $0.text(0) ?? "", use: OriginUse(isService: $0.bool(1), allowsHTTP: $0.bool(2)),
                logins: Self.names($0.text(3)))
        }
    }

    /// Adds a row of another store.
    func add(_ row: Row) throws {
        try add(row.use, of: row.origin)
        for login in row.logins { try bind(login: login, to: row.origin) }
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
        for row in try all() where row.origin == origin || row.logins.contains(name) {
            let others = row.logins.filter { $0 != name }
            try set(row.origin == origin ? others + [name] : others, of: row.origin)
        }
    }

    private func set(_ logins: [String], of origin: String) throws {
        try database.run(
            "UPDATE typed_origins SET login = nullif(?, '') WHERE origin = ?",
            [.text(logins.sorted().joined(separator: "\n")), .text(origin)])
    }

    /// Names of services, each on a line.
    private static func names(_ text: String?) -> [String] { (text ?? "").split(separator: "\n").map(String.init) }

    /// Whether the login of a service's name is for one of some origins.
    func isBound(login name: String, to origins: [String]) throws -> Bool {
        try all().contains { $0.logins.contains(name) && origins.contains($0.origin) }
    }

    /// Forgets an origin, as if nobody had typed it.
    package func forget(_ origin: String) throws {
        try database.run("DELETE FROM typed_origins WHERE origin = ?", [.text(origin)])
    }

    /// Forgets that there was a service at the origins of an address, unless another one there is followed.
    package func forgetService(at origins: [String]) throws {
        let others = try services("followed_at NOT NULL")
        for origin in origins where !others.contains(where: { Self.isAt(origin, $0.url) }) {
            try database.run(
                "UPDATE typed_origins SET (is_service, login) = (0, NULL) WHERE origin = ?", [.text(origin)])
        }
    }

    /// The services that meet a condition, with their addresses, which may have the name of a user.
    private func services(_ condition: String) throws -> [(key: Int64, url: URL)] {
        try database.all(
            "SELECT key, address FROM sources WHERE kind = ? AND \(condition)", [.text(SourceID.serviceKind)]
        ) { row in URL(address: row.text(1) ?? "").map { (row.integer(0), $0) } }.compactMap(\.self)
    }

    /// Whether an address is at an origin, such as `https://example.org`.
    private static func isAt(_ origin: String, _ url: URL) -> Bool {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return false }
        (parts.user, parts.password, parts.percentEncodedPath, parts.query, parts.fragment) = (nil, nil, "", nil, nil)
        return parts.string == origin
    }

    /// Whether there is a sync server on a host, also one that the user has yet to confirm.
    func hasService(atHost host: String) throws -> Bool {
        try services("1").contains { $0.url.host?.lowercased() == host }
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
        for service in try services("problem LIKE '\(RefreshProblem.unconfirmed.rawValue)%'")
        where Self.isAt(origin, service.url) {
            try database.run(
                "UPDATE sources SET (problem, due_at, asked_at) = (NULL, NULL, NULL) WHERE key = ?",
                [.integer(service.key)])
        }
    }
}

extension PostStore: OriginRecord {
    package func use(of origins: [String]) -> OriginUse? { try? read { try StoredOrigins($0).use(of: origins) } }

    package func isBound(login name: String, to origins: [String]) -> Bool {
        (try? read { try StoredOrigins($0).isBound(login: name, to: origins) }) ?? false
    }

    package func hasService(atHost host: String) -> Bool {
        // Where the record can't be read, no login is sent.
        (try? read { try StoredOrigins($0).hasService(atHost: host) }) ?? true
    }
}

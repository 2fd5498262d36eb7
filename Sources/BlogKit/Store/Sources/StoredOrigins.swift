import BlogEssentials
import BlogModel

/// The `typed_origins` table: the origins of addresses that the user has typed.
///
/// Only what the user types here adds to it: neither an import nor what a server says. Exports leave it out.
struct StoredOrigins {
    private let database: Database

    init(_ database: Database) { self.database = database }

    func use(of origins: [String]) throws -> OriginUse? {
        let uses = try origins.compactMap { origin in
            try database.first("SELECT is_service, allows_http FROM typed_origins WHERE origin = ?", [.text(origin)]) {
                OriginUse(isService: $0.bool(0), allowsHTTP: $0.bool(1))
            }
        }
        return uses.reduce(nil) { $0?.merged(with: $1) ?? $1 }
    }

    /// Whether there is a sync server on a host, also one that the user has yet to confirm.
    func hasService(atHost host: String) throws -> Bool {
        let services = try database.all("SELECT address FROM sources WHERE kind = ?", [.text(SourceID.serviceKind)]) {
            URL(address: $0.text(0) ?? "")?.host?.lowercased()
        }
        return services.contains(host)
    }

    /// Adds a use of an origin to its earlier ones, and lets what waited for it be asked.
    func add(_ use: OriginUse, of origin: String) throws {
        let known = try self.use(of: [origin])
        let use = use.merged(with: known)
        if use == known { return }
        try database.run(
            "INSERT OR REPLACE INTO typed_origins (origin, is_service, allows_http) VALUES (?, ?, ?)",
            [.text(origin), .integer(use.isService ? 1 : 0), .integer(use.allowsHTTP ? 1 : 0)])
        // The addresses between `https://example.org/` and `https://example.org0`, for which there is an index.
        try database.run(
            """
            UPDATE sources SET (problem, due_at, asked_at) = (NULL, NULL, NULL)
            WHERE (address BETWEEN ?1 || '/' AND ?1 || '0' OR address = ?1) AND problem LIKE ?2
            """, [.text(origin), .text("\(RefreshProblem.unconfirmed.rawValue)%")])
    }
}

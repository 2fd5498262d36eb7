import Foundation

/// How long the routes of a data folder take, from its `routes.json`.
struct RouteTimings: Sendable {
    private let routes: [String: Timing]

    /// What is said of one route, or with `/*` at its end of all below one.
    struct Timing: Decodable, Sendable {
        /// Milliseconds before the response begins.
        var delay: Int?
        /// The size in bytes to which a post's body is made to grow, by repeating it.
        var grow: Int?
        /// The milliseconds over which a grown body trickles in.
        var over: Int?
    }

    /// No timings.
    init() {
        routes = [:]
    }

    /// The timings in a folder; none if it has no `routes.json`.
    ///
    /// Throws for one that can't be read.
    init(folder: URL) throws {
        let file = folder.appending(path: "routes.json")
        guard let data = FileManager.default.contents(atPath: file.path) else {
            routes = [:]
            return
        }
        do {
            routes = try JSONDecoder().decode([String: Timing].self, from: data)
        } catch {
            throw MockServerError(message: "\(file.path) is no object of routes with numbers for delay, grow, over")
        }
    }

    subscript(path: String) -> Timing? {
        let parent = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex) + "/*"
        return routes[path] ?? routes[String(parent)]
    }
}

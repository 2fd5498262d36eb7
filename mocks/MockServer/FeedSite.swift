import Foundation

/// Small blogs with feeds of every format, below `/feeds/`: the files of a folder, and any number of generated feeds at
/// `/feeds/many/1`, `/feeds/many/2` and so on.
///
/// The folder's `routes.json` has paths with other media types, redirects, errors or passwords.
public struct FeedSite: MockSite {
    private struct Route: Decodable, Sendable {
        /// The target of a redirect, with the status 301 by default.
        var movedTo: String?
        /// The status of an error.
        var status: Int?
        /// The `Content-Type`; by default that of the file extension.
        var type: String?
        /// The required login (RFC 7617).
        var user: String?
        var password: String?
    }

    private let folder: URL
    private let routes: [String: Route]

    /// Throws a ``MockServerError`` if the folder has no `index.html`, or if `routes.json` can't be decoded.
    public init(folder: URL) throws {
        guard FileManager.default.fileExists(atPath: folder.appending(path: "index.html").path) else {
            throw MockServerError(message: "\(folder.path) has no index.html")
        }
        routes = try ServedFile.routes(in: folder)
        self.folder = folder
    }

    /// The response to a request; nil if the path isn't below `/feeds`.
    public func response(to request: MockRequest) -> MockResponse? {
        let segments = request.segments
        guard segments.first == "feeds" else { return nil }
        if segments.count == 3, segments[1] == "many" {
            return Int(segments[2]).flatMap { MadeUpFeed(number: $0) }?.response ?? .error(404, "no such feed")
        }
        let route = routes["/" + segments.joined(separator: "/")]
        if let route, let refusal = Self.refusal(route, request) { return refusal }
        let name = segments.dropFirst().joined(separator: "/")
        if let page = file(name.isEmpty ? "index.html" : name + "/index.html", type: nil) {
            // Its links are relative to the folder.
            return request.path.hasSuffix("/") ? page : Self.moved(to: request.path + "/", status: 301)
        }
        return file(name, type: route?.type) ?? .error(404, "not found")
    }

    /// The response instead of the file; nil if the file may be served.
    private static func refusal(_ route: Route, _ request: MockRequest) -> MockResponse? {
        if let target = route.movedTo { return moved(to: target, status: route.status ?? 301) }
        if let status = route.status { return .error(status, "gone for good") }
        guard let user = route.user else { return nil }
        let login = Data("\(user):\(route.password ?? "")".utf8).base64EncodedString()
        guard request.headers["authorization"] != "Basic \(login)" else { return nil }
        var refusal = MockResponse.error(401, "for members only")
        refusal.headers["WWW-Authenticate"] = #"Basic realm="members", charset="UTF-8""#
        return refusal
    }

    private static func moved(to target: String, status: Int) -> MockResponse {
        MockResponse(status: status, headers: ["Location": target])
    }

    private func file(_ name: String, type: String?) -> MockResponse? {
        name == "routes.json" ? nil : ServedFile(name, in: folder)?.response(as: type)
    }
}

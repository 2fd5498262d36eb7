import Foundation

/// Detects the kind of source at an address, with requests to its server.
struct SourceDetection {
    let library: Library
    let url: URL

    /// The source at the address, whose list is stored then.
    ///
    /// Throws ``LibraryError/notASource(_:found:)`` if it is none, or an ``HTTPError`` if it can't be reached.
    func refreshed() async throws -> (SourceID, RefreshReport) {
        var firstError: HTTPError?
        for kind in SourceRegistry.kinds {
            let id = SourceID(kind: kind.name, address: url.absoluteString)
            do {
                let report = try await library.reader(of: id).refreshed(respectsMaxAge: false)
                if case .failed(let error, _) = report.outcome { throw error }
                return (id, report)
            } catch LibraryError.unreachable(let error) {
                // If the server can't be reached, the other kinds are not tried.
                throw error
            } catch let error as HTTPError {
                guard case .status = error else { throw error }
                firstError = firstError ?? error
            } catch is SourceError {}
        }
        throw try await whatIsThere(firstError)
    }

    /// A description of the response at the address.
    private func whatIsThere(_ error: HTTPError?) async throws -> any Error {
        let response: HTTPResponse
        do {
            response = try await library.request(url, limit: HTTPLimits.recordBytes)
        } catch let missing as HTTPError {
            if case .status(_, let code, _) = missing, code == 404 || code == 410 {
                return LibraryError.notASource(url, found: "no page")
            }
            return error ?? missing
        }
        var start: [UInt8] = []
        while start.count < 512, let chunk = try await response.body.next() { start += chunk }
        return LibraryError.notASource(url, found: Self.description(of: start))
    }

    private static func description(of start: [UInt8]) -> String {
        let text = String(decoding: start.prefix(512), as: UTF8.self).lowercased()
            .trimmingCharacters(in: .whitespacesAndNewlines.union(["\u{FEFF}"]))
        if text.isEmpty { return "an empty page" }
        if text.hasPrefix("<!doctype html") || text.contains("<html") { return "a web page" }
        if text.hasPrefix("<") { return "XML" }
        if text.hasPrefix("{") || text.hasPrefix("[") { return "JSON of another kind" }
        return "something else"
    }
}

import Foundation

/// Finds out which kind of source an address is, by asking its server.
struct SourceDetection {
    let library: Library
    let url: URL

    /// The source at the address.
    ///
    /// Throws ``LibraryError/notASource(_:found:)`` where it is none, or an ``HTTPError`` where it can't be reached.
    func source() async throws -> SourceID {
        var firstError: HTTPError?
        for kind in SourceRegistry.kinds {
            let id = SourceID(kind: kind.name, address: url.absoluteString)
            guard let source = library.source(id) else { continue }
            do {
                if try await isListed(by: source) { return id }
            } catch let error as HTTPError {
                // A server that can't be reached is not asked again in other words.
                guard case .status = error else { throw error }
                firstError = firstError ?? error
            } catch is SourceError {}
        }
        throw try await whatIsThere(firstError)
    }

    private func isListed(by source: any Source) async throws -> Bool {
        switch try await source.refresh(nil, since: nil) {
        case .unchanged: return false
        case .ranking(let ids): return !ids.isEmpty
        case .entries(let entries, _, _):
            guard let batch = try await entries.next() else { return true }
            return !batch.entries.isEmpty
        }
    }

    /// What the address itself gives, in words.
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

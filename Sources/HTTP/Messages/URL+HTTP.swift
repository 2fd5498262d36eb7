import Foundation

extension URL {
    /// This address with path segments added, each encoded whole: a slash, a dot or a `?` in one stays a character
    /// of that segment and never becomes a path.
    ///
    /// - Parameter suffix: what stands at the end as it is, such as `.json`.
    package func appending(encodedPath segments: [String], suffix: String = "") -> URL {
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
        var path = components.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        for segment in segments { path += "/" + Self.encoded(segment) }
        components.percentEncodedPath = path + suffix
        return components.url ?? self
    }

    /// A text percent-encoded, so that it stands for nothing but itself in a path or a query.
    static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let hex = String(byte, radix: 16, uppercase: true)
                encoded += hex.count == 1 ? "%0\(hex)" : "%\(hex)"
            }
        }
        return encoded
    }
}

extension URL {
    /// The host in lower case with its port, which identifies a server.
    package var hostAndPort: String {
        (host ?? "").lowercased() + ":" + String(port ?? (scheme == "https" ? 443 : 80))
    }
}

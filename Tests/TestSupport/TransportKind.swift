import BlogHTTP
import BlogKit
import Testing

/// The transports of this platform.
package enum TransportKind: String, CaseIterable, CustomTestStringConvertible {
    #if os(Linux)
        case curl
    #endif
    case urlSession

    /// The transport that the command uses.
    package static var used: TransportKind { allCases[0] }

    /// A transport of this kind.
    package func make() -> any Transport {
        switch self {
        #if os(Linux)
            case .curl: CurlTransport()
        #endif
        case .urlSession: URLSessionTransport()
        }
    }

    package var testDescription: String { rawValue }
}

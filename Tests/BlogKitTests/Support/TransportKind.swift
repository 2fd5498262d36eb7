import BlogKit
import HTTP
import Testing

/// The transports of this platform.
enum TransportKind: String, CaseIterable, CustomTestStringConvertible {
    #if os(Linux)
        case curl
    #endif
    case urlSession

    /// The transport that the command uses.
    static var used: TransportKind { allCases[0] }

    /// A transport of this kind.
    func make() -> any Transport {
        switch self {
        #if os(Linux)
            case .curl: CurlTransport()
        #endif
        case .urlSession: URLSessionTransport()
        }
    }

    var testDescription: String { rawValue }
}

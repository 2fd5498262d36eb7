import BlogKit
import Foundation

extension HTTPActivity {
    /// The address of it, and whether a request has left and nothing of its answer has come.
    var awaited: (url: URL, isAwaited: Bool) {
        switch self {
        case .asking(let url): (url, true)
        case .receiving(let url, _, _), .answered(let url, _, _, _), .retrying(let url, _, _), .ended(let url),
            .waiting(let url, _):
            (url, false)
        }
    }

    /// What `--verbose` says of it; nil for what would only be noise.
    var detail: Message? {
        switch self {
        case .asking(let url): "GET \(url.absoluteString)"
        case .receiving: nil
        case .answered(let url, let status, let bytes, let seconds):
            "\(status) from \(url.absoluteString): \(bytes) bytes in \(Int((seconds * 1000).rounded())) ms"
        case .retrying(_, let error, let seconds):
            "\(Failure.text(error)) Trying again in \(Int((seconds * 1000).rounded())) ms."
        case .waiting(let url, let seconds):
            "waiting \(seconds.formatted(.number.precision(.fractionLength(1)))) s, as \(url.host ?? "") asked"
        case .ended: nil
        }
    }
}

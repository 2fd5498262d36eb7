import Foundation
import HTTP
import Terminal

extension HTTPActivity {
    /// What `--verbose` says of it; nil for what would only be noise.
    var detail: Message? {
        switch self {
        case .requesting(let url): "GET \(url.absoluteString)"
        case .receiving: nil
        case .received(let url, let status, let bytes, let seconds):
            "\(status) from \(url.absoluteString): \(bytes) bytes in \(Int((seconds * 1000).rounded())) ms"
        case .retrying(_, let error, let seconds):
            "\(Failure.text(error)); retrying in \(Int((seconds * 1000).rounded())) ms"
        case .waiting(let url, let seconds):
            "waiting \(seconds.formatted(.number.precision(.fractionLength(1)))) s: rate limited by \(url.host ?? "")"
        case .ended: nil
        }
    }
}

import BlogEssentials
import BlogHTTP
import BlogLibrary
import BlogModel
import BlogTerminal

extension HTTPActivity {
    /// What the progress line shows of it.
    var step: ProgressStep {
        switch self {
        case .requesting(let url, _): .requesting(host: url.host ?? "")
        case .receiving(_, let bytes, let total): .receiving(bytes: bytes, of: total)
        case .retrying(let url, _, let seconds), .waiting(let url, let seconds):
            .waiting(host: url.host, seconds: seconds)
        case .received: .received
        case .ended: .ended
        }
    }
}

extension SyncEvent {
    /// What the progress line shows of it.
    var step: ProgressStep {
        switch self {
        case .refreshed(let done, let total): .refreshed(done, of: total)
        case .planned(let count): .planned(count)
        case .pictures(let done, let total): .counted("pictures", done, of: total)
        case .articles(let done, let total): .counted("articles", done, of: total)
        case .fetching(let metadata): .began(metadata.title)
        case .done: .finished
        case .indexed(let count): .indexed(count)
        }
    }
}

import Foundation

/// Where on the network a request may go, with the redirects that it leads to.
package enum Reach: Hashable, Sendable {
    case anywhere
    /// The public internet, and one host wherever that is; nil for no other.
    case publicInternet(and: String?)

    /// Whether the address has to be one of the public internet.
    func isPublicOnly(_ url: URL) -> Bool {
        switch self {
        case .anywhere: false
        case .publicInternet(let other): other == nil || other?.lowercased() != url.host?.lowercased()
        }
    }
}

import Foundation

/// Where posts come from.
///
/// A source turns its own wire format into ``PostMetadata`` and bodies at once; nothing of the format leaves it. It is
/// a ``ListSource`` or an ``ItemSource``.
package protocol BlogSource: Sendable {
    /// The name that people type after `--source`.
    static var name: String { get }
    /// The address that tells this source's posts from those of others of its kind.
    var address: URL { get }
    /// What bodies are written in; nil where they may be anything.
    var bodyFormat: BodyFormat? { get }
}

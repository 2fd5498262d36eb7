import Foundation

/// A source whose lists are ids in an order of its own, and whose posts and comments come one by one.
///
/// All of these throw an ``HTTPError``, a ``SourceError`` or `CancellationError`.
package protocol ItemSource: BlogSource {
    /// The names of its lists, the usual one first.
    static var sections: [String] { get }
    /// The ids of a list in their order.
    func ranking(of section: String) async throws -> [String]
    /// A post, a comment or whatever else has an id; nil where there is none.
    func item(id: String) async throws -> Item?
    /// The page on the web where people discuss a post.
    func page(of id: String) -> URL?
}

import Foundation

/// Where posts come from.
///
/// Whatever a server speaks, a source hands out ``PostMetadata`` and ``Post``.
///
/// Every function throws an ``HTTPError`` or a ``SourceError``.
package protocol BlogSource: Sendable {
    /// The name that people type after `--source`.
    static var name: String { get }
    /// The address that tells this source's posts from those of others of its kind.
    var address: URL { get }
    /// What bodies are written in; nil where they may be anything.
    var bodyFormat: BodyFormat? { get }
    /// What the source lists now, or that it is what the validators stand for.
    func list(validators: CacheValidators?) async throws -> ListAnswer
    /// One post's metadata by its id.
    func metadata(id: String) async throws -> PostMetadata
    /// The body of a post, or that it is what the validators stand for.
    func body(of metadata: PostMetadata, validators: CacheValidators?) async throws -> BodyAnswer
}

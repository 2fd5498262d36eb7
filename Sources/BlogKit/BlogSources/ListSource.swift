/// A source that gives the metadata of all its posts in one response, and each body on its own.
///
/// All of these throw an ``HTTPError``, a ``SourceError`` or `CancellationError`, as reading what they give does.
package protocol ListSource: BlogSource {
    /// What the source lists now, or that it is what the validators stand for.
    func list(validators: CacheValidators?) async throws -> ListResponse
    /// One post's metadata by its id.
    func metadata(id: String) async throws -> PostMetadata
    /// The body of a post, or that it is what the validators stand for.
    ///
    /// - Parameter isShown: whether the text is wanted as soon as it arrives, at the price of no retry.
    func body(of metadata: PostMetadata, validators: CacheValidators?, isShown: Bool) async throws -> BodyResponse
}

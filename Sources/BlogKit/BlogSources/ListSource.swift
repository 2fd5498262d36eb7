/// A source that gives the metadata of all its posts in one answer, and each body on its own.
///
/// All of these throw an ``HTTPError``, a ``SourceError`` or `CancellationError`.
package protocol ListSource: BlogSource {
    /// What the source lists now, or that it is what the validators stand for.
    func list(validators: CacheValidators?) async throws -> ListAnswer
    /// One post's metadata by its id.
    func metadata(id: String) async throws -> PostMetadata
    /// The body of a post, or that it is what the validators stand for.
    ///
    /// What was received is worth nothing where this throws after all.
    func body(
        of metadata: PostMetadata, validators: CacheValidators?, receive: Receiver<String>
    ) async throws -> BodyAnswer
}

/// A source's answer to what a post says, its text apart, which went to the ``Receiver``.
package struct BodyAnswer: Sendable {
    /// Whether the server said that the body has not changed; then no text came.
    package let isUnchanged: Bool
    /// What to ask with next time.
    package let validators: CacheValidators

    package init(isUnchanged: Bool, validators: CacheValidators) {
        self.isUnchanged = isUnchanged
        self.validators = validators
    }
}

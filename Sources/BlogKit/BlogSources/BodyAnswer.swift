/// A source's answer to what a post says.
package struct BodyAnswer: Sendable {
    /// The body as published; nil where the server said that it has not changed.
    package let text: String?
    /// What to ask with next time.
    package let validators: CacheValidators

    package init(text: String?, validators: CacheValidators) {
        self.text = text
        self.validators = validators
    }
}

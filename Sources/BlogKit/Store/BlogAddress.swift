/// Tells one blog from all others: the same id at two addresses is two posts.
package struct BlogAddress: Hashable, Sendable {
    /// The name of the source.
    package let source: String
    package let address: String

    package init(source: String, address: String) {
        self.source = source
        self.address = address
    }
}

/// The root post of a thread.
public struct Story: Hashable, Sendable {
    /// The post's id.
    public let id: String
    /// The post's title.
    public let title: String

    package init(id: String, title: String) {
        self.id = id
        self.title = title
    }
}

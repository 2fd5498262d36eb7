/// A group's header: its posts follow it in the list.
public struct PostGroup: Hashable, Sendable {
    /// What the posts have in common: "Kerri Miller", "August 2018" or "B".
    public let name: String
    /// How many posts of the list are in the group.
    public let count: Int

    /// A group of that name and size.
    public init(name: String, count: Int) {
        self.name = name
        self.count = count
    }
}

/// Numbers of things as messages have them.
enum Counted {
    /// "1 post", "12 posts".
    static func posts(_ count: Int) -> String { count == 1 ? "1 post" : "\(count) posts" }
}

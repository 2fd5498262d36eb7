/// Turns records into text, one at a time, so that a long list needs no more memory than a short one.
package protocol Renderer {
    /// What comes before the first record.
    mutating func start() -> String
    /// What comes before the first record of a group.
    mutating func group(_ group: PostGroup) -> String
    /// One record.
    mutating func record(_ record: Record) -> String
    /// What comes after the last record.
    mutating func end() -> String
}

extension Renderer {
    package mutating func start() -> String { "" }
    package mutating func group(_ group: PostGroup) -> String { "" }
    package mutating func end() -> String { "" }
}

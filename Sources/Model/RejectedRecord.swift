/// A record of a list that was left out.
public struct RejectedRecord: Hashable, Sendable {
    /// Its place in the list, starting at 0.
    public let index: Int
    /// The field that is missing or wrong, for example `author.name`; "" if the record itself is no object.
    public let field: String
    /// What is wrong with the field, as the end of a sentence: "is missing".
    public let reason: String

    /// The record's id, where that can be read.
    public let id: String?

    package init(index: Int, field: String, reason: String, id: String? = nil) {
        self.id = id
        self.index = index
        self.field = field
        self.reason = reason
    }
}

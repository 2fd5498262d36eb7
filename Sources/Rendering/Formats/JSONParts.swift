import Model

/// A record that is written as JSON while its body is read part by part.
struct JSONParts {
    let object: JSONRecord
    let withGroup: Bool
    /// What follows the body that is being written; nil if none is.
    private var tail: String?

    init(_ object: JSONRecord, withGroup: Bool) {
        self.object = object
        self.withGroup = withGroup
    }

    /// Whether a part of the record was written.
    var isOpen: Bool { tail != nil }

    /// A part of the body, and in front of the first what comes before it; nil if no body is wanted.
    mutating func add(_ text: String, of metadata: PostMetadata) -> String? {
        if tail != nil { return JSONText.part(text) }
        guard let (head, tail) = object.around(bodyOf: Record(metadata), withGroup: withGroup) else { return nil }
        self.tail = tail
        return head + JSONText.part(text)
    }

    /// The record, or where its body was written what follows that.
    mutating func end(_ record: Record) -> String {
        defer { tail = nil }
        return tail ?? object.text(record, withGroup: withGroup)
    }

    /// Forgets a record of which a part was written.
    mutating func giveUp() { tail = nil }
}

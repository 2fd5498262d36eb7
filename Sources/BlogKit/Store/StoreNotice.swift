/// Why what is seen now will not be kept.
public enum StoreNotice: Hashable, Sendable {
    /// The store's place can't be written to.
    case notWritable
    /// The disk is full.
    case diskFull
}

extension StoreNotice {
    /// What to say where a failure of SQLite means only that nothing more can be written; nil for any other.
    init?(_ error: DatabaseError) {
        switch error.kind {
        case .full: self = .diskFull
        case .notWritable: self = .notWritable
        case .damaged, .busy, .other: return nil
        }
    }
}

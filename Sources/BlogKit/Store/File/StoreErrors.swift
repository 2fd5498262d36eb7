import BlogModel

extension StoreError {
    /// Runs some work on the store at a path and rethrows its errors as ``StoreError``.
    package static func mapped<Result>(_ path: String, _ work: () throws -> Result) throws -> Result {
        do {
            return try work()
        } catch let reason as Reason {
            throw StoreError(path: path, reason: reason)
        } catch let error as DatabaseError {
            throw StoreError(path: path, reason: Reason(error))
        }
    }
}

extension StoreError.Reason {
    init(_ error: DatabaseError) {
        switch error.kind {
        case .damaged: self = .damaged
        case .busy: self = .busy
        case .full, .notWritable, .tooLong, .tooSlow, .other: self = .failed(error.message)
        }
    }
}

extension StoreNotice {
    /// The notice for an SQLite error that only prevents writing; nil for any other error.
    init?(_ error: DatabaseError) {
        switch error.kind {
        case .full: self = .diskFull
        case .notWritable: self = .notWritable
        case .damaged, .busy, .tooLong, .tooSlow, .other: return nil
        }
    }
}

import BlogEssentials

/// Looks at the files of a store every two seconds while it exists, on a thread of its own: a task would wake up several
/// threads.
final class StoreWatch: Sendable {
    /// Calls `onChange` after each change of the files, also by this process, and `onMinute` every minute.
    init(
        path: String, every seconds: Double, minute: Double, onChange: @escaping @Sendable () -> Void,
        onMinute: @escaping @Sendable () -> Void
    ) {
        DetachedThread.start { [weak self] in
            var (state, waited) = (Self.state(path), 0.0)
            while self != nil {
                usleep(UInt32(seconds * 1e6))
                let new = Self.state(path)
                if new != state { onChange() }
                (state, waited) = (new, waited + seconds)
                guard waited >= minute else { continue }
                waited = 0
                onMinute()
            }
        }
    }

    /// The times and sizes of the database and its write-ahead log.
    private static func state(_ path: String) -> [Date] {
        ["", "-wal"].map { suffix in
            let facts = FileFacts(path: path + suffix, followsLinks: true)
            return facts.map { $0.modified.addingTimeInterval(Double($0.size)) } ?? .distantPast
        }
    }
}

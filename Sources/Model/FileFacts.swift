import Essentials

/// The system's facts about a file; a link's own, not those of its target.
///
/// In the attributes that FileManager gives, a number's type depends on the part of Foundation that is linked.
package struct FileFacts: Sendable {
    /// In bytes.
    package let size: Int
    /// Who may read, write and run it.
    package let permissions: Int
    package let isRegular: Bool
    package let modified: Date

    /// Nil if there is no such file.
    package init?(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        size = Int(status.st_size)
        permissions = Int(status.st_mode & 0o7777)
        isRegular = status.st_mode & S_IFMT == S_IFREG
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        modified = Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }
}

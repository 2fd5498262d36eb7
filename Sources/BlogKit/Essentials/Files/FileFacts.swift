/// The metadata of a file; symbolic links aren't followed.
///
/// With FileManager's attributes, the types of numbers depend on which part of Foundation is linked.
package struct FileFacts: Sendable {
    /// In bytes.
    package let size: Int
    /// The mode bits.
    package let permissions: Int
    package let isRegular: Bool
    /// The number of its names.
    package let links: Int
    package let modified: Date

    /// Nil if the file doesn't exist.
    ///
    /// - Parameter followsLinks: whether the facts are those of the file that a symbolic link leads to.
    package init?(path: String, followsLinks: Bool = false) {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        size = Int(status.st_size)
        permissions = Int(status.st_mode & 0o7777)
        isRegular = status.st_mode & S_IFMT == S_IFREG
        links = Int(status.st_nlink)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        modified = Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }
}

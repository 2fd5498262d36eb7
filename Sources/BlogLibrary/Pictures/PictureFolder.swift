import Essentials
import Model
import Synchronization

/// A folder of pictures that never grows beyond a limit: the least recently used are removed first.
///
/// Any number of processes may use it at once. A file is there whole or not at all, and what can't be written, because
/// the disk is full or read-only, is not kept.
final class PictureFolder: Sendable {
    private let path: String
    private let maxBytes: Int
    /// The bytes of all files when they were last counted, and the bytes added since; nil before that.
    private let used = Mutex<(counted: Int, added: Int)?>(nil)

    init(path: String, maxBytes: Int) {
        self.path = path
        self.maxBytes = maxBytes
    }

    /// Where the folder of a store is: beside its file.
    static func path(besideStore store: String) -> String { store + "-pictures" }

    /// Where a file of that name is.
    func path(of name: String) -> String { path + "/" + name }

    /// A file's data, which counts as a use; nil if there is none.
    func read(_ name: String) -> Data? {
        guard let data = FileManager.default.contents(atPath: path(of: name)) else { return nil }
        utimes(path(of: name), nil)
        return data
    }

    /// Whether there is a file of that name.
    func has(_ name: String) -> Bool { access(path(of: name), R_OK) == 0 }

    /// The bytes of a file that is used, but not read; nil if there is none.
    func use(_ name: String) -> Int? {
        guard utimes(path(of: name), nil) == 0 || has(name) else { return nil }
        return FileFacts(path: path(of: name))?.size
    }

    /// Writes a file, if that is possible.
    func write(_ data: Data, as name: String) {
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // A file is not seen before it is whole.
        let draft = path(of: UUID().uuidString + Self.draftSuffix)
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        let stream = FileStream(descriptor: file)
        let isWritten = (try? stream.write(Array(data))) != nil
        guard stream.close(), isWritten, rename(draft, path(of: name)) == 0 else {
            unlink(draft)
            return
        }
        shrink(after: data.count)
    }

    /// How many pictures there are, and their bytes.
    var facts: (count: Int, bytes: Int) {
        let files = files().filter { Self.isName($0.name) }
        return (files.count, files.reduce(0) { $0 + $1.bytes })
    }

    /// Removes all pictures.
    func clear() {
        for file in files() { unlink(path(of: file.name)) }
        used.withLock { $0 = nil }
        // Anything of others stays, and the folder with it.
        rmdir(path)
    }

    // MARK: Keeping to the limit

    private struct File {
        let name: String
        let bytes: Int
        let lastUse: Date
    }

    /// The files of ours: nothing is known of any other.
    private func files() -> [File] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { Self.isName($0) || $0.hasSuffix(Self.draftSuffix) }.compactMap { name in
            FileFacts(path: path(of: name)).map { File(name: name, bytes: $0.size, lastUse: $0.modified) }
        }
    }

    /// Removes files until the limit is kept.
    ///
    /// Other processes write too; so the files are counted again when a part of the limit has been added.
    private func shrink(after bytes: Int) {
        let isDue = used.withLock { used in
            guard let known = used else { return true }
            used = (known.counted, known.added + bytes)
            return known.counted + known.added + bytes > maxBytes || known.added + bytes > maxBytes / 16
        }
        guard isDue else { return }
        var files = files().sorted { $0.lastUse < $1.lastUse }[...]
        var total = files.reduce(0) { $0 + $1.bytes }
        // Drafts of processes that were killed; those of others that write now are younger.
        for file in files where !Self.isName(file.name) && file.lastUse.timeIntervalSinceNow < -Self.maxDraftAge {
            unlink(path(of: file.name))
            total -= file.bytes
        }
        while total > maxBytes, let oldest = files.popFirst() {
            guard Self.isName(oldest.name), unlink(path(of: oldest.name)) == 0 else { continue }
            total -= oldest.bytes
        }
        let counted = total
        used.withLock { $0 = (counted, 0) }
    }

    /// Whether a name is one that we give: a digest.
    private static func isName(_ name: String) -> Bool {
        name.utf8.count == 64 && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    private static let draftSuffix = ".part"
    /// Seconds after which a draft is no longer being written.
    private static let maxDraftAge: TimeInterval = 3600
}

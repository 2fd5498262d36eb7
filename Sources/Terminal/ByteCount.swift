/// Sizes as messages have them.
package enum ByteCount {
    /// "4 kB", "1.5 MB".
    package static func text(_ bytes: Int) -> String {
        bytes < 1_000_000 ? "\(max(1, bytes / 1000)) kB" : "\(bytes / 1_000_000).\(bytes / 100_000 % 10) MB"
    }
}

/// What a merge changed.
public struct MergeReport: Hashable, Sendable {
    /// Posts that were not stored before.
    public internal(set) var new = 0
    /// Posts of which something was changed.
    public internal(set) var changed = 0
    /// Posts that were stored just so.
    public internal(set) var unchanged = 0

    /// Posts in all.
    public var total: Int { new + changed + unchanged }

    /// A report of nothing.
    public init() {}

    /// Adds what another merge changed.
    public mutating func add(_ other: MergeReport) {
        new += other.new
        changed += other.changed
        unchanged += other.unchanged
    }
}

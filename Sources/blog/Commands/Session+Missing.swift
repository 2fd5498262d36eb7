import BlogCore

extension Session {
    /// Reports how many items could not be fetched, and why the first of them failed.
    ///
    /// Returns whether nothing failed; items that are missing because requests are off don't count as failures.
    func reportMissing(_ missing: MissingItems, _ what: (one: String, many: String)) async -> Bool {
        guard missing.count > 0 else { return true }
        let things = missing.count == 1 ? "1 \(what.one)" : "\(missing.count) \(what.many)"
        guard !isOffline else {
            await console.notice("\(things) not stored.")
            return true
        }
        let reason: Message =
            missing.firstError.map { " The first: \(Failure($0).message ?? "")" }
            ?? " The server has nothing under the id."
        await console.error("\(things) could not be fetched.\(reason)")
        return false
    }
}

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
        // A server may list what it has removed meanwhile.
        guard let error = missing.firstError else {
            await console.detail("\(things) left out: the server has nothing under the id.")
            return true
        }
        await console.error("\(things) could not be fetched. The first: \(Failure(error).message ?? "")")
        return false
    }
}

import BlogCore

extension Session {
    /// Says how many of some things could not be had, and why the first of them could not.
    ///
    /// Gives whether nothing failed: what is not there because nobody was to be asked did not.
    func tell(_ missing: MissingItems, _ what: (one: String, many: String)) async -> Bool {
        guard missing.count > 0 else { return true }
        let things = missing.count == 1 ? "1 \(what.one)" : "\(missing.count) \(what.many)"
        guard !isOffline else {
            await console.notice("\(things) not stored.")
            return true
        }
        let reason: Message =
            missing.firstError.map { " The first: \(Failure($0).message ?? "")" }
            ?? " The server has nothing under the id."
        await console.error("\(things) could not be had.\(reason)")
        return false
    }
}

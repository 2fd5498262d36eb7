import BlogKit

extension Session {
    /// Says how many of some things could not be had, and why the first of them could not.
    ///
    /// Gives whether nothing failed: what is not there because nobody was to be asked did not.
    func tell(_ missing: MissingItems, of what: String) async -> Bool {
        guard missing.count > 0 else { return true }
        let reason =
            missing.firstError.map { " The first: \(Failure($0).sentence ?? "")" }
            ?? (isOffline ? " They are not stored." : " The server has nothing under their ids.")
        await console.error("\(missing.count) \(what) could not be had.\(reason)")
        return isOffline
    }
}

import BlogCommandLine
import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

extension Invocation {
    /// The folder for pages; nil for none.
    func pageFolder() throws -> PageFolder? {
        guard let path = self[.output] else { return nil }
        guard format == .html else { throw UsageError.outputNeedsPages }
        return try PageFolder(path: path)
    }
}

extension Session {
    /// How to fetch the bodies of posts: without a number, only the front page of a ranked source is synced.
    func toFetchBodies(of posts: Int) -> Message {
        "To fetch the bodies: blog sync\(sourceArguments)\(capabilities.isRanked ? " --limit \(posts)" : "")"
    }

    /// Writes the pages of a list to a folder; returns whether the pages are complete.
    func write(
        _ list: PostList, by grouping: Grouping?, to folder: PageFolder, title: String
    ) async throws -> (ListPrinter.Printed, arePagesWhole: Bool) {
        let report = try await Site(pages, folder: folder, title: title).write(list, by: grouping)
        return (report.printed, await tell(report, folder))
    }

    /// Reports the pages that were written; returns whether all bodies could be fetched.
    private func tell(_ report: Site.Report, _ folder: PageFolder) async -> Bool {
        let count = report.printed.posts
        await console.notice(
            "Wrote \(folder.path)/\(PageFolder.index) and \(count == 1 ? "1 page" : "\(count) pages").")
        if report.notStored > 0 {
            let (posts, have) = (Counted.posts(report.notStored), report.notStored == 1 ? "has" : "have")
            await console.notice("\(posts) \(have) no stored body. \(toFetchBodies(of: count))")
        }
        if capabilities.hasComments {
            await console.notice(
                "Only stored comments are included. To fetch the others: blog sync --comments\(sourceArguments)")
        }
        guard let error = report.failures.first else { return true }
        await console.error(
            "Could not fetch \(Counted.bodies(report.failures.count)): \(Failure.cause(error))")
        return false
    }
}

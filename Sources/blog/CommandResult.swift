import BlogMarkup
import BlogCommandLine
import BlogEssentials
import BlogHTTP
import BlogLibrary
import BlogRendering
import BlogTerminal

/// The outcome of a command, which decides its exit code.
struct CommandResult {
    /// How many parts of the work, such as IDs or sources, succeeded.
    var succeeded = 0
    /// Why the others failed, in order.
    private(set) var failures: [ExitCode] = []
    /// Whether something is missing from the output, or was lost.
    var isIncomplete = false
    /// How many posts the output has; nil if that doesn't matter.
    var posts: Int?
    /// Whether it is a failure to find no posts.
    var mustFindPosts = false

    init() {}

    /// The result of a command that ended with an error.
    init(_ error: any Error) { fail(error) }

    /// Counts a part of the work that failed.
    ///
    /// - Parameter hasCopy: whether there is something stored to show; without it, a server that can't be reached means
    ///   that there is nothing.
    mutating func fail(_ error: any Error, hasCopy: Bool = true) {
        let isUnreachable = (error as? HTTPError)?.isUnreachable == true
        failures.append(isUnreachable && !hasCopy ? .unavailable : ExitCode(error))
    }

    /// Counts a failed part of the work whose error has no exit code of its own.
    mutating func fail() { failures.append(.failed) }

    /// The exit code; docs/exit-codes.md describes each.
    var exitCode: ExitCode {
        if let first = failures.first { return succeeded == 0 ? first : .partialFailure }
        if isIncomplete { return posts == 0 ? .failed : .partialFailure }
        return mustFindPosts && posts == 0 ? .noSuchPost : .success
    }
}

extension ExitCode {
    /// The code of an error that ends the command.
    init(_ error: any Error) { self = Explanation(of: (error as? ErrorInContext)?.error ?? error).exitCode }
}

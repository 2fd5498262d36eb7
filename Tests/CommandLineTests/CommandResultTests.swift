import BlogMarkup
import BlogLibrary
import Testing
@testable import blog

@Suite("The exit code") struct CommandResultTests {
    private static let missing = LibraryError.noSuchPost("7")
    private static let ambiguous = LibraryError.ambiguous("7", candidates: [])

    private func result(
        succeeded: Int = 0, errors: [any Error] = [], isIncomplete: Bool = false, posts: Int? = nil,
        mustFindPosts: Bool = false
    ) -> CommandResult {
        var result = CommandResult()
        for error in errors { result.fail(error) }
        result.succeeded = succeeded
        (result.isIncomplete, result.posts, result.mustFindPosts) = (isIncomplete, posts, mustFindPosts)
        return result
    }

    @Test("is that of the first error if all parts of the work failed, and 5 if only some did")
    func parts() {
        #expect(result(succeeded: 2).exitCode == .success)
        #expect(result(errors: [Self.missing, Self.missing]).exitCode == .noSuchPost)
        #expect(result(errors: [Self.ambiguous, Self.missing]).exitCode == .usage)
        #expect(result(succeeded: 1, errors: [Self.missing]).exitCode == .partialFailure)
        #expect(result(errors: [Self.missing], isIncomplete: true, posts: 3).exitCode == .noSuchPost)
    }

    @Test("is 5 if something is missing from the output, and 1 if all of it is")
    func missing() {
        #expect(result(succeeded: 1, isIncomplete: true).exitCode == .partialFailure)
        #expect(result(succeeded: 1, isIncomplete: true, posts: 3).exitCode == .partialFailure)
        #expect(result(succeeded: 1, isIncomplete: true, posts: 0).exitCode == .failed)
    }

    @Test("is 3 without matching posts only if that is asked for")
    func matches() {
        #expect(result(posts: 0).exitCode == .success)
        #expect(result(posts: 0, mustFindPosts: true).exitCode == .noSuchPost)
        #expect(result(posts: 2, mustFindPosts: true).exitCode == .success)
    }
}

import Foundation

/// How output is to look, decided once from the options, the environment and the terminal.
struct Appearance: Sendable {
    /// Whether stdout is a terminal.
    let isTerminal: Bool
    /// Whether stdout gets colours.
    let isColored: Bool
    /// Columns to fill.
    let width: Int
    /// Whether the user asked for this width.
    let isWidthGiven: Bool
    /// The rows of the terminal, beyond which a pager is started; nil for no pager.
    let rows: Int?
    /// Whether a moving line may show on stderr what is being waited for.
    let showsProgress: Bool
    let isQuiet: Bool
    let isVerbose: Bool

    /// What is right for a program that was started so.
    ///
    /// The rules: https://no-color.org, https://bixense.com/clicolors, and `TERM=dumb` for a terminal that can't.
    init(_ invocation: Invocation, _ environment: Environment, output: FileStream, errors: FileStream) throws {
        isTerminal = output.isTerminal
        let isDumb = environment["TERM"] == "dumb"
        let isForced = environment["CLICOLOR_FORCE"].map { $0 != "0" } ?? false
        switch invocation[.color] {
        case "always": isColored = true
        case "never": isColored = false
        default:
            isColored = environment["NO_COLOR"] == nil && (isForced || isTerminal && !isDumb)
        }
        let given = try invocation.count(.width).map(Self.bounded)
        let size = output.size
        width =
            given ?? environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? Self.bounded($0) : nil } ?? size?
            .columns ?? 80
        isWidthGiven = given != nil
        rows = isTerminal && !isDumb && !invocation.has(.noPager) ? size?.rows : nil
        isQuiet = invocation.has(.quiet)
        isVerbose = invocation.has(.verbose)
        showsProgress = errors.isTerminal && !isDumb && !isQuiet && !isVerbose
    }

    /// Fewer columns hold no card, and more are no terminal.
    private static func bounded(_ width: Int) -> Int { min(max(width, 20), 1000) }
}

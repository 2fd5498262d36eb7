import BlogCore
import Foundation

/// How output is to look, decided once from the options, the environment and the terminal.
struct Appearance: Sendable {
    /// Whether stdout is a terminal.
    let isTerminal: Bool
    /// Whether the output is for people: on a terminal, or with colour forced, as for a preview.
    let isForPeople: Bool
    /// Whether stdout gets colours.
    let isColored: Bool
    /// Whether links are made for the terminal to follow.
    let hasHyperlinks: Bool
    /// Columns to fill.
    let width: Int
    /// Whether the width was given by the user.
    let isWidthGiven: Bool
    /// The rows of the terminal, beyond which a pager is started; nil for no pager.
    let rows: Int?
    /// Whether a progress line may be shown on stderr.
    let showsProgress: Bool
    let isQuiet: Bool
    let isVerbose: Bool
    /// Whether pictures are shown where they can be.
    let hasPictures: Bool
    /// Whether the user wants pictures wherever they may go.
    let hasPicturesAlways: Bool
    /// Whether other people's text in CSV is kept from being a formula in a spreadsheet.
    let isCSVSafe: Bool
    /// Whether text is all that can be shown, or all that is read out.
    private let isTextOnly: Bool
    /// Whether what happened a short while ago is dated by its age.
    private let hasAges: Bool

    /// The appearance for a command line, an environment and the standard streams.
    ///
    /// The rules: https://no-color.org, https://bixense.com/clicolors, and `TERM=dumb` for a terminal that can't.
    init(_ invocation: Invocation, _ environment: Environment, output: FileStream, errors: FileStream) throws {
        isTerminal = output.isTerminal
        hasPicturesAlways = invocation[.images] == "always"
        isForPeople = output.isTerminal || invocation[.color] == "always" || hasPicturesAlways
        let isDumb = environment["TERM"] == "dumb"
        isTextOnly = isDumb || environment.isSet("ACCESSIBLE")
        hasPictures = invocation[.images] != "never" && (hasPicturesAlways || isTerminal && !isTextOnly)
        let isForced = environment["CLICOLOR_FORCE"].map { $0 != "0" } ?? false
        switch invocation[.color] {
        case _ where try invocation.format() == .text: isColored = false
        case "always": isColored = true
        case "never": isColored = false
        default:
            isColored = environment["NO_COLOR"] == nil && (isForced || isTerminal && !isDumb)
        }
        switch invocation[.hyperlinks] {
        case "always": hasHyperlinks = isColored
        case "never": hasHyperlinks = false
        default: hasHyperlinks = isColored && isTerminal && Self.takesHyperlinks(environment)
        }
        let given = try invocation.count(.width, atLeast: Self.minWidth).map(Self.bounded)
        let size = output.size
        width =
            given ?? environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? Self.bounded($0) : nil } ?? size?
            .columns ?? 80
        isWidthGiven = given != nil
        rows = isTerminal && !isDumb && !invocation.has(.noPager) ? size?.rows : nil
        isQuiet = invocation.has(.quiet)
        hasAges = invocation[.dates] != "absolute"
        isVerbose = invocation.has(.verbose)
        isCSVSafe = invocation[.csvSafe] != "never"
        showsProgress = errors.isTerminal && !isDumb && !isQuiet && !isVerbose
    }

    /// The screen for renderers.
    ///
    /// - Parameters:
    ///   - width: the columns to fill; nil for all.
    ///   - isForPrograms: whether dates are for programs to read.
    ///   - hasPictures: whether there may be places for pictures.
    func screen(
        now: Date, width: Int? = nil, isForPrograms: Bool = false, hasPictures: Bool = false
    ) -> Screen {
        Screen(
            width: width ?? self.width, isColored: isColored, hasHyperlinks: hasHyperlinks,
            hasPictures: hasPictures && self.hasPictures, hasMaps: !isForPrograms && !isTextOnly,
            dates: DateText(now: now, form: isForPrograms ? .utc : hasAges ? .relative : .absolute))
    }

    /// Whether the terminal is one of those that are known to take OSC 8; others show its text as garbage.
    private static func takesHyperlinks(_ environment: Environment) -> Bool {
        let known = ["KITTY_WINDOW_ID", "WT_SESSION", "KONSOLE_VERSION", "WEZTERM_PANE", "GHOSTTY_RESOURCES_DIR"]
        if known.contains(where: environment.isSet) { return true }
        if let vte = environment["VTE_VERSION"].flatMap({ Int($0) }), vte >= 5000 { return true }
        if ["iTerm.app", "vscode", "WezTerm", "ghostty"].contains(environment["TERM_PROGRAM"] ?? "") { return true }
        return ["xterm-kitty", "alacritty", "foot", "xterm-ghostty"].contains(environment["TERM"] ?? "")
    }

    /// Fewer columns hold no card.
    private static let minWidth = Screen.minWidth

    /// As many columns as can be filled; more than a thousand are no terminal.
    private static func bounded(_ width: Int) -> Int { min(max(width, minWidth), 1000) }
}

import BlogLibrary
import Essentials
import Rendering

/// The look of the output, decided once from the options, the environment and the terminal.
package struct Appearance: Sendable {
    /// Whether stdout is a terminal.
    package let isTerminal: Bool
    /// Whether the output is for people: on a terminal, or with colour forced, as for a preview.
    package let isForPeople: Bool
    /// Whether stdout gets colours.
    let isColored: Bool
    /// Whether links are made for the terminal to follow.
    package let hasHyperlinks: Bool
    /// Columns to fill.
    package let width: Int
    /// Whether the width was given by the user.
    package let isWidthGiven: Bool
    /// The rows of the terminal, beyond which a pager is started; nil for no pager.
    let rows: Int?
    /// Whether a progress line may be shown on stderr.
    package let showsProgress: Bool
    package let isQuiet: Bool
    package let isVerbose: Bool
    /// Whether pictures are shown where they can be.
    package let hasPictures: Bool
    /// Whether the user wants pictures wherever they may go.
    let hasPicturesAlways: Bool
    /// Whether other people's text in CSV is kept from being a formula in a spreadsheet.
    package let isCSVSafe: Bool
    /// Whether text is printed as it came, not sanitized.
    let isRaw: Bool
    /// Whether only text can be shown, or read out.
    package let isTextOnly: Bool
    /// Whether what happened a short while ago is dated by its age.
    private let hasAges: Bool

    /// When something is shown: always, never, or if the terminal supports it (`auto`).
    package enum When: String, Sendable {
        case always
        case never
        case auto
    }

    /// The user's choices.
    package struct Options: Sendable {
        package var images = When.auto
        package var color = When.auto
        package var hyperlinks = When.auto
        /// Whether the format is text, which has no colour.
        package var isText = false
        /// The columns to fill; nil for those of the terminal.
        package var width: Int?
        package var hasPager = true
        package var isQuiet = false
        package var isVerbose = false
        package var hasAges = true
        package var isCSVSafe = true
        /// Whether text is printed as it came, not sanitized.
        package var isRaw = false

        package init() {}
    }

    /// The appearance for some options, an environment and the standard streams.
    ///
    /// The rules: https://no-color.org, https://bixense.com/clicolors, and `TERM=dumb` for a terminal that can't.
    init(_ options: Options, _ environment: Environment, output: FileStream, errors: FileStream) {
        isTerminal = output.isTerminal
        hasPicturesAlways = options.images == .always
        isForPeople = output.isTerminal || options.color == .always || hasPicturesAlways
        let isDumb = environment["TERM"] == "dumb"
        isTextOnly = isDumb || environment["ACCESSIBLE"].map { !["0", "false"].contains($0) } ?? false
        hasPictures = options.images != .never && (hasPicturesAlways || isTerminal && !isTextOnly)
        let isForced = environment["CLICOLOR_FORCE"].map { $0 != "0" } ?? false
        switch options.color {
        case _ where options.isText: isColored = false
        case .always: isColored = true
        case .never: isColored = false
        case .auto: isColored = environment["NO_COLOR"] == nil && (isForced || isTerminal && !isDumb)
        }
        switch options.hyperlinks {
        case .always: hasHyperlinks = isColored
        case .never: hasHyperlinks = false
        case .auto: hasHyperlinks = isColored && isTerminal && Self.takesHyperlinks(environment)
        }
        let size = output.size
        let columns = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        width = (options.width ?? columns).map(Self.bounded) ?? size?.columns ?? 80
        isWidthGiven = options.width != nil
        rows = isTerminal && !isDumb && options.hasPager ? size?.rows : nil
        isQuiet = options.isQuiet
        hasAges = options.hasAges
        isVerbose = options.isVerbose
        isCSVSafe = options.isCSVSafe
        isRaw = options.isRaw
        showsProgress = errors.isTerminal && !isDumb && !isQuiet && !isVerbose
    }

    /// The screen for renderers.
    ///
    /// - Parameters:
    ///   - width: the columns to fill; nil for all.
    ///   - isForPrograms: whether dates are for programs to read.
    ///   - hasPictures: whether there may be places for pictures.
    package func screen(
        now: Date, width: Int? = nil, isForPrograms: Bool = false, hasPictures: Bool = false
    ) -> Screen {
        Screen(
            width: width ?? self.width, isColored: isColored, hasHyperlinks: hasHyperlinks,
            hasPictures: hasPictures && self.hasPictures, hasMaps: !isForPrograms && !isTextOnly,
            dates: DateText(now: now, form: isForPrograms ? .utc : hasAges ? .relative : .absolute))
    }

    /// Whether several posts are read on the full screen: not where the user chose a pager, or none, or text only.
    package func opensScreen(_ environment: Environment) -> Bool {
        isTerminal && rows != nil && !isTextOnly && isatty(STDIN_FILENO) == 1 && environment["BLOG_PAGER"] == nil
    }

    /// The screen for posts on the full screen, where links have numbers to be chosen by.
    package func fullScreen(now: Date, width: Int, hasPictures: Bool) -> Screen {
        Screen(
            width: width, isColored: true, hasHyperlinks: false, hasPictures: hasPictures, hasMaps: !isTextOnly,
            dates: dates(now))
    }

    /// The screen for text that goes to a program: a paragraph is a line.
    package func plainScreen(now: Date) -> Screen {
        Screen(width: 1_000_000, isColored: false, dates: DateText(now: now, form: .utc))
    }

    /// How dates are written for people.
    package func dates(_ now: Date) -> DateText { DateText(now: now, form: hasAges ? .relative : .absolute) }

    /// Whether the terminal is one of those that are known to take OSC 8; others show its text as garbage.
    static func takesHyperlinks(_ environment: Environment) -> Bool {
        let known = ["KITTY_WINDOW_ID", "WT_SESSION", "KONSOLE_VERSION", "WEZTERM_PANE", "GHOSTTY_RESOURCES_DIR"]
        if known.contains(where: environment.isSet) { return true }
        if let vte = environment["VTE_VERSION"].flatMap({ Int($0) }), vte >= 5000 { return true }
        if ["iTerm.app", "vscode", "WezTerm", "ghostty"].contains(environment["TERM_PROGRAM"] ?? "") { return true }
        return ["xterm-kitty", "alacritty", "foot", "xterm-ghostty"].contains(environment["TERM"] ?? "")
    }

    /// A card doesn't fit into fewer columns.
    private static let minWidth = Screen.minWidth

    /// The width within bounds; no terminal has more than a thousand columns.
    private static func bounded(_ width: Int) -> Int { min(max(width, minWidth), 1000) }

    /// Facts in a format; without one, in columns on a terminal, or stacked if those are too wide, and tab-separated in
    /// a pipe.
    package func text(_ table: FactTable, as format: Format?) -> StyledText {
        if format == nil, isTerminal { return table.aligned(in: width) }
        return (format ?? .tsv).text(table, isCSVSafe: isCSVSafe)
    }
}

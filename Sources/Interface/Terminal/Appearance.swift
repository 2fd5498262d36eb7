import BlogEssentials
import BlogRendering

/// The appearance of the output, decided once from the options, the environment and the terminal.
package struct Appearance: Sendable {
    private let options: Options
    /// Whether stdout is a terminal.
    package let isTerminal: Bool
    /// Whether people read the output: on a terminal, or with colour forced, as for a preview.
    package let isForPeople: Bool
    let isColored: Bool
    /// Whether links are written as hyperlinks (OSC 8).
    package let hasHyperlinks: Bool
    package let width: Int
    /// The number of lines above which a pager is started; nil for no pager.
    let rows: Int?
    package let showsProgress: Bool
    package let hasPictures: Bool
    /// Whether only plain text can be shown or read aloud.
    package let isTextOnly: Bool

    package var isWidthGiven: Bool { options.width != nil }
    package var isQuiet: Bool { options.isQuiet }
    package var isVerbose: Bool { options.isVerbose }
    package var isCSVSafe: Bool { options.isCSVSafe }
    var isRaw: Bool { options.isRaw }
    /// Whether pictures were requested explicitly, even outside a terminal.
    var hasPicturesAlways: Bool { options.images == .always }

    /// When to use a feature; `auto` is if the terminal supports it.
    package enum When: String, CaseIterable, Sendable {
        case always
        case never
        case auto
    }

    /// How recent dates are shown.
    package enum DateStyle: String, CaseIterable, Sendable {
        /// As an age, or without the year.
        case relative
        case absolute
    }

    package struct Options: Sendable {
        package var images = When.auto
        package var color = When.auto
        package var hyperlinks = When.auto
        package var isText = false
        /// The columns to fill; nil for the width of the terminal.
        package var width: Int?
        package var hasPager = true
        package var isQuiet = false
        package var isVerbose = false
        package var dates = DateStyle.relative
        /// Whether text in CSV is escaped so that spreadsheets don't run it as a formula.
        package var isCSVSafe = true
        /// Whether text is printed without sanitizing it.
        package var isRaw = false

        package init() {}
    }

    /// The appearance for some options, an environment and the standard streams.
    ///
    /// Follows https://no-color.org, https://bixense.com/clicolors and https://force-color.org; `TERM=dumb` has neither colours nor a pager.
    init(_ options: Options, _ environment: Environment, output: FileStream, errors: FileStream) {
        self.options = options
        isTerminal = output.isTerminal
        let hasPicturesAlways = options.images == .always
        isForPeople = output.isTerminal || options.color == .always || hasPicturesAlways
        let isDumb = environment["TERM"] == "dumb"
        isTextOnly = isDumb || environment["ACCESSIBLE"].map { !["0", "false"].contains($0) } ?? false
        hasPictures = options.images != .never && (hasPicturesAlways || isTerminal && !isTextOnly)
        let isForced = ["CLICOLOR_FORCE", "FORCE_COLOR"].contains { environment[$0].map { $0 != "0" } ?? false }
        let isOff = environment["CLICOLOR"] == "0" || environment["FORCE_COLOR"] == "0"
        let isRefused = environment["NO_COLOR"] != nil || !isForced && isOff
        switch options.color {
        case _ where options.isText: isColored = false
        case .always: isColored = true
        case .never: isColored = false
        case .auto: isColored = !isRefused && (isForced || isTerminal && !isDumb)
        }
        switch options.hyperlinks {
        case .always: hasHyperlinks = isColored
        case .never: hasHyperlinks = false
        case .auto: hasHyperlinks = isColored && isTerminal && Self.supportsHyperlinks(environment)
        }
        let size = output.size
        let columns = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        width = (options.width ?? columns).map(Self.bounded) ?? size?.columns ?? 80
        rows = isTerminal && !isDumb && options.hasPager ? size?.rows : nil
        showsProgress = errors.isTerminal && !isDumb && !options.isQuiet && !options.isVerbose
    }

    /// The screen for renderers.
    ///
    /// - Parameter isForPrograms: whether dates are machine-readable, and maps omitted.
    package func screen(
        now: Date, width: Int? = nil, isForPrograms: Bool = false, hasPictures: Bool = false
    ) -> Screen {
        Screen(
            width: width ?? self.width, isColored: isColored, links: hasHyperlinks ? .hyperlinks : .numbered,
            hasPictures: hasPictures && self.hasPictures, hasMaps: !isForPrograms && !isTextOnly,
            dates: isForPrograms ? DateText(now: now, form: .utc) : dates(now))
    }

    /// Whether several posts are read on the full screen: not if the user chose a pager, no pager, or plain text.
    package func opensScreen(_ environment: Environment) -> Bool {
        isTerminal && rows != nil && !isTextOnly && isatty(STDIN_FILENO) == 1 && environment["BLOG_PAGER"] == nil
    }

    /// The screen for posts on the full screen, where links are selected by their numbers.
    package func fullScreen(now: Date, width: Int, hasPictures: Bool) -> Screen {
        Screen(
            width: width, isColored: true, links: .selectable, hasPictures: hasPictures, hasMaps: !isTextOnly,
            dates: dates(now))
    }

    /// The screen for text that is piped to a program, with each paragraph on one line.
    package func plainScreen(now: Date) -> Screen {
        Screen(width: 1_000_000, isColored: false, dates: DateText(now: now, form: .utc))
    }

    package func dates(_ now: Date) -> DateText {
        DateText(now: now, form: options.dates == .relative ? .relative : .absolute)
    }

    /// Whether the terminal is known to support OSC 8; others may show it as garbage.
    static func supportsHyperlinks(_ environment: Environment) -> Bool {
        let known = ["KITTY_WINDOW_ID", "WT_SESSION", "KONSOLE_VERSION", "WEZTERM_PANE", "GHOSTTY_RESOURCES_DIR"]
        if known.contains(where: environment.isSet) { return true }
        if let vte = environment["VTE_VERSION"].flatMap({ Int($0) }), vte >= 5000 { return true }
        if ["iTerm.app", "vscode", "WezTerm", "ghostty"].contains(environment["TERM_PROGRAM"] ?? "") { return true }
        return ["xterm-kitty", "alacritty", "foot", "xterm-ghostty"].contains(environment["TERM"] ?? "")
    }

    private static func bounded(_ width: Int) -> Int { min(max(width, Screen.minWidth), 1000) }

    /// A table in a format; by default aligned columns on a terminal, and tab-separated values in a pipe.
    package func text(_ table: FactTable, as format: Format?) -> StyledText {
        if format == nil, isTerminal { return table.aligned(in: width) }
        return (format ?? .tsv).text(table, isCSVSafe: isCSVSafe)
    }
}

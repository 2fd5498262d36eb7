import BlogEssentials
import BlogModel

/// A protocol for pictures in a terminal.
enum GraphicsProtocol: Hashable, Sendable {
    /// iTerm2's, for files of any format.
    case iTerm2
    /// kitty's, for PNG files.
    case kitty

    func supports(_ format: PictureFormat) -> Bool {
        switch self {
        case .iTerm2: [.jpeg, .png, .gif].contains(format)
        case .kitty: format == .png
        }
    }

    /// The protocol of the terminal that the environment names; nil if it has none or is unknown.
    ///
    /// `TERM` comes first, as it is passed through ssh; then `TERM_PROGRAM`; then variables that may have been inherited
    /// from another terminal.
    init?(_ environment: Environment) {
        let term = environment["TERM"] ?? ""
        guard !Self.multiplexers.contains(where: environment.isSet), !["", "dumb", "linux"].contains(term),
            let known = Self.terms[term] ?? Self.program(environment)
        else { return nil }
        self = known
    }

    private static func program(_ environment: Environment) -> GraphicsProtocol? {
        if let program = environment["TERM_PROGRAM"] { return programs[program] }
        if environment["LC_TERMINAL"] == "iTerm2" || environment.isSet("WEZTERM_PANE") { return .iTerm2 }
        // "220400" is version 22.04, the first with a protocol.
        if let konsole = environment["KONSOLE_VERSION"] {
            return Int(konsole).map { $0 >= 220_400 } == true ? .iTerm2 : nil
        }
        return ["KITTY_WINDOW_ID", "GHOSTTY_RESOURCES_DIR"].contains(where: environment.isSet) ? .kitty : nil
    }

    /// The variables of tmux, screen and Zellij, which don't pass pictures on to their terminal.
    private static let multiplexers = ["TMUX", "STY", "ZELLIJ"]
    private static let terms: [String: GraphicsProtocol] = [
        "xterm-kitty": .kitty, "xterm-ghostty": .kitty, "wezterm": .iTerm2,
    ]
    private static let programs: [String: GraphicsProtocol] = [
        "iTerm.app": .iTerm2, "WezTerm": .iTerm2, "vscode": .iTerm2, "mintty": .iTerm2, "kitty": .kitty,
        "ghostty": .kitty,
    ]
}

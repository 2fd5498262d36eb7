import BlogLibrary
import BlogEssentials

/// A protocol for pictures in a terminal.
enum GraphicsProtocol: Hashable, Sendable {
    /// iTerm2's, for files of any format.
    case iTerm2
    /// kitty's, for PNG files.
    case kitty
    /// kitty's, inside tmux.
    case kittyInTmux

    func supports(_ format: PictureFormat) -> Bool {
        switch self {
        case .iTerm2: [.jpeg, .png, .gif].contains(format)
        case .kitty, .kittyInTmux: format == .png
        }
    }

    /// The protocol of a terminal, given its response to XTVERSION; nil if it has none.
    init?(terminal name: String) {
        let parts = name.split(maxSplits: 1) { $0 == " " || $0 == "(" }
        switch parts.first?.lowercased() {
        case "kitty", "ghostty": self = .kitty
        case "iterm2", "wezterm", "mintty": self = .iTerm2
        case "konsole":
            // "Konsole 22.04.0" is the first version with it.
            guard parts.count == 2, let year = Int(parts[1].prefix { $0 != "." }), year >= 22 else { return nil }
            self = .iTerm2
        default: return nil
        }
    }
}

/// The graphics support of a terminal, as far as the environment tells.
enum TerminalRecognition: Hashable {
    case supports(GraphicsProtocol)
    case unsupported
    /// tmux, inside another terminal.
    case tmux
    /// Unknown, but compatible with xterm, so it can be queried.
    case queryable

    /// `TERM` comes first, as it is passed through ssh; then `TERM_PROGRAM`; then variables that may have been inherited
    /// from another terminal.
    init(_ environment: Environment) {
        let (term, program) = (environment["TERM"] ?? "", environment["TERM_PROGRAM"])
        if environment["TMUX"] != nil {
            self = .tmux
        } else if ["STY", "ZELLIJ"].contains(where: environment.isSet) || ["", "dumb", "linux"].contains(term) {
            self = .unsupported
        } else if let known = Self.terms[term] {
            self = .supports(known)
        } else if let program {
            self = Self.programs[program].map { .supports($0) } ?? .unsupported
        } else {
            self = Self.variables(environment, isXterm: term.hasPrefix("xterm"))
        }
    }

    /// The terminal's protocol, for which tmux or the terminal is queried if necessary; nil if it has none.
    func graphics(_ environment: Environment, asking inquiry: inout TerminalInquiry) -> GraphicsProtocol? {
        switch self {
        case .supports(let known): known
        case .unsupported: nil
        case .tmux: Tmux.graphics(environment)
        case .queryable: inquiry.name().flatMap { GraphicsProtocol(terminal: $0) }
        }
    }

    private static func variables(_ environment: Environment, isXterm: Bool) -> TerminalRecognition {
        if environment["LC_TERMINAL"] == "iTerm2" || environment.isSet("WEZTERM_PANE") { return .supports(.iTerm2) }
        // "220400" is version 22.04.
        if let konsole = environment["KONSOLE_VERSION"] {
            return Int(konsole).map { $0 >= 220_400 } == true ? .supports(.iTerm2) : .unsupported
        }
        if ["KITTY_WINDOW_ID", "GHOSTTY_RESOURCES_DIR"].contains(where: environment.isSet) { return .supports(.kitty) }
        if ["VTE_VERSION", "WT_SESSION"].contains(where: environment.isSet) { return .unsupported }
        return isXterm ? .queryable : .unsupported
    }

    private static let terms: [String: GraphicsProtocol] = [
        "xterm-kitty": .kitty, "xterm-ghostty": .kitty, "wezterm": .iTerm2,
    ]
    private static let programs: [String: GraphicsProtocol] = [
        "iTerm.app": .iTerm2, "WezTerm": .iTerm2, "vscode": .iTerm2, "mintty": .iTerm2, "kitty": .kitty,
        "ghostty": .kitty,
    ]
}

/// Asks tmux about the terminal that it runs in, without changing its settings.
enum Tmux {
    /// The protocol of that terminal; nil if it has none.
    static func graphics(_ environment: Environment) -> GraphicsProtocol? {
        // client_termtype is the terminal's response to XTVERSION, client_termname its TERM.
        let format = "#{allow-passthrough}\t#{client_termtype}\t#{client_termname}"
        let pane = environment["TMUX_PANE"].map { ["-t", $0] } ?? []
        guard let data = ChildProcess.output(of: "tmux", ["display-message", "-p"] + pane + [format], environment)
        else { return nil }
        return graphics(String(decoding: data, as: UTF8.self))
    }

    /// The same, given tmux's output.
    static func graphics(_ output: String) -> GraphicsProtocol? {
        let parts = output.split(separator: "\n").first?.split(separator: "\t", omittingEmptySubsequences: false) ?? []
        guard parts.count == 3, ["1", "2", "on", "all"].contains(parts[0]) else { return nil }
        // With other protocols, a picture is drawn at the terminal's cursor, whose position only tmux knows.
        let isKitty =
            GraphicsProtocol(terminal: String(parts[1])) == .kitty
            || ["xterm-kitty", "xterm-ghostty"].contains(parts[2])
        return isKitty ? .kittyInTmux : nil
    }
}

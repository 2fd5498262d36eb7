import BlogLibrary
import Essentials

/// A terminal's protocol for pictures.
enum GraphicsProtocol: Hashable, Sendable {
    /// iTerm2's, for files of any format.
    case iTerm2
    /// kitty's, for PNG files.
    case kitty
    /// The same behind tmux.
    case kittyInTmux

    /// Whether files of a format can be sent.
    func takes(_ format: PictureFormat) -> Bool {
        switch self {
        case .iTerm2: [.jpeg, .png, .gif].contains(format)
        case .kitty, .kittyInTmux: format == .png
        }
    }

    /// The protocol of a terminal with this response to XTVERSION; nil for none.
    init?(terminal name: String) {
        let parts = name.split(maxSplits: 1) { $0 == " " || $0 == "(" }
        switch parts.first?.lowercased() {
        case "kitty", "ghostty": self = .kitty
        case "iterm2", "wezterm", "mintty": self = .iTerm2
        case "konsole":
            // "Konsole 22.04.0" is the first that knows it.
            guard parts.count == 2, let year = Int(parts[1].prefix { $0 != "." }), year >= 22 else { return nil }
            self = .iTerm2
        default: return nil
        }
    }
}

/// The abilities of a terminal, as its environment tells them.
enum TerminalRecognition: Hashable {
    case takes(GraphicsProtocol)
    case takesNone
    /// tmux, inside another terminal.
    case isTmux
    /// Unknown, but compatible with xterm, so that it can be queried.
    case canBeAsked

    /// The name in `TERM` comes first, as it also comes through ssh; then the program that says so; then variables that
    /// a terminal may have left to another that was started in it.
    init(_ environment: Environment) {
        let (term, program) = (environment["TERM"] ?? "", environment["TERM_PROGRAM"])
        if environment["TMUX"] != nil {
            self = .isTmux
        } else if ["STY", "ZELLIJ"].contains(where: environment.isSet) || ["", "dumb", "linux"].contains(term) {
            self = .takesNone
        } else if let known = Self.terms[term] {
            self = .takes(known)
        } else if let program {
            self = Self.programs[program].map { .takes($0) } ?? .takesNone
        } else {
            self = Self.variables(environment, isXterm: term.hasPrefix("xterm"))
        }
    }

    /// The terminal's protocol, for which tmux or the terminal is queried if need be; nil if it has none.
    func graphics(_ environment: Environment, asking inquiry: inout TerminalInquiry) -> GraphicsProtocol? {
        switch self {
        case .takes(let known): known
        case .takesNone: nil
        case .isTmux: Tmux.graphics(environment)
        case .canBeAsked: inquiry.name().flatMap { GraphicsProtocol(terminal: $0) }
        }
    }

    private static func variables(_ environment: Environment, isXterm: Bool) -> TerminalRecognition {
        if environment["LC_TERMINAL"] == "iTerm2" || environment.isSet("WEZTERM_PANE") { return .takes(.iTerm2) }
        // "220400" is version 22.04.
        if let konsole = environment["KONSOLE_VERSION"] {
            return Int(konsole).map { $0 >= 220_400 } == true ? .takes(.iTerm2) : .takesNone
        }
        if ["KITTY_WINDOW_ID", "GHOSTTY_RESOURCES_DIR"].contains(where: environment.isSet) { return .takes(.kitty) }
        if ["VTE_VERSION", "WT_SESSION"].contains(where: environment.isSet) { return .takesNone }
        return isXterm ? .canBeAsked : .takesNone
    }

    private static let terms: [String: GraphicsProtocol] = [
        "xterm-kitty": .kitty, "xterm-ghostty": .kitty, "wezterm": .iTerm2,
    ]
    private static let programs: [String: GraphicsProtocol] = [
        "iTerm.app": .iTerm2, "WezTerm": .iTerm2, "vscode": .iTerm2, "mintty": .iTerm2, "kitty": .kitty,
        "ghostty": .kitty,
    ]
}

/// tmux's description of its own terminal; its settings aren't changed.
enum Tmux {
    /// The protocol of that terminal; nil for none.
    static func graphics(_ environment: Environment) -> GraphicsProtocol? {
        // The type is the terminal's response to XTVERSION, the name its TERM.
        let format = "#{allow-passthrough}\t#{client_termtype}\t#{client_termname}"
        let pane = environment["TMUX_PANE"].map { ["-t", $0] } ?? []
        guard let data = OtherProgram.output(of: "tmux", ["display-message", "-p"] + pane + [format], environment)
        else { return nil }
        return graphics(String(decoding: data, as: UTF8.self))
    }

    /// The same from tmux's output.
    static func graphics(_ answer: String) -> GraphicsProtocol? {
        let parts = answer.split(separator: "\n").first?.split(separator: "\t", omittingEmptySubsequences: false) ?? []
        guard parts.count == 3, ["1", "2", "on", "all"].contains(parts[0]) else { return nil }
        // Only tmux knows the cursor of other terminals, so a picture can't be placed there.
        let isKitty =
            GraphicsProtocol(terminal: String(parts[1])) == .kitty
            || ["xterm-kitty", "xterm-ghostty"].contains(parts[2])
        return isKitty ? .kittyInTmux : nil
    }
}

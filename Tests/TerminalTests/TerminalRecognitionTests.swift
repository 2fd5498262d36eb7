import Testing
@testable import BlogLibrary
@testable import BlogTerminal
@testable import blog

@Suite("The terminal") struct TerminalRecognitionTests {
    static let environments: [([String: String], TerminalRecognition)] = [
        (["TERM": "xterm-kitty"], .supports(.kitty)),
        (["TERM": "xterm-kitty", "KITTY_WINDOW_ID": "1"], .supports(.kitty)),
        (["TERM": "xterm-ghostty", "TERM_PROGRAM": "ghostty"], .supports(.kitty)),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "ghostty"], .supports(.kitty)),
        (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], .supports(.kitty)),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app", "LC_TERMINAL": "iTerm2"], .supports(.iTerm2)),
        (["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2", "SSH_TTY": "/dev/pts/1"], .supports(.iTerm2)),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm", "WEZTERM_PANE": "0"], .supports(.iTerm2)),
        (["TERM": "wezterm"], .supports(.iTerm2)),
        (["TERM": "xterm-256color", "WEZTERM_PANE": "0"], .supports(.iTerm2)),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "vscode"], .supports(.iTerm2)),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "mintty"], .supports(.iTerm2)),
        (["TERM": "xterm-256color", "KONSOLE_VERSION": "220400"], .supports(.iTerm2)),
        (["TERM": "xterm-256color", "KONSOLE_VERSION": "211203"], .unsupported),
        (["TERM": "xterm-256color", "KONSOLE_VERSION": "x"], .unsupported),
        // A program started from another terminal still has that one's variables.
        (["TERM": "xterm-256color", "TERM_PROGRAM": "vscode", "KITTY_WINDOW_ID": "1"], .supports(.iTerm2)),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal", "KITTY_WINDOW_ID": "1"], .unsupported),
        (["TERM": "tmux-256color", "TERM_PROGRAM": "tmux", "TMUX": "/tmp/x,1,0", "KITTY_WINDOW_ID": "1"], .tmux),
        (["TERM": "screen-256color", "STY": "1.x", "KITTY_WINDOW_ID": "1"], .unsupported),
        (["TERM": "xterm-kitty", "ZELLIJ": "0"], .unsupported),
        (["TERM": "xterm-256color", "VTE_VERSION": "7600"], .unsupported),
        (["TERM": "xterm-256color", "WT_SESSION": "x"], .unsupported), (["TERM": "alacritty"], .unsupported),
        (["TERM": "foot"], .unsupported), (["TERM": "linux"], .unsupported), (["TERM": "dumb"], .unsupported),
        (["TERM": "dumb", "TERM_PROGRAM": "vscode"], .unsupported), ([:], .unsupported),
        (["TERM": "vt100"], .unsupported),
        (["TERM": "xterm-256color"], .queryable), (["TERM": "xterm", "COLORTERM": "truecolor"], .queryable),
        (["TERM": "xterm-256color", "SSH_TTY": "/dev/pts/1"], .queryable),
    ]

    @Test("is recognized by its environment variables", arguments: environments)
    func environment(variables: [String: String], expected: TerminalRecognition) {
        #expect(TerminalRecognition(Environment(variables)) == expected)
    }

    @Test(
        "is recognized by its name",
        arguments: [
            ("kitty(0.35.2)", .kitty), ("ghostty 1.0.1", .kitty), ("iTerm2 3.5.4", .iTerm2),
            ("WezTerm 20240203-110809-5046fc22", .iTerm2), ("mintty 3.7.1", .iTerm2), ("Konsole 23.08.4", .iTerm2),
            ("Konsole 21.12.3", nil), ("Konsole", nil), ("XTerm(390)", nil), ("VTE(7600)", nil), ("foot(1.16.2)", nil),
            ("tmux 3.4", nil), ("", nil), ("kittycat", nil), ("not kitty", nil),
        ] as [(String, GraphicsProtocol?)])
    func names(name: String, expected: GraphicsProtocol?) {
        #expect(GraphicsProtocol(terminal: name) == expected)
    }

    @Test(
        "shows pictures in tmux if that lets them pass and supports placeholders",
        arguments: [
            ("1\tkitty(0.35.2)\txterm-256color\n", .kittyInTmux), ("all\t\txterm-kitty\n", .kittyInTmux),
            ("on\tghostty 1.0.1\txterm-ghostty\n", .kittyInTmux), ("0\tkitty(0.35.2)\txterm-kitty\n", nil),
            ("off\t\txterm-kitty\n", nil), ("\t\txterm-kitty\n", nil), ("1\tiTerm2 3.5.4\txterm-256color\n", nil),
            ("1\tWezTerm 2024\txterm-256color\n", nil), ("1\t\txterm-256color\n", nil), ("", nil), ("1\n", nil),
        ] as [(String, GraphicsProtocol?)])
    func tmux(answer: String, expected: GraphicsProtocol?) {
        #expect(Tmux.graphics(answer) == expected)
    }

    @Test("accepts several formats, or PNG only")
    func formats() {
        #expect([.png, .jpeg, .gif].allSatisfy { GraphicsProtocol.iTerm2.supports($0) })
        #expect(!GraphicsProtocol.iTerm2.supports(.webp))
        for kitty in [GraphicsProtocol.kitty, .kittyInTmux] {
            #expect(kitty.supports(.png) && ![.jpeg, .gif, .webp].contains(where: kitty.supports))
        }
    }
}

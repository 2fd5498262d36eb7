import BlogModel
import Testing
@testable import BlogTerminal

@Suite("The protocol for pictures") struct GraphicsProtocolTests {
    static let environments: [([String: String], GraphicsProtocol?)] = [
        (["TERM": "xterm-kitty"], .kitty),
        (["TERM": "xterm-kitty", "KITTY_WINDOW_ID": "1"], .kitty),
        (["TERM": "xterm-ghostty", "TERM_PROGRAM": "ghostty"], .kitty),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "ghostty"], .kitty),
        (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], .kitty),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app", "LC_TERMINAL": "iTerm2"], .iTerm2),
        (["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2", "SSH_TTY": "/dev/pts/1"], .iTerm2),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm", "WEZTERM_PANE": "0"], .iTerm2),
        (["TERM": "wezterm"], .iTerm2),
        (["TERM": "xterm-256color", "WEZTERM_PANE": "0"], .iTerm2),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "vscode"], .iTerm2),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "mintty"], .iTerm2),
        (["TERM": "xterm-256color", "KONSOLE_VERSION": "220400"], .iTerm2),
        (["TERM": "xterm-256color", "KONSOLE_VERSION": "211203"], nil),
        (["TERM": "xterm-256color", "KONSOLE_VERSION": "x"], nil),
        // A program started from another terminal still has that one's variables.
        (["TERM": "xterm-256color", "TERM_PROGRAM": "vscode", "KITTY_WINDOW_ID": "1"], .iTerm2),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal", "KITTY_WINDOW_ID": "1"], nil),
        (["TERM": "tmux-256color", "TERM_PROGRAM": "tmux", "TMUX": "/tmp/x,1,0", "KITTY_WINDOW_ID": "1"], nil),
        (["TERM": "xterm-kitty", "TMUX": "/tmp/x,1,0"], nil),
        (["TERM": "screen-256color", "STY": "1.x", "KITTY_WINDOW_ID": "1"], nil),
        (["TERM": "xterm-kitty", "ZELLIJ": "0"], nil),
        (["TERM": "xterm-256color", "VTE_VERSION": "7600"], nil), (["TERM": "xterm-256color"], nil),
        (["TERM": "alacritty"], nil), (["TERM": "linux", "KITTY_WINDOW_ID": "1"], nil), (["TERM": "dumb"], nil),
        (["TERM": "dumb", "TERM_PROGRAM": "vscode"], nil), (["TERM_PROGRAM": "vscode"], nil), ([:], nil),
    ]

    @Test("is that of the terminal that the environment names", arguments: environments)
    func environment(variables: [String: String], expected: GraphicsProtocol?) {
        #expect(GraphicsProtocol(Environment(variables)) == expected)
    }

    @Test("accepts several formats, or PNG only")
    func formats() {
        #expect([.png, .jpeg, .gif].allSatisfy { GraphicsProtocol.iTerm2.supports($0) })
        #expect(!GraphicsProtocol.iTerm2.supports(.webp))
        #expect(GraphicsProtocol.kitty.supports(.png))
        #expect(![.jpeg, .gif, .webp].contains { GraphicsProtocol.kitty.supports($0) })
    }
}

import Foundation

/// What tmux says of the terminal that it is in; none of its settings is changed.
enum Tmux {
    /// How pictures get to that terminal; nil if they don't.
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
        // Other terminals can't be told where the picture belongs: tmux alone knows where their cursor is.
        let isKitty =
            GraphicsProtocol(terminal: String(parts[1])) == .kitty
            || ["xterm-kitty", "xterm-ghostty"].contains(parts[2])
        return isKitty ? .kittyInTmux : nil
    }
}

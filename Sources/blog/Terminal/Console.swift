import BlogCore
import Foundation
import Synchronization

/// The only place that prints: data to stdout, perhaps through a pager, and everything else to stderr.
actor Console {
    private let environment: Environment
    private let output: FileStream
    private let errors: FileStream
    private var appearance: Appearance?
    private var pending: [UInt8] = []
    private var pendingLines = 0
    /// How a pager is started, nil if none is wanted, or it runs already.
    private var pagerCommand: String?
    private var pager: Pager?
    private var prompt = PagerPrompt(name: "blog", stop: nil, width: 80)
    private var progress = Progress()
    private var ticker: Task<Void, Never>?
    private var isLineDrawn = false

    init(environment: Environment, output: FileStream = .standardOutput, errors: FileStream = .standardError) {
        self.environment = environment
        self.output = output
        self.errors = errors
    }

    /// Decides how this run's output looks, and returns it.
    @discardableResult
    func configure(_ invocation: Invocation) throws -> Appearance {
        let appearance = try Appearance(invocation, environment, output: output, errors: errors)
        self.appearance = appearance
        pagerCommand = appearance.rows == nil ? nil : Pager.command(environment)
        return appearance
    }

    /// Says what comes, for a pager to tell.
    func announce(_ name: String, _ stop: PagerPrompt.Stop?) {
        prompt = PagerPrompt(name: name, stop: stop, width: appearance?.width ?? 80)
    }

    // MARK: Data

    /// Prints data on stdout, sanitized unless the user chose raw output.
    ///
    /// Throws an ``OutputError``.
    func print(_ text: StyledText, isRaw: Bool = false) throws {
        endProgress()
        let isColored = appearance?.isColored == true
        let output = isRaw ? text.plain : TerminalText.encoded(text, isColored: isColored)
        pending.append(contentsOf: output.utf8)
        if pagerCommand != nil {
            pendingLines += output.utf8.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
            try startPagerIfNeeded()
        } else if pending.count >= Self.bufferSize {
            try flush()
        }
    }

    /// Prints text without styles on stdout.
    ///
    /// Throws an ``OutputError``.
    func print(_ text: String) throws { try print(StyledText(text)) }

    /// Flushes the output, unless it is not known yet whether a pager is needed.
    func flush() throws {
        guard pagerCommand == nil else { return }
        try writePending()
    }

    /// Writes what is left and waits for the pager.
    ///
    /// Throws an ``OutputError``.
    func close() throws {
        endProgress()
        defer {
            pager?.wait()
            pager = nil
        }
        try writePending()
    }

    private func startPagerIfNeeded() throws {
        guard let rows = appearance?.rows, let command = pagerCommand, pendingLines >= rows else { return }
        pager = Pager(command: command, prompt: prompt)
        pagerCommand = nil
        try writePending()
    }

    private func writePending() throws {
        defer { pending.removeAll(keepingCapacity: true) }
        try (pager?.stream ?? output).write(pending)
    }

    private static let bufferSize = 1 << 16

    // MARK: Everything else

    /// Prints a notice; silent with `--quiet`.
    func notice(_ message: Message) {
        if appearance?.isQuiet != true { say(message) }
    }

    /// Prints an error; nothing for nil.
    func error(_ message: Message?) {
        if let message { say(message) }
    }

    /// Prints a detail, with `--verbose` only.
    func detail(_ message: Message) {
        if appearance?.isVerbose == true { say(message) }
    }

    private func say(_ message: Message) {
        endProgress()
        // Data that came first is shown first.
        try? flush()
        // A closed stderr is ignored.
        let text = "blog: " + Sanitizer.block(message.text)
        try? errors.write(Array((errors.isTerminal ? wrapped(text) : text).utf8) + [0x0A])
    }

    /// A text wrapped to the terminal's width, with continuation lines indented, so that no part of an id or a path
    /// looks like a separate message.
    private func wrapped(_ text: String) -> String {
        let indent = "  "
        let columns = (errors.size?.columns ?? 80) - indent.count
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { TextLayout.wrap(String($0), width: max(columns, 20)).joined(separator: "\n" + indent) }
            .joined(separator: "\n")
    }

    // MARK: Progress

    /// Records what a request does: shown as a progress line on a terminal, logged with `--verbose`.
    func observe(_ activity: HTTPActivity) {
        if let message = activity.detail { detail(message) }
        guard appearance?.showsProgress == true else { return }
        progress.note(activity)
        startProgress()
    }

    /// Records a step of a sync.
    func observe(_ event: SyncEvent) {
        guard appearance?.showsProgress == true else { return }
        progress.note(event)
        startProgress()
    }

    private func startProgress() {
        // While a pager has the terminal, a line of ours would be in the middle of its page.
        guard ticker == nil, pager == nil else { return }
        ticker = Task {
            // Nothing is shown for less than one step.
            while (try? await Task.sleep(for: .milliseconds(100))) != nil { drawProgress() }
        }
    }

    private func drawProgress() {
        guard ticker != nil else { return }
        isLineDrawn = true
        let line = progress.line(width: errors.size?.columns ?? 80)
        try? errors.write(Array((TerminalText.eraseLine + line).utf8))
    }

    private func endProgress() {
        ticker?.cancel()
        ticker = nil
        guard isLineDrawn else { return }
        isLineDrawn = false
        try? errors.write(Array(TerminalText.eraseLine.utf8))
    }
}

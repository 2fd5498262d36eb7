import BlogEssentials
import BlogMarkup
import BlogRendering
import Synchronization

/// The only place that prints: data to stdout, perhaps through a pager, and everything else to stderr.
package actor Console: TextOutput {
    private let environment: Environment
    private let output: FileStream
    private let errors: FileStream
    package private(set) var appearance: Appearance
    private var pending = OutputBuffer()
    /// The command of the pager; nil for no pager, or if it is running already.
    private var pagerCommand: String?
    private var pager: Pager?
    /// Whether output went to a pager, which doesn't report how much of it was shown.
    package private(set) var hasPaged = false
    private var prompt = PagerPrompt(name: "blog", stop: nil, width: 80)
    /// Why output before a message couldn't be written: an ``OutputError``, which the next output throws, or the last.
    private var failure: (any Error)?
    /// Messages to print when the pager has exited.
    private var deferredMessages: [Message] = []
    /// Whether messages are JSON where nobody but a program reads them.
    private var writesJSON = false
    private var progress = Progress()
    private var ticker: Task<Void, Never>?
    /// The sentence about progress that was printed last, for screen readers.
    private var saidProgress = ""
    private var isProgressDrawn = false
    private var isProgressHidden = false
    private var waitsForReader = false
    private var pictures: PictureLoader?
    private var painter: PicturePainter?
    /// The places whose pictures had not arrived when they were printed.
    private var missed: [PicturePlace] = []
    private let executor = BlockingExecutor(label: "blog.console")

    /// Readers of a pipe and pagers may be slow.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    package init(environment: Environment, output: FileStream = .standardOutput, errors: FileStream = .standardError) {
        self.environment = environment
        self.output = output
        self.errors = errors
        appearance = Appearance(Appearance.Options(), environment, output: output, errors: errors)
    }

    package func configure(_ options: Appearance.Options) {
        appearance = Appearance(options, environment, output: output, errors: errors)
        pagerCommand = appearance.rows == nil ? nil : Pager.command(environment)
    }

    /// Names the output, for the pager's prompt.
    package func announce(_ name: String, _ stop: PagerPrompt.Stop?) {
        prompt = PagerPrompt(name: name, stop: stop, width: appearance.width)
    }

    // MARK: Data

    /// Prints data on stdout, sanitized unless the user chose raw output.
    ///
    /// Throws an ``OutputError``.
    package func print(_ text: StyledText) throws {
        endProgress()
        let isColored = appearance.isColored
        for part in appearance.isRaw ? [] : text.cutAtPictures {
            if let place = part.picture, expect(place) { pending.append(place, margin: part.margin) }
            for run in part.text.runs {
                pending.append(TerminalText.encoded(run, isColored: isColored).utf8, countsLines: pagerCommand != nil)
                // Don't keep a long text in memory twice.
                if pagerCommand == nil, pending.byteCount >= Self.bufferSize { try writePending() }
            }
        }
        if appearance.isRaw { pending.append(text.plain.utf8, countsLines: pagerCommand != nil) }
        try writeIfMuch()
    }

    package func print(data: [UInt8]) throws {
        endProgress()
        pending.append(appearance.isRaw ? data : Sanitizer.output(data), countsLines: pagerCommand != nil)
        try writeIfMuch()
    }

    private func writeIfMuch() throws {
        if pagerCommand != nil {
            try startPagerIfNeeded()
        } else if pending.byteCount >= Self.bufferSize {
            try flush()
        }
    }

    /// Prints text without styles on stdout.
    ///
    /// Throws an ``OutputError``.
    package func print(_ text: String) throws { try print(StyledText(text)) }

    /// From now on, waits after each flush until the reader of a pipe has read everything.
    package func waitForReader() { waitsForReader = true }

    /// Flushes the output, unless a pager may still be needed.
    ///
    /// Throws an ``OutputError``.
    package func flush() throws {
        guard pagerCommand == nil else { return }
        try writePending()
    }

    /// Writes the rest and waits for the pager.
    ///
    /// Throws an ``OutputError``.
    package func close() throws {
        endProgress()
        let written = Result { try writePending() }
        let shown = Result { try pager?.wait() }
        (pager, pagerCommand) = (nil, nil)
        let messages = deferredMessages
        deferredMessages = []
        for message in messages { say(message, "") }
        // A pager that fails has closed the pipe, too.
        try shown.get()
        try written.get()
    }

    private func startPagerIfNeeded() throws {
        guard let rows = appearance.rows, let command = pagerCommand, pending.lineCount >= rows else { return }
        pager = Pager(command: command, prompt: prompt, environment)
        hasPaged = true
        pagerCommand = nil
        try writePending()
    }

    private func writePending() throws {
        if let failure {
            self.failure = nil
            throw failure
        }
        try pending.write(to: pager?.stream ?? output) { painted($0, margin: $1) }
        if waitsForReader { try output.waitForReader() }
    }

    private static let bufferSize = 1 << 16

    // MARK: Pictures

    /// Shows pictures of this loader in the output from now on.
    package func show(picturesOf loader: PictureLoader) {
        if appearance.hasPictures { pictures = loader }
    }

    /// Starts to fetch a picture if it can be shown; false if it can't.
    @discardableResult
    package func expect(_ place: PicturePlace) -> Bool {
        guard let pictures, makePainter().canPaint(throughPager: pager != nil) else { return false }
        pictures.fetch(place)
        return true
    }

    /// Writes the rest of the text, and returns the places whose pictures had not arrived.
    ///
    /// Throws an ``OutputError``.
    package func endText() throws -> [PicturePlace] {
        pagerCommand = nil
        try writePending()
        defer { missed = [] }
        return missed
    }

    /// Prints a late picture with a caption; nothing if it can't be shown.
    ///
    /// Throws an ``OutputError``.
    package func print(_ place: PicturePlace, caption: StyledText) throws {
        guard let bytes = painted(place, margin: 0) else { return }
        endProgress()
        try (pager?.stream ?? output).write([0x0A] + bytes)
        try print(caption)
        try flush()
    }

    private func makePainter() -> PicturePainter {
        if let painter { return painter }
        let new = PicturePainter(environment, output: output, hasSymbols: appearance.isColored)
        painter = new
        // Pictures can't go through a pager.
        if appearance.hasPicturesAlways, new.graphics != nil { pagerCommand = nil }
        return new
    }

    private func painted(_ place: PicturePlace, margin: Int) -> [UInt8]? {
        guard let painter, painter.canPaint(throughPager: pager != nil) else { return nil }
        guard let picture = pictures?.picture(at: place) else {
            if !place.isOrnament { missed.append(place) }
            return nil
        }
        return painter.paint(picture, place, margin: margin, throughPager: pager != nil)
    }

    // MARK: Messages

    /// Writes each message from now on as a line of JSON, unless stderr is a terminal.
    package func writeJSON() { writesJSON = true }

    /// Prints a notice; silent with `--quiet`.
    package func notice(_ message: Message) {
        if !appearance.isQuiet { say(message, "notice") }
    }

    /// Prints why something failed.
    ///
    /// - Parameter word: ``Explanation/word``, by which programs tell it from others.
    package func error(_ message: Message?, _ word: String = "failed") {
        if let message { say(message, word) }
    }

    /// Prints a detail; only with `--verbose`.
    package func detail(_ message: Message) {
        if appearance.isVerbose { say(message, "detail") }
    }

    private func say(_ message: Message, _ word: String) {
        // It would appear in the middle of a pager's page, or above the text it is about.
        if errors.isTerminal, pager != nil || pagerCommand != nil && pending.byteCount > 0 {
            return deferredMessages.append(message)
        }
        endProgress()
        // Keep the order of output and messages. A message can't fail, but the output can.
        do { try flush() } catch { failure = failure ?? error }
        // Ignore a closed stderr.
        if writesJSON, !errors.isTerminal {
            let line: JSONText = ["code": word, "message": message.sentence.text, "hint": message.hint?.text]
            try? errors.write(Array(line.json.utf8) + [0x0A])
            return
        }
        let text = "blog: " + Sanitizer.block(message.text)
        try? errors.write(Array((errors.isTerminal ? wrapped(text) : text).utf8) + [0x0A])
    }

    /// Wraps a text to the terminal's width, with continuation lines indented so that they don't look like messages.
    ///
    /// A command isn't wrapped, so that it can be copied.
    private func wrapped(_ text: String) -> String {
        let indent = "  "
        let columns = (errors.size?.columns ?? 80) - indent.count
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix("blog ") || line.hasPrefix("sqlite3 ")
                ? String(line)
                : TextLayout.wrap(String(line), width: max(columns, 20)).joined(separator: "\n" + indent)
        }.joined(separator: "\n")
    }

    // MARK: Progress

    /// Stops showing progress or starting a pager, because a screen, a dialogue or a browser uses the terminal.
    package func leaveToScreen() {
        endProgress()
        (isProgressHidden, pagerCommand) = (true, nil)
    }

    /// Shows the progress of requests, or of a sync, on a terminal.
    package func observe(_ step: ProgressStep) {
        guard appearance.showsProgress, !isProgressHidden else { return }
        progress.update(with: step)
        startProgress()
    }

    private func startProgress() {
        // The line would appear in the middle of a pager's page.
        guard ticker == nil, pager == nil else { return }
        ticker = Task {
            // Waits of less than 100 ms show nothing.
            while (try? await Task.sleep(for: .milliseconds(100))) != nil { drawProgress() }
        }
    }

    private func drawProgress() {
        guard ticker != nil else { return }
        if appearance.isTextOnly {
            let sentence = progress.sentence
            if sentence != saidProgress { try? errors.write(Array("blog: \(sentence)\n".utf8)) }
            return saidProgress = sentence
        }
        isProgressDrawn = true
        let line = progress.line(width: errors.size?.columns ?? 80)
        try? errors.write(Array((TerminalText.eraseLine + line).utf8))
    }

    private func endProgress() {
        ticker?.cancel()
        ticker = nil
        guard isProgressDrawn else { return }
        isProgressDrawn = false
        try? errors.write(Array(TerminalText.eraseLine.utf8))
    }
}

/// Buffered output: text, and pictures that are painted when it is written.
private struct OutputBuffer {
    private var text: [UInt8] = []
    /// The pictures, each with the text before it.
    private var pictures: [(before: [UInt8], place: PicturePlace, margin: Int)] = []
    /// The number of lines, without pictures, which don't start a pager.
    private(set) var lineCount = 0
    var byteCount: Int { pictures.reduce(text.count) { $0 + $1.before.count } }

    /// - Parameter countsLines: whether ``lineCount`` is needed; counting takes time in a long text.
    mutating func append(_ added: some Collection<UInt8>, countsLines: Bool) {
        text += added
        if countsLines { lineCount += added.count { $0 == 0x0A } }
    }

    mutating func append(_ place: PicturePlace, margin: Int) {
        pictures.append((text, place, margin))
        text = []
    }

    /// Writes and empties the buffer, even if writing fails.
    ///
    /// - Parameter paint: returns the escape sequences for a picture after a margin; nil to omit it.
    mutating func write(to stream: FileStream, paint: (PicturePlace, Int) -> [UInt8]?) throws {
        defer {
            text.removeAll(keepingCapacity: true)
            (pictures, lineCount) = ([], 0)
        }
        for picture in pictures {
            try stream.write(picture.before)
            if let bytes = paint(picture.place, picture.margin) { try stream.write(bytes) }
        }
        try stream.write(text)
    }
}

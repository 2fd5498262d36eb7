import BlogEssentials
import BlogMarkup
import Synchronization

package enum ScreenEvent: Hashable, Sendable {
    case key(Key)
    /// Pasted text, sanitized.
    case paste(String)
    case resized(ScreenSize)
    /// The program was stopped and continued, and must paint the screen.
    case continued
    /// The terminal accepts output again after a frame was dropped, or the frame must be painted in other colours.
    case writable
    /// The terminal is gone, or a signal ends the program, which must save its data and then call
    /// ``FullScreen/close()`` and ``FullScreen/exitAsSignalled()``.
    case ended
}

/// A reason why the full screen can't be opened.
package enum ScreenError: ExplainedError, Equatable {
    case noTerminal
    /// The value of TERM; nil if it isn't set.
    case unsuitable(String?)
    /// The system's error message.
    case system(String)
    case isOpen

    package func explanation(repeating options: RepeatedOptions) -> Explanation {
        func failed(_ word: String, _ sentence: Message) -> Explanation {
            Explanation(word, sentence, exit: .usage, hint: "To browse without it: blog browse --plain")
        }
        return switch self {
        case .noTerminal: failed("no-terminal", "Full-screen mode needs a terminal on stdin and stdout.")
        case .unsuitable(let type?):
            failed("unsuitable-terminal", "The terminal type “\(type)” doesn't support full-screen mode.")
        case .unsuitable(nil): failed("unsuitable-terminal", "The terminal type is unknown: TERM isn't set.")
        case .system(let reason): failed("terminal-mode", "Could not set the terminal's mode: \(reason)")
        case .isOpen: failed("terminal-mode", "Full-screen mode is already on.")
        }
    }
}

/// The terminal as a screen of cells, and its keyboard.
package final class FullScreen: Sendable {
    private let streams: RawTerminal.Streams
    private let receive: @Sendable ([ScreenEvent]) -> Void
    private let capabilities: ScreenCapabilities
    /// The reading end of the pipe that wakes the reading thread.
    ///
    /// The pipe is never closed, as a signal handler may be about to write to it.
    private let wakeUpPipe: Int32
    private let state: Mutex<State>
    private static let isOpen = Atomic(false)

    private struct State {
        var mode = Mode.open
        var size: ScreenSize
        var decoder = KeyDecoder()
        /// The frame on the screen; nil if that isn't known.
        var shown: Frame?
        /// Whether a frame was dropped since the terminal last accepted one.
        var isFrameDropped = false
        var hasEnded = false
        var title: String?
        let opened = ContinuousClock.now

        /// Sets ``hasEnded``; false if it was set already.
        mutating func setEnded() -> Bool {
            defer { hasEnded = true }
            return !hasEnded
        }
    }

    private enum Mode {
        case open
        /// Until SIGCONT arrives.
        case suspended
        /// Another program has the terminal.
        case released
        case gone
        case closed
    }

    /// Opens the screen; a process can have only one at a time.
    ///
    /// Throws a ``ScreenError``.
    ///
    /// - Parameter receive: called on the reading thread with the events of one read.
    package convenience init(
        _ environment: Environment, receive: @escaping @Sendable ([ScreenEvent]) -> Void
    ) throws {
        try self.init(environment, on: RawTerminal.Streams(), receive: receive)
    }

    init(
        _ environment: Environment, on streams: RawTerminal.Streams,
        receive: @escaping @Sendable ([ScreenEvent]) -> Void
    ) throws {
        guard isatty(streams.input) == 1, isatty(streams.output) == 1 else { throw ScreenError.noTerminal }
        let type = environment["TERM"]
        guard let type, !["dumb", "unknown"].contains(type) else { throw ScreenError.unsuitable(type) }
        guard !Self.isOpen.exchange(true, ordering: .acquiringAndReleasing) else { throw ScreenError.isOpen }
        let isColored = environment["NO_COLOR"] == nil
        capabilities = ScreenCapabilities(
            isColored: isColored, hasHyperlinks: isColored && Appearance.supportsHyperlinks(environment),
            isConsole: type == "linux")
        (self.streams, self.receive) = (streams, receive)
        state = Mutex(State(size: Self.size(of: streams.output)))
        do {
            guard let pipe = FileStream.pipe() else { throw ScreenError.system(String(cString: strerror(errno))) }
            for end in [pipe.reading, pipe.writing] { _ = fcntl(end.descriptor, F_SETFL, O_NONBLOCK) }
            wakeUpPipe = pipe.reading.descriptor
            try RawTerminal.prepare(streams, leave: ScreenSequences.leave(capabilities))
            _ = Self.atExit
            ScreenSignals.useAlternateStack()
            ScreenSignals.install(wakeUpPipe: pipe.writing.descriptor)
        } catch {
            Self.isOpen.store(false, ordering: .releasing)
            throw error
        }
        guard RawTerminal.acquire(ScreenSequences.enter(capabilities) + ScreenSequences.query(capabilities)) else {
            let reason = String(cString: strerror(errno))
            close()
            throw ScreenError.system(reason)
        }
        DetachedThread.start { self.readEvents() }
    }

    package var size: ScreenSize { state.withLock { $0.size } }

    // MARK: Output

    /// Paints the difference to the last frame in one write; false if the terminal doesn't accept output now, in which
    /// case ``ScreenEvent/writable`` follows later.
    ///
    /// A frame of another size than the screen's isn't painted: an event about the new size is on its way. Once a frame
    /// has begun, it is written to its end, however slow the terminal is.
    package func show(_ frame: Frame) -> Bool {
        let isPainted = state.withLock { state in
            switch state.mode {
            case .gone, .closed: return true
            case .suspended, .released:
                state.isFrameDropped = true
                return false
            case .open: break
            }
            guard frame.size == state.size else { return true }
            let bytes = painter(state).bytes(from: state.shown, to: frame)
            guard bytes.isEmpty || RawTerminal.isWritable(streams.output, within: 0) else {
                state.isFrameDropped = true
                return false
            }
            state.shown = write(bytes) ? frame : nil
            return true
        }
        if !isPainted { ScreenSignals.notify([]) }
        return isPainted
    }

    /// Makes the next frame repaint the whole screen.
    package func invalidate() { state.withLock { $0.shown = nil } }

    package func setTitle(_ title: String) {
        guard !capabilities.isConsole else { return }
        state.withLock { state in
            guard state.title != title else { return }
            state.title = title
            if state.mode == .open { _ = write(ScreenSequences.title(title)) }
        }
    }

    /// Copies a text to the clipboard, if the terminal allows that.
    package func copy(_ text: String) {
        guard !capabilities.isConsole else { return }
        state.withLock { if $0.mode == .open { _ = write(ScreenSequences.copy(text)) } }
    }

    private func painter(_ state: borrowing State) -> FramePainter {
        var capabilities = capabilities
        capabilities.hasSynchronizedOutput = state.decoder.responses.hasSynchronizedOutput
        capabilities.hasClusters = state.decoder.responses.hasClusters
        capabilities.replacements = state.decoder.responses.colors.replacements
        return FramePainter(capabilities: capabilities)
    }

    /// Writes bytes; false if the terminal is gone, which the reading thread notices, too.
    private func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { RawTerminal.write($0, to: streams.output) }
    }

    // MARK: Leaving

    /// Leaves the screen and stops the process group, as Ctrl-Z does elsewhere.
    ///
    /// ``ScreenEvent/continued`` follows when the screen is back.
    package func suspend() {
        if leave(as: .suspended, printsErrors: true) { stop() }
    }

    /// Stops the whole group, including a program that waits for this one.
    private func stop() {
        // A session leader has no shell that could continue it.
        if getsid(0) == getpgrp() || kill(0, SIGSTOP) != 0 { ScreenSignals.notify(.continued) }
    }

    /// Leaves the screen while another program uses the terminal; the next frame repaints the whole screen.
    package func withTerminalReleased<Result>(_ work: () throws -> Result) rethrows -> Result {
        ScreenSignals.setReleased(true)
        let hasLeft = leave(as: .released, printsErrors: false)
        defer {
            if hasLeft {
                state.withLock { if $0.mode == .released { enter(&$0) } }
                // A frame may have been dropped.
                ScreenSignals.notify([])
            }
            ScreenSignals.setReleased(false)
        }
        return try work()
    }

    /// Restores the terminal, and prints the messages that were held back.
    package func close() {
        let isFirst = state.withLock { state in
            guard state.mode != .closed else { return false }
            if state.mode == .open { dropResponses(&state) }
            RawTerminal.release(printsErrors: true)
            state.mode = .closed
            return true
        }
        guard isFirst else { return }
        ScreenSignals.uninstall()
        ScreenSignals.notify([])
        Self.isOpen.store(false, ordering: .releasing)
    }

    /// Ends the program after ``ScreenEvent/ended`` with the signal that arrived, so that the shell sees it.
    package static func exitAsSignalled() -> Never {
        RawTerminal.release(printsErrors: true)
        ScreenSignals.exitAsSignalled()
    }

    private func leave(as mode: Mode, printsErrors: Bool) -> Bool {
        let hasLeft = state.withLock { state in
            guard state.mode == .open else { return false }
            dropResponses(&state)
            RawTerminal.release(printsErrors: printsErrors)
            state.mode = mode
            return true
        }
        // The thread must stop reading keys.
        if hasLeft { ScreenSignals.notify([]) }
        return hasLeft
    }

    private func enter(_ state: inout State) {
        state.shown = nil
        guard RawTerminal.acquire(ScreenSequences.enter(capabilities)) else {
            state.mode = .gone
            return ScreenSignals.notify(.ended)
        }
        state.mode = .open
        if let title = state.title { _ = write(ScreenSequences.title(title)) }
    }

    /// Waits up to 500 ms for missing responses to the query, which the shell would take for input.
    private func dropResponses(_ state: inout State) {
        let end = state.opened + .milliseconds(500)
        while !capabilities.isConsole, !state.decoder.responses.isComplete {
            let left = Int32(max((end - .now) / .milliseconds(1), 0).rounded(.up))
            guard left > 0, hasInput(within: left), let bytes = input(), !bytes.isEmpty else { return }
            _ = state.decoder.decode(bytes)
        }
    }

    // MARK: Events

    private func readEvents() {
        ScreenSignals.useAlternateStack()
        while true {
            let (isOpen, awaitsOutput, timeout) = state.withLock { state in
                (state.mode == .open, state.mode == .open && state.isFrameDropped, state.decoder.timeout)
            }
            var waiting = [
                pollfd(fd: wakeUpPipe, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isOpen ? streams.input : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: awaitsOutput ? streams.output : -1, events: Int16(POLLOUT), revents: 0),
            ]
            let count = poll(&waiting, 3, isOpen ? timeout : -1)
            guard count >= 0 || errno == EINTR else { return }
            drainWakeUps()
            // Once this screen is closed, signals may be for the next one.
            let signals = state.withLock { $0.mode == .closed ? [] : ScreenSignals.takePending() }
            var events = events(for: signals)
            if count > 0, waiting[1].revents != 0 { events += read() }
            if count == 0 { events += state.withLock { $0.decoder.flush() } }
            if count > 0, waiting[2].revents != 0 { events += writable() }
            if !events.isEmpty { receive(events) }
            if state.withLock({ $0.mode == .closed }) { return }
        }
    }

    private func drainWakeUps() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while BlogEssentials.read(wakeUpPipe, &bytes, bytes.count) == bytes.count {}
    }

    private func events(for signals: ScreenSignals.Pending) -> [ScreenEvent] {
        var events: [ScreenEvent] = []
        if signals.contains(.stopped) { suspend() }
        if signals.contains(.resized), let size = resize() { events.append(.resized(size)) }
        if signals.contains(.continued), !signals.contains(.ended) { events += resume() }
        if signals.contains(.ended), state.withLock({ $0.setEnded() }) { events.append(.ended) }
        return events
    }

    /// Updates the size; nil if it hasn't changed.
    private func resize() -> ScreenSize? {
        state.withLock { state in
            let size = Self.size(of: streams.output)
            guard size != state.size else { return nil }
            state.size = size
            state.shown = nil
            return size
        }
    }

    /// Acquires the terminal again after the program was stopped and continued.
    ///
    /// Continued in the background, by `bg` or a SIGCONT from elsewhere, it stops again, as SIGTTOU stops other programs:
    /// this thread may have that signal blocked.
    private func resume() -> [ScreenEvent] {
        let isInForeground = RawTerminal.isInForeground(streams.input)
        let mode = state.withLock { state -> Mode? in
            guard state.mode == .open || state.mode == .suspended else { return nil }
            if isInForeground {
                // If it was stopped by SIGSTOP, it could not release the terminal before.
                RawTerminal.release(printsErrors: false)
                enter(&state)
            } else {
                state.mode = .suspended
            }
            return state.mode
        }
        if mode == .suspended { stop() }
        return mode == .open ? (resize().map { [.resized($0)] } ?? []) + [.continued] : []
    }

    private func read() -> [ScreenEvent] {
        state.withLock { state in
            // Another program may have acquired the terminal, or read the input, since.
            guard state.mode == .open, hasInput(within: 0) else { return [] }
            if let bytes = input() {
                let replacements = state.decoder.responses.colors.replacements
                let events = state.decoder.decode(bytes)
                guard replacements != state.decoder.responses.colors.replacements else { return events }
                // The first frame has been painted before the colours were known.
                state.shown = nil
                return events + [.writable]
            }
            state.mode = .gone
            return state.setEnded() ? [.ended] : []
        }
    }

    private func hasInput(within milliseconds: Int32) -> Bool {
        FileStream(descriptor: streams.input).hasInput(within: milliseconds)
    }

    /// The bytes of one read; nil if the terminal is gone.
    private func input() -> ArraySlice<UInt8>? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = BlogEssentials.read(streams.input, &bytes, bytes.count)
        if count > 0 { return bytes[..<count] }
        return count < 0 && (errno == EINTR || errno == EAGAIN) ? [] : nil
    }

    private func writable() -> [ScreenEvent] {
        state.withLock { state in
            guard state.isFrameDropped else { return [] }
            state.isFrameDropped = false
            return [.writable]
        }
    }

    // MARK: The process

    /// The size that a terminal reports, within limits.
    private static func size(of output: Int32) -> ScreenSize {
        let size = FileStream(descriptor: output).size ?? (80, 24)
        return ScreenSize(columns: min(size.columns, 1000), rows: min(size.rows > 0 ? size.rows : 24, 500))
    }

    /// Releases the terminal when the program exits, once this is initialized.
    private static let atExit = atexit { RawTerminal.release(printsErrors: true) }
}

import BlogLibrary
import Essentials
import Markup
import Model
import Synchronization

/// What comes from a full screen.
package enum ScreenEvent: Hashable, Sendable {
    case key(Key)
    /// Pasted text, sanitized.
    case paste(String)
    case resized(ScreenSize)
    /// The screen is back after the program was stopped, and has to be painted.
    case continued
    /// The terminal takes output again after a frame was dropped.
    case writable
    /// The terminal is gone, or a signal ends the program: it has to store what is to be stored, and to end with
    /// ``FullScreen/close()`` and ``FullScreen/exitAsSignalled()``.
    case ended
}

/// Why there is no full screen.
package enum ScreenError: Error, Equatable {
    case noTerminal
    /// The terminal's type as TERM has it; nil if that isn't set.
    case unsuitable(String?)
    /// The system's own words.
    case system(String)
    case isOpen

    package var message: String {
        switch self {
        case .noTerminal: "The full screen needs a terminal on stdin and stdout."
        case .unsuitable(let type?): "The terminal type “\(Sanitizer.line(type))” doesn't support the full screen."
        case .unsuitable(nil): "The terminal type is unknown: TERM isn't set."
        case .system(let reason): "Could not set the terminal's mode: \(reason)."
        case .isOpen: "The full screen is already open."
        }
    }
}

/// The terminal as a screen of cells, with the keys that are typed on it.
package final class FullScreen: Sendable {
    private let streams: TakenTerminal.Streams
    private let receive: @Sendable ([ScreenEvent]) -> Void
    private let capabilities: ScreenCapabilities
    /// The end of a pipe that wakes the reading thread.
    ///
    /// The pipe stays open, as a signal handler may be about to write.
    private let wakeUps: Int32
    private let state: Mutex<State>
    private static let isOpen = Atomic(false)

    private struct State {
        var mode = Mode.open
        var size: ScreenSize
        var decoder = KeyDecoder()
        /// The frame that is shown; nil if that isn't known.
        var shown: Frame?
        /// Whether a frame was dropped since the terminal last took one.
        var isFrameDropped = false
        /// Whether ``ScreenEvent/ended`` was sent.
        var hasEnded = false
        var title: String?
        let opened = ContinuousClock.now

        /// Remembers that the end was told; false if it had been already.
        mutating func setEnded() -> Bool {
            defer { hasEnded = true }
            return !hasEnded
        }
    }

    private enum Mode {
        case open
        /// Until SIGCONT comes.
        case suspended
        /// Another program has the terminal.
        case lent
        /// The terminal is gone.
        case gone
        case closed
    }

    /// Takes over the terminal; once in a process at a time.
    ///
    /// Throws a ``ScreenError``.
    ///
    /// - Parameter receive: is called on the reading thread, with everything that one read gave.
    package convenience init(
        _ environment: Environment, receive: @escaping @Sendable ([ScreenEvent]) -> Void
    ) throws {
        try self.init(environment, on: TakenTerminal.Streams(), receive: receive)
    }

    init(
        _ environment: Environment, on streams: TakenTerminal.Streams,
        receive: @escaping @Sendable ([ScreenEvent]) -> Void
    ) throws {
        guard isatty(streams.input) == 1, isatty(streams.output) == 1 else { throw ScreenError.noTerminal }
        let type = environment["TERM"]
        guard let type, !["dumb", "unknown"].contains(type) else { throw ScreenError.unsuitable(type) }
        guard !Self.isOpen.exchange(true, ordering: .acquiringAndReleasing) else { throw ScreenError.isOpen }
        let isColored = environment["NO_COLOR"] == nil
        capabilities = ScreenCapabilities(
            isColored: isColored, hasHyperlinks: isColored && Appearance.takesHyperlinks(environment),
            isConsole: type == "linux")
        (self.streams, self.receive) = (streams, receive)
        state = Mutex(State(size: Self.size(of: streams.output)))
        do {
            let pipe = try Self.pipe()
            wakeUps = pipe.reading
            try TakenTerminal.prepare(streams, leave: ScreenSequences.leave(capabilities))
            Self.giveBackAtExit()
            ScreenSignals.useOwnStack()
            ScreenSignals.install(wakingEnd: pipe.writing)
        } catch {
            Self.isOpen.store(false, ordering: .releasing)
            throw error
        }
        guard TakenTerminal.take(ScreenSequences.enter(capabilities) + ScreenSequences.query(capabilities)) else {
            let reason = String(cString: strerror(errno))
            close()
            throw ScreenError.system(reason)
        }
        DetachedThread.start { self.readEvents() }
    }

    package var size: ScreenSize { state.withLock { $0.size } }

    // MARK: Output

    /// Paints the difference to the last frame in one write; false if the terminal doesn't take output now, in which case
    /// ``ScreenEvent/writable`` comes later.
    ///
    /// A frame of another size than the screen's isn't painted: the screen was resized, and the event for that is on its
    /// way. A frame that has begun is written to its end, however slowly the terminal takes it.
    package func show(_ frame: Frame) -> Bool {
        let isTaken = state.withLock { state in
            switch state.mode {
            case .gone, .closed: return true
            case .suspended, .lent:
                state.isFrameDropped = true
                return false
            case .open: break
            }
            guard frame.size == state.size else { return true }
            let bytes = painter(state).bytes(from: state.shown, to: frame)
            guard bytes.isEmpty || TakenTerminal.takesOutput(streams.output, within: 0) else {
                state.isFrameDropped = true
                return false
            }
            state.shown = write(bytes) ? frame : nil
            return true
        }
        if !isTaken { ScreenSignals.notify([]) }
        return isTaken
    }

    /// Has the next frame painted whole.
    package func invalidate() { state.withLock { $0.shown = nil } }

    /// Sets the window's title, where there is one.
    package func setTitle(_ title: String) {
        guard !capabilities.isConsole else { return }
        state.withLock { state in
            guard state.title != title else { return }
            state.title = title
            if state.mode == .open { _ = write(ScreenSequences.title(title)) }
        }
    }

    /// Copies a text to the clipboard, where the terminal allows that.
    package func copy(_ text: String) {
        guard !capabilities.isConsole else { return }
        state.withLock { if $0.mode == .open { _ = write(ScreenSequences.copy(text)) } }
    }

    private func painter(_ state: borrowing State) -> FramePainter {
        var capabilities = capabilities
        capabilities.hasSynchronizedOutput = state.decoder.answers.hasSynchronizedOutput
        capabilities.hasClusters = state.decoder.answers.hasClusters
        return FramePainter(capabilities: capabilities)
    }

    /// Writes bytes; false if the terminal is gone, which the reading thread finds out too.
    private func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { TakenTerminal.write($0, to: streams.output) }
    }

    // MARK: Leaving

    /// Leaves the screen and stops the process group, as Ctrl-Z does elsewhere; ``ScreenEvent/continued`` comes when the
    /// screen is back.
    package func suspend() {
        let isLeft = leave(as: .suspended, printsErrors: true)
        guard isLeft else { return }
        // The whole group, so that a program that started this one doesn't wait for it. A session leader has no shell that
        // could have it go on.
        if getsid(0) == getpgrp() || kill(0, SIGSTOP) != 0 { ScreenSignals.notify(.continued) }
    }

    /// Leaves the screen while another program has the terminal, and comes back; the next frame is painted whole.
    package func leaving<Result>(_ work: () throws -> Result) rethrows -> Result {
        ScreenSignals.setLent(true)
        let isLeft = leave(as: .lent, printsErrors: false)
        defer {
            if isLeft {
                state.withLock { if $0.mode == .lent { enter(&$0) } }
                // It may have a frame to ask for.
                ScreenSignals.notify([])
            }
            ScreenSignals.setLent(false)
        }
        return try work()
    }

    /// Gives the terminal back as it was, and prints the messages that were held back.
    package func close() {
        let isFirst = state.withLock { state in
            guard state.mode != .closed else { return false }
            if state.mode == .open { dropAnswers(&state) }
            TakenTerminal.giveBack(printsErrors: true)
            state.mode = .closed
            return true
        }
        guard isFirst else { return }
        ScreenSignals.uninstall()
        ScreenSignals.notify([])
        Self.isOpen.store(false, ordering: .releasing)
    }

    /// Ends the program after ``ScreenEvent/ended``, with the signal that came: the shell sees it.
    package static func exitAsSignalled() -> Never {
        TakenTerminal.giveBack(printsErrors: true)
        ScreenSignals.exitAsSignalled()
    }

    private func leave(as mode: Mode, printsErrors: Bool) -> Bool {
        let isLeft = state.withLock { state in
            guard state.mode == .open else { return false }
            dropAnswers(&state)
            TakenTerminal.giveBack(printsErrors: printsErrors)
            state.mode = mode
            return true
        }
        // Keys are another program's now.
        if isLeft { ScreenSignals.notify([]) }
        return isLeft
    }

    private func enter(_ state: inout State) {
        state.shown = nil
        guard TakenTerminal.take(ScreenSequences.enter(capabilities)) else {
            state.mode = .gone
            return ScreenSignals.notify(.ended)
        }
        state.mode = .open
        if let title = state.title { _ = write(ScreenSequences.title(title)) }
    }

    /// Waits a little for the answers to the query if they have not come, so that they aren't typed into the shell.
    private func dropAnswers(_ state: inout State) {
        let end = state.opened + .milliseconds(500)
        while !capabilities.isConsole, !state.decoder.answers.isComplete {
            let left = Int32(max((end - .now) / .milliseconds(1), 0).rounded(.up))
            var waiting = pollfd(fd: streams.input, events: Int16(POLLIN), revents: 0)
            guard left > 0, poll(&waiting, 1, left) > 0, let bytes = input(), !bytes.isEmpty else { return }
            _ = state.decoder.decode(bytes)
        }
    }

    // MARK: Events

    private func readEvents() {
        ScreenSignals.useOwnStack()
        while true {
            let (isOpen, awaitsOutput, timeout) = state.withLock { state in
                (state.mode == .open, state.mode == .open && state.isFrameDropped, state.decoder.timeout)
            }
            var waiting = [
                pollfd(fd: wakeUps, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isOpen ? streams.input : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: awaitsOutput ? streams.output : -1, events: Int16(POLLOUT), revents: 0),
            ]
            let count = poll(&waiting, 3, isOpen ? timeout : -1)
            guard count >= 0 || errno == EINTR else { return }
            drainWakeUps()
            // Once this screen is closed, signals may be those of the next one.
            let signals = state.withLock { $0.mode == .closed ? [] : ScreenSignals.takePending() }
            var events = events(of: signals)
            if count > 0, waiting[1].revents != 0 { events += read() }
            if count == 0 { events += state.withLock { $0.decoder.flush() } }
            if count > 0, waiting[2].revents != 0 { events += writable() }
            if !events.isEmpty { receive(events) }
            if state.withLock({ $0.mode == .closed }) { return }
        }
    }

    private func drainWakeUps() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while Essentials.read(wakeUps, &bytes, bytes.count) == bytes.count {}
    }

    private func events(of signals: ScreenSignals.Pending) -> [ScreenEvent] {
        var events: [ScreenEvent] = []
        if signals.contains(.stopped) { suspend() }
        if signals.contains(.resized), let size = resize() { events.append(.resized(size)) }
        if signals.contains(.continued) { events += comeBack() }
        if signals.contains(.ended), state.withLock({ $0.setEnded() }) { events.append(.ended) }
        return events
    }

    /// The new size of the screen; nil if it is the old one.
    private func resize() -> ScreenSize? {
        state.withLock { state in
            let size = Self.size(of: streams.output)
            guard size != state.size else { return nil }
            state.size = size
            state.shown = nil
            return size
        }
    }

    /// Takes the terminal again after the program was stopped, by whatever.
    private func comeBack() -> [ScreenEvent] {
        let isBack = state.withLock { state in
            guard state.mode == .open || state.mode == .suspended else { return false }
            // Stopped from outside, it could not leave, and the shell has had the terminal since.
            TakenTerminal.giveBack(printsErrors: false)
            enter(&state)
            return state.mode == .open
        }
        guard isBack else { return [] }
        return (resize().map { [.resized($0)] } ?? []) + [.continued]
    }

    private func read() -> [ScreenEvent] {
        state.withLock { state in
            // Another program may have the terminal by now, or have taken the input.
            var waiting = pollfd(fd: streams.input, events: Int16(POLLIN), revents: 0)
            guard state.mode == .open, poll(&waiting, 1, 0) > 0 else { return [] }
            if let bytes = input() { return state.decoder.decode(bytes) }
            state.mode = .gone
            return state.setEnded() ? [.ended] : []
        }
    }

    /// What one read gives; nil if the terminal is gone.
    private func input() -> ArraySlice<UInt8>? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Essentials.read(streams.input, &bytes, bytes.count)
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

    /// The size of a terminal, within bounds, as it may claim any.
    private static func size(of output: Int32) -> ScreenSize {
        let size = FileStream(descriptor: output).size ?? (80, 24)
        return ScreenSize(columns: min(size.columns, 1000), rows: min(size.rows > 0 ? size.rows : 24, 500))
    }

    private static func pipe() throws -> (reading: Int32, writing: Int32) {
        guard let pipe = FileStream.pipe() else { throw ScreenError.system(String(cString: strerror(errno))) }
        for end in [pipe.reading, pipe.writing] { _ = fcntl(end.descriptor, F_SETFL, O_NONBLOCK) }
        return (pipe.reading.descriptor, pipe.writing.descriptor)
    }

    private static func giveBackAtExit() { _ = atExit }

    private static let atExit = atexit { TakenTerminal.giveBack(printsErrors: true) }
}

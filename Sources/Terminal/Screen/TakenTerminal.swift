import Essentials
import Synchronization

/// The terminal while the full screen has it: how it was found, and how it is given back.
///
/// Signal handlers give it back too. They may read only memory that nobody changes meanwhile, and call only functions that
/// POSIX lists as async-signal-safe: ``giveBack(printsErrors:)`` keeps to both.
enum TakenTerminal {
    /// The descriptors of a terminal.
    struct Streams {
        var input = STDIN_FILENO
        var output = STDOUT_FILENO
        /// Where messages go, which is redirected if it is the same terminal.
        var errors = STDERR_FILENO
    }

    private struct Memory {
        var streams = Streams()
        var found = termios()
        var leave: UnsafeMutableBufferPointer<UInt8>
        /// Where messages went, and the file that they go to meanwhile; -1 if they stay where they are.
        var originalErrors: Int32 = -1
        var heldErrors: Int32 = -1
        var copyBuffer: UnsafeMutableBufferPointer<UInt8>
    }

    private static let isTaken = Atomic(false)
    /// Written by ``prepare(_:leave:)`` while the terminal isn't taken, so handlers don't read it then.
    nonisolated(unsafe) private static let memory: UnsafeMutablePointer<Memory> = {
        let memory = UnsafeMutablePointer<Memory>.allocate(capacity: 1)
        memory.initialize(to: Memory(leave: .allocate(capacity: 0), copyBuffer: .allocate(capacity: 4096)))
        return memory
    }()

    /// Remembers how the terminal is, to which it is restored every time it is given back.
    ///
    /// Throws a ``ScreenError``.
    static func prepare(_ streams: Streams, leave: [UInt8]) throws {
        var found = termios()
        guard tcgetattr(streams.input, &found) == 0 else { throw ScreenError.system(String(cString: strerror(errno))) }
        closeErrors()
        memory.pointee.leave.deallocate()
        memory.pointee.leave = .allocate(capacity: leave.count)
        _ = memory.pointee.leave.initialize(from: leave)
        (memory.pointee.streams, memory.pointee.found) = (streams, found)
        if isSameTerminal(streams.output, streams.errors) { openErrors(streams.errors) }
    }

    /// Takes the terminal: no echo, no lines, no signals from keys, and messages held back; false if it is impossible.
    ///
    /// After the program was stopped, the shell may have the terminal still: hence several tries.
    static func take(_ enter: [UInt8]) -> Bool {
        let streams = memory.pointee.streams
        var mode = memory.pointee.found
        cfmakeraw(&mode)
        isTaken.store(true, ordering: .releasing)
        for attempt in 1...10 where tcsetattr(streams.input, TCSANOW, &mode) != 0 {
            guard attempt < 10, errno == EIO || errno == EINTR else {
                isTaken.store(false, ordering: .releasing)
                return false
            }
            usleep(20_000)
        }
        if memory.pointee.heldErrors >= 0 { dup2(memory.pointee.heldErrors, streams.errors) }
        return enter.withUnsafeBufferPointer { write($0, to: streams.output) }
    }

    /// Gives the terminal back as it was found, if it is taken.
    ///
    /// - Parameter printsErrors: whether the messages that were held back are printed now.
    static func giveBack(printsErrors: Bool) {
        guard isTaken.exchange(false, ordering: .acquiringAndReleasing) else { return }
        let streams = memory.pointee.streams
        if takesOutput(streams.output, within: 1000) {
            _ = write(UnsafeBufferPointer(memory.pointee.leave), to: streams.output)
        }
        // In the background, the modes are the shell's.
        let foreground = tcgetpgrp(streams.input)
        if foreground == -1 || foreground == getpgrp() { tcsetattr(streams.input, TCSAFLUSH, &memory.pointee.found) }
        guard memory.pointee.originalErrors >= 0 else { return }
        dup2(memory.pointee.originalErrors, streams.errors)
        if printsErrors { printErrors() }
    }

    /// Whether a terminal is there and takes output within so many milliseconds.
    static func takesOutput(_ output: Int32, within milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        guard poll(&waiting, 1, milliseconds) == 1 else { return false }
        return waiting.revents & Int16(POLLHUP | POLLERR | POLLNVAL) == 0
    }

    /// Writes all of the bytes; false if the terminal is gone.
    static func write(_ bytes: UnsafeBufferPointer<UInt8>, to output: Int32) -> Bool {
        guard var start = UnsafeRawPointer(bytes.baseAddress) else { return true }
        var count = bytes.count
        while count > 0 {
            let written = Essentials.write(output, start, count)
            if written >= 0 {
                start += written
                count -= written
            } else if errno == EAGAIN {
                var waiting = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
                poll(&waiting, 1, -1)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Has the statics made, which a signal handler must not do.
    static func prepareStatics() {
        _ = isTaken.load(ordering: .relaxed)
        _ = memory
    }

    // MARK: Messages

    private static func isSameTerminal(_ one: Int32, _ other: Int32) -> Bool {
        var (first, second) = (stat(), stat())
        return isatty(other) == 1 && fstat(one, &first) == 0 && fstat(other, &second) == 0
            && first.st_rdev == second.st_rdev
    }

    private static func openErrors(_ errors: Int32) {
        let held = emptyFile()
        guard held >= 0 else { return }
        memory.pointee.heldErrors = held
        memory.pointee.originalErrors = fcntl(errors, F_DUPFD_CLOEXEC, 3)
    }

    private static func closeErrors() {
        for descriptor in [memory.pointee.heldErrors, memory.pointee.originalErrors] where descriptor >= 0 {
            close(descriptor)
        }
        (memory.pointee.heldErrors, memory.pointee.originalErrors) = (-1, -1)
    }

    /// The descriptor of a file that only this program has, in memory if possible; -1 if there is none.
    private static func emptyFile() -> Int32 {
        // The C headers declare this function for GNU programs only.
        if let function = dlsym(nil, "memfd_create") {
            typealias Create = @convention(c) (UnsafePointer<CChar>, UInt32) -> Int32
            let closesOnExec: UInt32 = 1
            let descriptor = unsafeBitCast(function, to: Create.self)("messages", closesOnExec)
            if descriptor >= 0 { return descriptor }
        }
        guard let file = tmpfile() else { return -1 }
        defer { fclose(file) }
        return fcntl(fileno(file), F_DUPFD_CLOEXEC, 3)
    }

    /// Prints the messages that were held back, and empties their file.
    private static func printErrors() {
        let held = memory.pointee.heldErrors
        lseek(held, 0, SEEK_SET)
        while true {
            let count = read(held, memory.pointee.copyBuffer.baseAddress, memory.pointee.copyBuffer.count)
            guard count > 0 else { break }
            let bytes = UnsafeBufferPointer(rebasing: memory.pointee.copyBuffer[..<count])
            guard write(bytes, to: memory.pointee.originalErrors) else { break }
        }
        ftruncate(held, 0)
        lseek(held, 0, SEEK_SET)
    }
}

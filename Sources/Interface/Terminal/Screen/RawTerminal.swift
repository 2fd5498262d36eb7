import BlogEssentials
import Synchronization

/// The terminal in raw mode, and the state to restore when the full screen releases it.
///
/// Signal handlers release it, too. So ``release(printsErrors:)`` calls only async-signal-safe functions, and reads only
/// memory that doesn't change while the terminal is acquired.
enum RawTerminal {
    struct Streams {
        var input = STDIN_FILENO
        var output = STDOUT_FILENO
        /// For messages; redirected while the terminal is acquired if it is the same terminal.
        var errors = STDERR_FILENO
    }

    private struct Memory {
        var streams = Streams()
        var originalMode = termios()
        /// The sequences that leave the screen.
        var leave: UnsafeMutableBufferPointer<UInt8>
        /// A copy of the descriptor for messages, and the file that they are redirected to; -1 if they aren't redirected.
        var originalErrors: Int32 = -1
        var heldErrors: Int32 = -1
        var copyBuffer: UnsafeMutableBufferPointer<UInt8>
    }

    private static let isAcquired = Atomic(false)
    /// Written by ``prepare(_:leave:)`` while the terminal isn't acquired, when handlers don't read it.
    nonisolated(unsafe) private static let memory: UnsafeMutablePointer<Memory> = {
        let memory = UnsafeMutablePointer<Memory>.allocate(capacity: 1)
        memory.initialize(to: Memory(leave: .allocate(capacity: 0), copyBuffer: .allocate(capacity: 4096)))
        return memory
    }()

    /// Saves the state of the terminal, which every release restores.
    ///
    /// Throws a ``ScreenError``.
    static func prepare(_ streams: Streams, leave: [UInt8]) throws {
        var mode = termios()
        guard tcgetattr(streams.input, &mode) == 0 else { throw ScreenError.system(String(cString: strerror(errno))) }
        closeErrors()
        memory.pointee.leave.deallocate()
        memory.pointee.leave = .allocate(capacity: leave.count)
        _ = memory.pointee.leave.initialize(from: leave)
        (memory.pointee.streams, memory.pointee.originalMode) = (streams, mode)
        if FileStream(descriptor: streams.output).isSameTerminal(as: FileStream(descriptor: streams.errors)) {
            openErrors(streams.errors)
        }
    }

    /// Switches to raw mode, writes the sequences that enter the screen, and redirects messages; false if that fails.
    ///
    /// It makes several attempts, as the shell may still own the terminal after the program was stopped.
    static func acquire(_ enter: [UInt8]) -> Bool {
        let streams = memory.pointee.streams
        var mode = memory.pointee.originalMode
        cfmakeraw(&mode)
        isAcquired.store(true, ordering: .releasing)
        var attempts = 1
        while tcsetattr(streams.input, TCSANOW, &mode) != 0 {
            guard attempts < 10, errno == EIO || errno == EINTR else {
                isAcquired.store(false, ordering: .releasing)
                return false
            }
            attempts += 1
            usleep(20_000)
        }
        if memory.pointee.heldErrors >= 0 { dup2(memory.pointee.heldErrors, streams.errors) }
        return enter.withUnsafeBufferPointer { write($0, to: streams.output) }
    }

    /// Restores the terminal, if it is acquired; async-signal-safe.
    ///
    /// - Parameter printsErrors: whether to print the redirected messages.
    static func release(printsErrors: Bool) {
        guard isAcquired.exchange(false, ordering: .acquiringAndReleasing) else { return }
        let streams = memory.pointee.streams
        if isWritable(streams.output, within: 1000) {
            _ = write(UnsafeBufferPointer(memory.pointee.leave), to: streams.output)
        }
        // In the background, the mode is the shell's.
        if isInForeground(streams.input) { tcsetattr(streams.input, TCSAFLUSH, &memory.pointee.originalMode) }
        guard memory.pointee.originalErrors >= 0 else { return }
        dup2(memory.pointee.originalErrors, streams.errors)
        if printsErrors { printErrors() }
    }

    /// Whether the program may use a terminal now, which is another program's while the shell has this one in the
    /// background; async-signal-safe.
    static func isInForeground(_ input: Int32) -> Bool {
        let foreground = tcgetpgrp(input)
        // It isn't the controlling terminal.
        return foreground == -1 || foreground == getpgrp()
    }

    /// Waits until a terminal accepts output; false if it is gone or doesn't in time.
    static func isWritable(_ output: Int32, within milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        guard poll(&waiting, 1, milliseconds) == 1 else { return false }
        return waiting.revents & Int16(POLLHUP | POLLERR | POLLNVAL) == 0
    }

    /// Writes all of the bytes; false if the terminal is gone.
    static func write(_ bytes: UnsafeBufferPointer<UInt8>, to output: Int32) -> Bool {
        guard var start = UnsafeRawPointer(bytes.baseAddress) else { return true }
        var count = bytes.count
        while count > 0 {
            let written = BlogEssentials.write(output, start, count)
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

    /// Initializes the statics, which a signal handler must not do.
    static func prepareStatics() {
        _ = isAcquired.load(ordering: .relaxed)
        _ = memory
    }

    // MARK: Messages

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

    /// The descriptor of an anonymous file, in memory if possible; -1 if that fails.
    private static func emptyFile() -> Int32 {
        // The C headers declare it only with _GNU_SOURCE.
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

    /// Prints the redirected messages, and empties their file.
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

import Foundation

/// A POSIX socket on the loopback interface.
struct Socket: Sendable {
    let descriptor: Int32

    /// Listens on 127.0.0.`host`, on any free port if `port` is 0; returns the socket and its port.
    static func listening(host: UInt8, port: UInt16) throws -> (Socket, port: UInt16) {
        var (socket, bound) = try bound(host: host, port: port)
        #if os(Linux)
            if port == 0 {
                // Linux gives away a port that it has chosen once its socket stops listening, but not one it was asked
                // for.
                let chosen = socket
                defer { chosen.close() }
                (socket, bound) = try self.bound(host: host, port: bound)
            }
        #endif
        guard listen(socket.descriptor, 128) == 0 else { throw socket.failure(host: host, port: port) }
        return (socket, bound)
    }

    private static func bound(host: UInt8, port: UInt16) throws -> (Socket, port: UInt16) {
        #if os(Linux)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        let socket = Socket(descriptor: descriptor)
        var reuse: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = (0x7F00_0000 | UInt32(host)).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, length) == 0 && getsockname(descriptor, generic, &length) == 0
            }
        }
        guard isBound else { throw socket.failure(host: host, port: port) }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    /// Closes the socket; the error says why it could not listen.
    private func failure(host: UInt8, port: UInt16) -> MockServerError {
        let reason = String(cString: strerror(errno))
        close()
        return MockServerError(message: "could not listen on 127.0.0.\(host):\(port): \(reason)")
    }

    /// Waits for a connection; nil once the socket is closed.
    func accept() -> Socket? {
        var accepted = Foundation.accept(descriptor, nil, nil)
        while accepted < 0, [EINTR, ECONNABORTED, EMFILE, ENFILE].contains(errno) {
            // Others may close files meanwhile.
            Thread.sleep(forTimeInterval: 0.01)
            accepted = Foundation.accept(descriptor, nil, nil)
        }
        guard accepted >= 0 else { return nil }
        var on: Int32 = 1
        setsockopt(accepted, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        return Socket(descriptor: accepted)
    }

    /// Waits for at most 64 KiB; nil at the end.
    func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var count = Foundation.read(descriptor, &buffer, buffer.count)
        while count < 0, errno == EINTR { count = Foundation.read(descriptor, &buffer, buffer.count) }
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    /// Sends all data; false if the connection is closed.
    func write(_ data: Data) -> Bool {
        data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = send(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, noSignal)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    /// Shuts down both directions, which wakes blocked threads.
    func shutdown() {
        _ = Foundation.shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Shuts down the writing side.
    func finishWriting() {
        _ = Foundation.shutdown(descriptor, Int32(SHUT_WR))
    }

    func close() {
        _ = Foundation.close(descriptor)
    }

    /// Makes closing reset the connection.
    func resetAtClose() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }

    #if os(Linux)
        private var noSignal: Int32 { Int32(MSG_NOSIGNAL) }
    #else
        private var noSignal: Int32 { 0 }
    #endif
}

import Foundation

/// A keep-alive connection.
struct Connection {
    let socket: Socket
    let server: MockServer

    private static let maxBody = 16 << 20

    func serve() {
        var buffer: [UInt8] = []
        while let request = nextRequest(&buffer) {
            let (response, fault) = server.response(to: request)
            server.note(request, status: fault == .refuse ? 0 : response.status)
            wait(response.delay)
            while fault == .hold, server.isHeld(request) { wait(5) }
            guard send(response, to: request, fault) else { break }
            if request.headers["connection"]?.lowercased() == "close" { break }
        }
        server.ended(socket)
        socket.close()
    }

    private func nextRequest(_ buffer: inout [UInt8]) -> MockRequest? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let range = buffer.firstRange(of: end) {
                let head = String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
                buffer.removeSubrange(..<range.upperBound)
                guard let request = MockRequest(head: head) else { return nil }
                let length = request.headers["content-length"].flatMap { Int($0) } ?? 0
                guard length > 0 else { return request }
                guard length <= Self.maxBody else { return nil }
                while buffer.count < length {
                    guard let bytes = socket.read() else { return nil }
                    buffer += bytes
                }
                let body = Array(buffer[..<length])
                buffer.removeSubrange(..<length)
                return request.with(body: body)
            }
            guard buffer.count < 1 << 16, let bytes = socket.read() else { return nil }
            buffer += bytes
        }
    }

    /// Sends a response; false if the connection must be closed.
    private func send(_ response: MockResponse, to request: MockRequest, _ fault: Fault?) -> Bool {
        if fault == .refuse || fault == .half && request.method == "POST" { return false }
        if fault == .cutHead {
            _ = socket.write(Data("HTTP/1.1 200 OK\r\n".utf8))
            return false
        }
        if case .raw(let bytes) = fault {
            _ = socket.write(bytes)
            socket.finishWriting()
            // Closing a socket with unread bytes would reset the connection.
            while socket.read() != nil {}
            return false
        }
        var length = response.body.count
        if case .drip = fault { length = .max }
        if fault == .endless { length = .max }
        if fault == .wrongLength || fault == .reset || fault == .stall { length += 100 }
        guard socket.write(head(of: response, length: length)) else { return false }
        if response.status == 304 { return true }
        switch fault {
        case .reset:
            _ = socket.write(firstBytes(of: response))
            // The reset must not overtake the bytes.
            wait(50)
            socket.resetAtClose()
            return false
        case .stall:
            _ = socket.write(firstBytes(of: response))
            // Until the client closes the connection.
            while socket.read() != nil {}
            return false
        case .drip(let milliseconds):
            while socket.write(Data(" ".utf8)) { wait(milliseconds) }
            return false
        case .endless:
            let chunk = Data(repeating: UInt8(ascii: " "), count: 1 << 16)
            // About 60 MB a second.
            while socket.write(chunk) { wait(1) }
            return false
        default:
            return sendBody(response.body) && fault != .wrongLength
        }
    }

    private func sendBody(_ body: MockResponse.Body) -> Bool {
        switch body {
        case .bytes(let data): return socket.write(data)
        case .trickle(let start, let chunk, let count, let milliseconds, let end):
            guard socket.write(start) else { return false }
            let began = ContinuousClock.now
            for index in 0..<count {
                guard socket.write(chunk) else { return false }
                let due = Double(milliseconds) * Double(index + 1) / Double(count)
                wait(Int(due - (ContinuousClock.now - began) / .milliseconds(1)))
            }
            return socket.write(end)
        }
    }

    private func firstBytes(of response: MockResponse) -> Data {
        switch response.body {
        case .bytes(let data): data.prefix(data.count / 2)
        case .trickle(let start, _, _, _, _): start
        }
    }

    private func head(of response: MockResponse, length: Int) -> Data {
        var head = "HTTP/1.1 \(response.status) \(response.status < 400 ? "OK" : "Error")\r\n"
        for (name, value) in response.headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
        if length != .max && response.status != 304 { head += "Content-Length: \(length)\r\n" }
        return Data((head + "\r\n").utf8)
    }

    private func wait(_ milliseconds: Int) {
        guard milliseconds > 0 else { return }
        Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
    }
}

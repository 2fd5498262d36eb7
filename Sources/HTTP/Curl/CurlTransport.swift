#if os(Linux)
    import CCurl
    import Essentials
    import Synchronization

    /// A transport with libcurl: all transfers run on one thread and reuse connections.
    ///
    /// On Linux, URLSession is built on the same library, but lacks backpressure and immediate cancellation, and isn't
    /// robust against hostile servers.
    package final class CurlTransport: Transport {
        private let inbox: CurlInbox

        /// The first request loads the library and starts the thread.
        ///
        /// - Parameters:
        ///   - maxConnectionsPerHost: further requests wait for a connection.
        ///   - environment: the environment variables that name the proxies.
        package init(
            maxConnectionsPerHost: Int = 20, environment: [String: String] = ProcessInfo.processInfo.environment
        ) {
            inbox = CurlInbox(maxConnectionsPerHost: maxConnectionsPerHost, proxies: ProxyRules(environment))
        }

        deinit {
            inbox.put(.stop)
        }

        package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            let number = inbox.nextNumber()
            let transfer = Transfer(
                resume: { [inbox] in inbox.put(.resume(number)) }, cancel: { [inbox] in inbox.put(.cancel(number)) },
                of: request)
            let reader = TransferReader(transfer, over: self)
            guard inbox.start(.start(number, request, transfer)) else { throw HTTPError.noTransport }
            return try await reader.response(to: request)
        }
    }

    /// A command for the thread of a ``CurlTransport``.
    enum CurlCommand: Sendable {
        case start(UInt64, HTTPRequest, Transfer)
        /// The reader of a paused transfer has caught up.
        case resume(UInt64)
        /// The rest of a response isn't needed.
        case cancel(UInt64)
        case stop
    }

    /// The commands for the thread.
    final class CurlInbox: Sendable {
        private struct State {
            var commands: [CurlCommand] = []
            var lastNumber: UInt64 = 0
            /// Wakes the thread; nil before it starts and after it has ended.
            var wake: (@Sendable () -> Void)?
        }

        private let state = Mutex(State())
        let maxConnectionsPerHost: Int
        let proxies: ProxyRules

        init(maxConnectionsPerHost: Int, proxies: ProxyRules) {
            self.maxConnectionsPerHost = maxConnectionsPerHost
            self.proxies = proxies
        }

        /// A new number for a transfer.
        func nextNumber() -> UInt64 {
            state.withLock { state in
                state.lastNumber += 1
                return state.lastNumber
            }
        }

        /// Sends a command to the thread if it is running.
        func put(_ command: CurlCommand) {
            state.withLock { state in
                guard let wake = state.wake else { return }
                // Within the lock, because the thread removes `wake` before the handle is freed. Earlier commands have
                // already woken it.
                if state.commands.isEmpty { wake() }
                state.commands.append(command)
            }
        }

        /// Sends a command to the thread, starting it if needed; false if that fails.
        func start(_ command: CurlCommand) -> Bool {
            let isRunning = state.withLock { state in
                if state.wake == nil { state.wake = CurlWorker.start(self) }
                return state.wake != nil
            }
            put(command)
            return isRunning
        }

        /// Removes and returns all commands.
        func take() -> [CurlCommand] {
            state.withLock { state in
                defer { state.commands = [] }
                return state.commands
            }
        }

        /// Stops accepting commands.
        func close() {
            state.withLock { $0.wake = nil }
        }
    }

    /// The error of a transfer (https://curl.se/libcurl/c/libcurl-errors.html).
    struct CurlFailure {
        let code: CURLcode
        /// OpenSSL's error for the server's certificate (`X509_V_ERR_…`); 0 for none.
        let verification: Int
        /// The `errno` of the system call that failed; 0 for none.
        let systemError: Int
        let hasProxy: Bool
        /// Whether the head of the response has arrived.
        let hasHead: Bool

        func error(for request: HTTPRequest) -> HTTPError {
            let url = request.url
            switch Int(code) {
            case CURLE_COULDNT_RESOLVE_HOST: return .unreachable(url, reason: .unknownHost)
            case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: return .unreachable(url, reason: .proxy)
            case CURLE_COULDNT_CONNECT: return .unreachable(url, reason: unreachable)
            case CURLE_OPERATION_TIMEDOUT: return .unreachable(url, reason: .timedOut)
            case CURLE_URL_MALFORMAT: return .unreachable(url, reason: .badAddress)
            // The response has no status line.
            case CURLE_UNSUPPORTED_PROTOCOL: return .notHTTP(url)
            case CURLE_WEIRD_SERVER_REPLY, CURLE_FILESIZE_EXCEEDED, CURLE_HTTP2, CURLE_HTTP2_STREAM:
                return .malformed(url, problem: .framing)
            // libcurl's own limit for the head.
            case CURLE_OUT_OF_MEMORY where !hasHead, CURLE_TOO_LARGE where !hasHead:
                return .malformed(url, problem: .headers)
            // libcurl's own limit for decompressing ahead.
            case CURLE_OUT_OF_MEMORY, CURLE_TOO_LARGE: return .tooLarge(url, limit: 64 << 20)
            case CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR: return .malformed(url, problem: .encoding)
            // An invalid chunk, unless there is a system error.
            case CURLE_RECV_ERROR where systemError == 0 && url.scheme == "http":
                return .malformed(url, problem: .framing)
            case CURLE_SSL_CONNECT_ERROR: return .insecure(url, reason: .handshake)
            case CURLE_SSL_CACERT_BADFILE:
                return .insecure(url, reason: CurlExchange.hasOwnAuthorities ? .badAuthorities : .noAuthorities)
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR: return .insecure(url, reason: insecure)
            default: return .interrupted(url)
            }
        }

        private var unreachable: HTTPError.Unreachable {
            switch Int32(systemError) {
            case ENETUNREACH, ENETDOWN, EHOSTUNREACH: .noNetwork
            case EAFNOSUPPORT, EADDRNOTAVAIL: .badAddress
            case ETIMEDOUT: .timedOut
            default: hasProxy ? .proxy : .refused
            }
        }

        /// By the numbers of https://docs.openssl.org/3.0/man1/openssl-verification-options/#diagnostics.
        private var insecure: HTTPError.Insecure {
            switch verification {
            case 10: .expired
            case 9: .notYetValid
            case 18, 19: .selfSigned
            // libcurl checks the host name before it records that the certificate is valid.
            case 0, 1, 62, 63, 64: .wrongHost
            default: .unknownAuthority
            }
        }
    }
#endif

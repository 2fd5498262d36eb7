#if os(Linux)
    import BlogEssentials
    import Synchronization

    /// A transport with libcurl: all transfers run on one thread and reuse connections.
    ///
    /// On Linux, URLSession is built on the same library, but lacks backpressure and immediate cancellation, and isn't
    /// robust against hostile servers.
    package final class CurlTransport: Transport {
        private let inbox: CurlInbox
        private let lastNumber = Atomic<UInt64>(0)

        /// The first request loads the library and starts the thread.
        ///
        /// - Parameters:
        ///   - maxConnectionsPerHost: further requests wait for a connection.
        ///   - environment: the environment variables that name the proxies.
        package init(
            maxConnectionsPerHost: Int = Politeness.maxConnectionsPerHost,
            environment: [String: String] = ProcessInfo.processInfo.environment
        ) {
            inbox = CurlInbox(maxConnectionsPerHost: maxConnectionsPerHost, proxies: ProxyRules(environment))
        }

        deinit {
            inbox.put(.stop)
        }

        package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            do {
                return try await response(to: request)
            } catch HTTPError.malformed(_, problem: .encoding) where request.isDecoded {
                // Like browsers, which ignore encodings that they don't know, and show text that isn't encoded as it says.
                return try await response(to: request.undecoded)
            }
        }

        private func response(to request: HTTPRequest) async throws -> HTTPResponse {
            let number = lastNumber.add(1, ordering: .relaxed).newValue
            let transfer = Transfer(
                resume: { [inbox] in inbox.put(.resume(number)) }, cancel: { [inbox] in inbox.put(.cancel(number)) })
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
#endif

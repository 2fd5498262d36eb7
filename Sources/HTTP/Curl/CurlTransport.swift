#if os(Linux)
    import Foundation
    import Synchronization

    /// libcurl as a transport: all transfers on one thread, over connections that are kept for the next request.
    ///
    /// On Linux URLSession is built on the same library, but can't make a fast server wait, cancel at once, or be trusted
    /// with what a hostile server sends.
    package final class CurlTransport: Transport {
        private let inbox: CurlInbox

        /// A transport; the library is loaded and the thread started by the first request.
        ///
        /// - Parameters:
        ///   - maxConnections: how many connections there are at a time; further requests wait for one.
        ///   - maxConnectionsPerHost: how many of them to one host.
        ///   - proxyVariables: what says which requests go to a proxy.
        package init(
            maxConnections: Int = 20, maxConnectionsPerHost: Int = 20,
            proxyVariables: [String: String] = ProcessInfo.processInfo.environment
        ) {
            inbox = CurlInbox(
                maxConnections: maxConnections, maxConnectionsPerHost: maxConnectionsPerHost,
                proxies: ProxyRules(proxyVariables))
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

    /// A command to the thread of a ``CurlTransport``.
    enum CurlCommand: Sendable {
        case start(UInt64, HTTPRequest, Transfer)
        /// The reader of a paused transfer has caught up.
        case resume(UInt64)
        /// The rest of a response is not wanted.
        case cancel(UInt64)
        case stop
    }

    /// Commands on their way to the thread.
    final class CurlInbox: Sendable {
        private struct State {
            var commands: [CurlCommand] = []
            var lastNumber: UInt64 = 0
            /// What wakes the thread; nil before it starts and after it has ended.
            var wake: (@Sendable () -> Void)?
        }

        private let state = Mutex(State())
        private let maxConnections: Int
        private let maxConnectionsPerHost: Int
        let proxies: ProxyRules

        init(maxConnections: Int, maxConnectionsPerHost: Int, proxies: ProxyRules) {
            self.proxies = proxies
            self.maxConnections = maxConnections
            self.maxConnectionsPerHost = maxConnectionsPerHost
        }

        /// A number that no other transfer has.
        func nextNumber() -> UInt64 {
            state.withLock { state in
                state.lastNumber += 1
                return state.lastNumber
            }
        }

        /// Gives a command to the thread, if there is one.
        func put(_ command: CurlCommand) {
            state.withLock { state in
                guard let wake = state.wake else { return }
                // Within the lock: the thread removes `wake` before the handle is freed. It was woken for what is there.
                if state.commands.isEmpty { wake() }
                state.commands.append(command)
            }
        }

        /// Gives a command to the thread, which is started if there is none; false if it can't be.
        func start(_ command: CurlCommand) -> Bool {
            let isRunning = state.withLock { state in
                if state.wake == nil {
                    state.wake = CurlWorker.start(
                        inbox: self, maxConnections: maxConnections, maxConnectionsPerHost: maxConnectionsPerHost)
                }
                return state.wake != nil
            }
            put(command)
            return isRunning
        }

        /// All commands since the last call.
        func take() -> [CurlCommand] {
            state.withLock { state in
                defer { state.commands = [] }
                return state.commands
            }
        }

        /// Takes no more commands.
        func close() {
            state.withLock { $0.wake = nil }
        }
    }
#endif

#if os(Linux)
    import BlogCCurl
    import BlogEssentials
    import BlogModel

    /// libcurl's thread, and everything that only this thread uses.
    final class CurlWorker {
        private let curl: CCurl
        private let multi: OpaquePointer
        private let inbox: CurlInbox
        /// By handle.
        private var exchanges: [OpaquePointer: CurlExchange] = [:]

        /// libcurl's functions; nil if it can't be loaded.
        private static let library: CCurl? = {
            var curl = CCurl()
            return ccurl_load(&curl) ? curl : nil
        }()

        /// Starts a thread for the commands in the inbox, and returns the function that wakes it.
        ///
        /// Nil if libcurl can't be loaded.
        static func start(_ inbox: CurlInbox) -> (@Sendable () -> Void)? {
            guard let curl = library, let multi = curl.multi_init() else { return nil }
            _ = ccurl_multi_set_long(curl, multi, Int32(CURLMOPT_MAX_TOTAL_CONNECTIONS), Politeness.lists.width)
            _ = ccurl_multi_set_long(curl, multi, Int32(CURLMOPT_MAX_HOST_CONNECTIONS), inbox.maxConnectionsPerHost)
            // curl_multi_wakeup is the only function that other threads may call.
            nonisolated(unsafe) let handle = multi
            DetachedThread.start { CurlWorker(curl: curl, multi: handle, inbox: inbox).run() }
            return { _ = curl.multi_wakeup(handle) }
        }

        private init(curl: CCurl, multi: OpaquePointer, inbox: CurlInbox) {
            self.curl = curl
            self.multi = multi
            self.inbox = inbox
        }

        private func run() {
            while inbox.take().allSatisfy(perform) {
                var running: Int32 = 0
                _ = curl.multi_perform(multi, &running)
                finishCompleted()
                let deadline = checkRunning(at: Date())
                let wait = max(0, min(deadline.timeIntervalSinceNow, Self.maxWait))
                _ = curl.multi_poll(multi, nil, 0, Int32((wait * 1000).rounded(.up)), nil)
            }
            inbox.close()
            for exchange in exchanges.values { end(exchange, .failure(CancellationError())) }
            _ = curl.multi_cleanup(multi)
        }

        /// Performs a command; false for ``CurlCommand/stop``.
        private func perform(_ command: CurlCommand) -> Bool {
            switch command {
            case .start(let number, let request, let transfer): start(number, request, transfer)
            case .resume(let number): exchange(number)?.resume()
            case .cancel(let number):
                if let exchange = exchange(number) { end(exchange, .failure(CancellationError())) }
            case .stop: return false
            }
            return true
        }

        private func exchange(_ number: UInt64) -> CurlExchange? { exchanges.values.first { $0.number == number } }

        private func start(_ number: UInt64, _ request: HTTPRequest, _ transfer: Transfer) {
            guard let handle = curl.easy_init() else {
                return transfer.end(.failure(HTTPError.noTransport))
            }
            let exchange = CurlExchange(
                number, request, transfer, proxy: inbox.proxies.proxy(for: request.url), handle: handle, curl: curl)
            exchanges[handle] = exchange
            _ = curl.multi_add_handle(multi, handle)
        }

        private func finishCompleted() {
            var left: Int32 = 0
            while let message = curl.multi_info_read(multi, &left) {
                guard message.pointee.msg == Int32(CURLMSG_DONE), let handle = message.pointee.easy_handle,
                    let exchange = exchanges[handle]
                else { continue }
                end(exchange, exchange.result(of: ccurl_result(message)))
            }
        }

        /// Wakes readers for new data and ends stalled transfers; returns the time of the next check.
        private func checkRunning(at now: Date) -> Date {
            var next = Date.distantFuture
            for exchange in exchanges.values {
                if let error = exchange.timeoutError(at: now) {
                    end(exchange, .failure(error))
                } else {
                    exchange.deliver()
                    next = min(next, exchange.deadline)
                }
            }
            return next
        }

        private func end(_ exchange: CurlExchange, _ result: Result<Void, any Error>) {
            exchanges[exchange.handle] = nil
            _ = curl.multi_remove_handle(multi, exchange.handle)
            // Handles aren't reused: libcurl 7.88 keeps a header of the last response, and reads freed memory if the
            // next one begins with a folded line. `multi` keeps the connections.
            curl.easy_cleanup(exchange.handle)
            exchange.end(result)
        }

        /// The maximum time between two checks, in seconds.
        private static let maxWait: TimeInterval = 10
    }
#endif

#if os(Linux)
    import CCurl
    import Essentials
    import Model

    /// One request on libcurl's thread, and its response so far.
    final class CurlExchange {
        let number: UInt64
        let handle: OpaquePointer
        private let request: HTTPRequest
        /// The proxy for the request; nil if it goes to the server itself.
        private let proxy: String?
        private let transfer: Transfer
        private let curl: CCurl
        private var requestHeaders: UnsafeMutablePointer<curl_slist>?
        private var fields: [(name: String, value: String)] = []
        private var headerLines = 0
        private var headerBytes = 0
        private var hasHead = false
        private var isPaused = false
        /// Nil until there is a connection; libcurl itself watches over connecting.
        private var watch: ProgressWatch?
        /// Why we ended the transfer.
        private var failure: HTTPError?
        /// Whether an address of the host was not allowed.
        private var hasRefusedAddress = false

        init(
            _ number: UInt64, _ request: HTTPRequest, _ transfer: Transfer, proxy: String?, handle: OpaquePointer,
            curl: CCurl
        ) {
            self.number = number
            self.request = request
            self.proxy = proxy
            self.transfer = transfer
            self.handle = handle
            self.curl = curl
            prepare()
        }

        private func prepare() {
            let context = Unmanaged.passUnretained(self).toOpaque()
            func set(_ option: Int, _ value: Int) {
                _ = ccurl_set_long(curl, handle, Int32(option), value)
            }
            func set(_ option: Int, _ text: String) {
                _ = ccurl_set_text(curl, handle, Int32(option), text)
            }
            set(CURLOPT_URL, request.url.absoluteString)
            // Bits of http and https: no files or other protocols of libcurl.
            set(CURLOPT_PROTOCOLS, 0b11)
            set(CURLOPT_NOSIGNAL, 1)
            // The environment was read already; an empty text makes libcurl ignore it.
            set(CURLOPT_PROXY, proxy ?? "")
            set(CURLOPT_NOPROXY, "")
            set(CURLOPT_NOPROGRESS, 1)
            set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
            set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
            // Reads are short, as each must be held unpacked: a kilobyte of gzip may become a megabyte.
            set(CURLOPT_BUFFERSIZE, 1 << 14)
            set(CURLOPT_CONNECTTIMEOUT_MS, Int((request.timeout * 1000).rounded(.up)))
            // Every encoding that the library was built with.
            set(CURLOPT_ACCEPT_ENCODING, "")
            if let file = Self.authorities.file { set(CURLOPT_CAINFO, file) }
            if let folder = Self.authorities.folder { set(CURLOPT_CAPATH, folder) }
            for (name, value) in request.headers {
                requestHeaders = curl.slist_append(requestHeaders, "\(name): \(value)")
            }
            _ = ccurl_set_headers(curl, handle, requestHeaders)
            setCallbacks(context)
        }

        /// The user's file of certificates of known authorities.
        private static let authorities: (file: String?, folder: String?) = {
            func path(_ variable: String) -> String? {
                getenv(variable).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
            }
            return (path("SSL_CERT_FILE"), path("SSL_CERT_DIR"))
        }()

        /// Whether the user names the certificates of known authorities, so that the system's aren't used.
        static var hasOwnAuthorities: Bool { authorities.file != nil || authorities.folder != nil }

        private func setCallbacks(_ context: UnsafeMutableRawPointer) {
            _ = ccurl_set_data_callback(
                curl, handle, Int32(CURLOPT_HEADERFUNCTION),
                { bytes, size, count, context in
                    CurlExchange.of(context)?.receiveHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
                        ?? 0
                }, Int32(CURLOPT_HEADERDATA), context)
            _ = ccurl_set_data_callback(
                curl, handle, Int32(CURLOPT_WRITEFUNCTION),
                { bytes, size, count, context in
                    CurlExchange.of(context)?.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
                        ?? 0
                }, Int32(CURLOPT_WRITEDATA), context)
            let code = ccurl_set_connected_callback(
                curl, handle,
                { context, address, _, _, _ in CurlExchange.of(context)?.connected(to: address) == true ? 0 : 1 },
                context)
            if proxy == nil, request.reach.isLimited {
                _ = ccurl_set_socket_callback(
                    curl, handle,
                    { context, _, address in CurlExchange.of(context)?.openSocket(to: address) ?? -1 }, context)
                // An existing connection was made for another request.
                if code != 0 { _ = ccurl_set_long(curl, handle, Int32(CURLOPT_FRESH_CONNECT), 1) }
            }
            // Versions before 7.80 don't report the connection; then waiting for it counts too.
            if code != 0 { beginWatch() }
        }

        /// The exchange of a callback; the worker retains it as long as libcurl has the handle.
        private static func of(_ context: UnsafeMutableRawPointer?) -> CurlExchange? {
            context.map { Unmanaged<CurlExchange>.fromOpaque($0).takeUnretainedValue() }
        }

        /// Whether the request may be sent over a new or reused connection.
        private func connected(to address: UnsafePointer<CChar>?) -> Bool {
            beginWatch()
            guard proxy == nil, request.reach.isLimited else { return true }
            if let address, let peer = NetworkAddress(String(cString: address)), request.reach.mayConnect(to: peer) {
                return true
            }
            failure = .privateAddress(request.url)
            return false
        }

        /// A socket for a connection to one of the host's addresses; -1 if it isn't allowed.
        private func openSocket(to address: UnsafeMutablePointer<ccurl_address>?) -> Int32 {
            guard let address, let peer = NetworkAddress(ccurl_sockaddr(address), family: address.pointee.family),
                request.reach.mayConnect(to: peer)
            else {
                hasRefusedAddress = true
                return -1
            }
            return ccurl_open_socket(address)
        }

        /// The address that the response comes from; nil with a proxy.
        private var peer: NetworkAddress? {
            guard proxy == nil, let text = ccurl_get_text(curl, handle, Int32(CURLINFO_PRIMARY_IP)) else { return nil }
            return NetworkAddress(String(cString: text))
        }

        private func beginWatch() {
            watch = ProgressWatch(timeout: request.timeout, now: Date())
        }

        // MARK: Response

        /// Takes a line of the head or a trailer, and returns the number of bytes taken.
        private func receiveHeader(_ line: UnsafeRawBufferPointer) -> Int {
            watch?.note(line.count, at: Date())
            headerLines += 1
            headerBytes += line.count
            guard headerLines <= HTTPLimits.headerLines, headerBytes <= HTTPLimits.headerBytes else {
                failure = .malformed(request.url, problem: .headers)
                return -1
            }
            // Trailers come after the head and aren't needed.
            if !hasHead { line.withMemoryRebound(to: UInt8.self) { addToHead($0[...]) } }
            return line.count
        }

        private func addToHead(_ line: Slice<UnsafeBufferPointer<UInt8>>) {
            let text = Self.trimmed(line)
            if line.starts(with: "HTTP/".utf8) {
                fields = []
            } else if text.isEmpty {
                completeHead()
            } else if text.startIndex > line.startIndex, let last = fields.popLast() {
                fields.append((last.name, last.value + " " + String(decoding: text, as: UTF8.self)))
            } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
                let value = Self.trimmed(text[(colon + 1)...])
                fields.append((String(decoding: text[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self)))
            }
        }

        /// A part of a line without the spaces, tabs and line ends around it.
        private static func trimmed(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>> {
            func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
            var rest = text.drop(while: isSpace)
            while let last = rest.last, isSpace(last) { rest.removeLast() }
            return rest
        }

        private func completeHead() {
            let status = ccurl_get_long(curl, handle, Int32(CURLINFO_RESPONSE_CODE))
            // An interim response (1xx) comes before the real one.
            guard status >= 200 else { return }
            hasHead = true
            transfer.receive(HTTPHead(status: status, fields: fields), from: peer)
        }

        private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
            guard !transfer.isFull else {
                isPaused = true
                return CURL_WRITEFUNC_PAUSE
            }
            watch?.note(bytes.count, at: Date())
            transfer.receive(bytes)
            return bytes.count
        }

        // MARK: Worker

        /// Resumes a paused transfer.
        func resume() {
            guard isPaused else { return }
            isPaused = false
            beginWatch()
            _ = curl.easy_pause(handle, Int32(CURLPAUSE_CONT))
        }

        /// The next time to check the transfer.
        var deadline: Date { isPaused ? .distantFuture : watch?.deadline ?? .distantFuture }

        /// The reason for giving up the transfer; nil while it is fine.
        func stopped(at now: Date) -> HTTPError? {
            guard !isPaused, let failure = watch?.failure(at: now) else { return nil }
            switch failure {
            case .slow: return .tooSlow(request.url)
            case .silent where hasHead: return .stalled(request.url, seconds: request.timeout)
            case .silent: return .timedOut(request.url, seconds: request.timeout)
            }
        }

        /// Wakes the reader for new data.
        func deliver() { transfer.deliver() }

        /// Ends the transfer with libcurl's code.
        func result(of code: CURLcode) -> Result<Void, any Error> {
            if let failure { return .failure(failure) }
            if hasRefusedAddress, Int(code) == CURLE_COULDNT_CONNECT {
                return .failure(HTTPError.privateAddress(request.url))
            }
            guard code != 0 else {
                return hasHead ? .success(()) : .failure(HTTPError.interrupted(request.url))
            }
            let verification = ccurl_get_long(curl, handle, Int32(CURLINFO_SSL_VERIFYRESULT))
            let systemError = ccurl_get_long(curl, handle, Int32(CURLINFO_OS_ERRNO))
            return .failure(
                CurlFailure(
                    code: code, verification: verification, systemError: systemError, hasProxy: proxy != nil,
                    hasHead: hasHead
                ).error(for: request))
        }

        /// Tells the reader, after the worker has removed the handle.
        func end(_ result: Result<Void, any Error>) {
            curl.slist_free_all(requestHeaders)
            requestHeaders = nil
            transfer.end(result)
        }
    }
#endif

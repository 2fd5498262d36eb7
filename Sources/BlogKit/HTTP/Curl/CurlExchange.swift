#if os(Linux)
    import BlogCCurl
    import BlogEssentials
    import BlogModel

    /// A request on libcurl's thread, and its response so far.
    final class CurlExchange {
        let number: UInt64
        let handle: OpaquePointer
        private let request: HTTPRequest
        /// The proxy for the request; nil for a direct connection.
        private let proxy: String?
        private let transfer: Transfer
        private let curl: CCurl
        private var requestHeaders: UnsafeMutablePointer<curl_slist>?
        private var fields: [(name: String, value: String)] = []
        private var headerLines = 0
        private var headerBytes = 0
        private var hasHead = false
        /// The head of a response that has yet to show whether it is encoded as it says.
        private var heldHead: HTTPHead?
        private var isPaused = false
        /// Nil until connected; libcurl has a timeout for connecting.
        private var watch: ProgressWatch?
        /// Our own reason for aborting the transfer.
        private var failure: HTTPError?
        /// Whether an address of the host was private and not allowed.
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
            setOptions()
            setCallbacks(Unmanaged.passUnretained(self).toOpaque())
        }

        private func setOptions() {
            func set(_ option: Int, _ value: Int) {
                _ = ccurl_set_long(curl, handle, Int32(option), value)
            }
            func set(_ option: Int, _ text: String) {
                _ = ccurl_set_text(curl, handle, Int32(option), text)
            }
            set(CURLOPT_URL, request.url.absoluteString)
            // Only http and https, no files or other protocols.
            set(CURLOPT_PROTOCOLS, 0b11)
            set(CURLOPT_NOSIGNAL, 1)
            // Empty strings make libcurl ignore the environment, which `ProxyRules` has read.
            set(CURLOPT_PROXY, proxy ?? "")
            set(CURLOPT_NOPROXY, "")
            set(CURLOPT_NOPROGRESS, 1)
            set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
            set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
            // Small, because each read is decompressed as a whole: a kilobyte of gzip may become a megabyte.
            set(CURLOPT_BUFFERSIZE, 1 << 14)
            set(CURLOPT_CONNECTTIMEOUT_MS, Int((request.timeout * 1000).rounded(.up)))
            // All encodings that libcurl was built with.
            if request.isDecoded { set(CURLOPT_ACCEPT_ENCODING, "") }
            if let file = Self.authorities.file { set(CURLOPT_CAINFO, file) }
            if let folder = Self.authorities.folder { set(CURLOPT_CAPATH, folder) }
            if let form = request.form { set(CURLOPT_COPYPOSTFIELDS, form) }
            for (name, value) in request.headers {
                requestHeaders = curl.slist_append(requestHeaders, "\(name): \(value)")
            }
            _ = ccurl_set_headers(curl, handle, requestHeaders)
        }

        /// The user's own certificate authorities.
        private static let authorities: (file: String?, folder: String?) = {
            func path(_ variable: String) -> String? {
                getenv(variable).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
            }
            return (path("SSL_CERT_FILE"), path("SSL_CERT_DIR"))
        }()

        /// Whether the user's own certificate authorities replace the system's.
        private static var hasOwnAuthorities: Bool { authorities.file != nil || authorities.folder != nil }

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
            if proxy == nil, request.allowedHosts.isLimited {
                _ = ccurl_set_socket_callback(
                    curl, handle,
                    { context, _, address in CurlExchange.of(context)?.openSocket(to: address) ?? -1 }, context)
                // A reused connection would not be checked.
                if code != 0 { _ = ccurl_set_long(curl, handle, Int32(CURLOPT_FRESH_CONNECT), 1) }
            }
            // libcurl before 7.80 doesn't report connections; then connecting counts as well.
            if code != 0 { beginWatch() }
        }

        /// The exchange of a callback, which the worker retains while libcurl has the handle.
        private static func of(_ context: UnsafeMutableRawPointer?) -> CurlExchange? {
            context.map { Unmanaged<CurlExchange>.fromOpaque($0).takeUnretainedValue() }
        }

        /// Whether the request may be sent over a new or reused connection.
        private func connected(to address: UnsafePointer<CChar>?) -> Bool {
            beginWatch()
            guard proxy == nil, request.allowedHosts.isLimited else { return true }
            if let address, let peer = NetworkAddress(String(cString: address)),
                request.allowedHosts.mayConnect(to: peer)
            {
                return true
            }
            failure = .privateAddress(request.url)
            return false
        }

        /// A socket for a connection to an address of the host; -1 if it isn't allowed.
        private func openSocket(to address: UnsafeMutablePointer<ccurl_address>?) -> Int32 {
            guard let address, let peer = NetworkAddress(ccurl_sockaddr(address), family: address.pointee.family),
                request.allowedHosts.mayConnect(to: peer)
            else {
                hasRefusedAddress = true
                return -1
            }
            return ccurl_open_socket(address)
        }

        /// The other end of the connection.
        private var peer: HTTPResponse.Peer? {
            if proxy != nil { return .proxy }
            let text = ccurl_get_text(curl, handle, Int32(CURLINFO_PRIMARY_IP))
            return text.flatMap { NetworkAddress(String(cString: $0)) }.map { .server($0) }
        }

        private func beginWatch() {
            watch = ProgressWatch(timeout: request.timeout, now: Date())
        }

        // MARK: Response

        /// Receives a line of the head or a trailer; returns the number of bytes accepted.
        private func receiveHeader(_ line: UnsafeRawBufferPointer) -> Int {
            watch?.note(line.count, at: Date())
            headerLines += 1
            headerBytes += line.count
            guard headerLines <= HTTPLimits.headerLines, headerBytes <= HTTPLimits.headerBytes else {
                failure = .malformed(request.url, problem: .headers)
                return -1
            }
            // Trailers are ignored.
            if !hasHead { line.withMemoryRebound(to: UInt8.self) { addToHead($0[...]) } }
            return failure == nil ? line.count : -1
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

        /// A part of a line without surrounding spaces, tabs and line ends.
        private static func trimmed(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>> {
            func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
            var rest = text.drop(while: isSpace)
            while let last = rest.last, isSpace(last) { rest.removeLast() }
            return rest
        }

        private func completeHead() {
            let status = ccurl_get_long(curl, handle, Int32(CURLINFO_RESPONSE_CODE))
            // Interim responses (1xx) precede the final one.
            guard status >= 200 else { return }
            hasHead = true
            let head = HTTPHead(status: status, fields: fields)
            if request.isDecoded, head.hasUnknownEncoding {
                failure = .malformed(request.url, problem: .encoding)
            } else if request.isDecoded, head["Content-Encoding"] != nil {
                // Some servers say gzip of text, which then is asked for again as it is.
                heldHead = head
            } else {
                transfer.receive(head, from: peer)
            }
        }

        private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
            guard !transfer.isFull else {
                isPaused = true
                return CURL_WRITEFUNC_PAUSE
            }
            watch?.note(bytes.count, at: Date())
            releaseHead()
            transfer.receive(bytes)
            return bytes.count
        }

        private func releaseHead() {
            if let head = heldHead.take() { transfer.receive(head, from: peer) }
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

        /// The reason for aborting the transfer now; nil to continue.
        func timeoutError(at now: Date) -> HTTPError? {
            guard !isPaused, let failure = watch?.failure(at: now) else { return nil }
            switch failure {
            case .slow: return .tooSlow(request.url)
            case .silent where hasHead: return .stalled(request.url, seconds: request.timeout)
            case .silent: return .timedOut(request.url, seconds: request.timeout)
            }
        }

        /// Wakes the reader if there is new data.
        func deliver() { transfer.deliver() }

        /// The result of a transfer that ended with a code of libcurl.
        func result(of code: CURLcode) -> Result<Void, any Error> {
            if let failure { return .failure(failure) }
            if code == 0, hasHead {
                releaseHead()
                return .success(())
            }
            return .failure(error(code))
        }

        /// Ends the response, after the worker has removed the handle.
        func end(_ result: Result<Void, any Error>) {
            curl.slist_free_all(requestHeaders)
            requestHeaders = nil
            transfer.end(result)
        }
    }

    // MARK: Errors

    extension CurlExchange {
        /// The error for a code of libcurl (https://curl.se/libcurl/c/libcurl-errors.html).
        private func error(_ code: CURLcode) -> HTTPError {
            let url = request.url
            // The `errno` of the system call that failed; 0 for none.
            let systemError = Int32(ccurl_get_long(curl, handle, Int32(CURLINFO_OS_ERRNO)))
            switch Int(code) {
            case CURLE_COULDNT_RESOLVE_HOST: return .unreachable(url, reason: .unknownHost)
            case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: return .unreachable(url, reason: .proxy)
            case CURLE_COULDNT_CONNECT where hasRefusedAddress: return .privateAddress(url)
            case CURLE_COULDNT_CONNECT: return .unreachable(url, reason: unreachable(systemError))
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
                return .insecure(url, reason: Self.hasOwnAuthorities ? .badAuthorities : .noAuthorities)
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR: return .insecure(url, reason: insecure)
            default: return .interrupted(url)
            }
        }

        private func unreachable(_ systemError: Int32) -> HTTPError.Unreachable {
            switch systemError {
            // Without a network, a system may have no address of the family either.
            case ENETUNREACH, ENETDOWN, EHOSTUNREACH, EAFNOSUPPORT, EADDRNOTAVAIL: .noNetwork
            case ETIMEDOUT: .timedOut
            default: proxy == nil ? .refused : .proxy
            }
        }

        /// The problem with the server's certificate, by OpenSSL's number
        /// (https://docs.openssl.org/3.0/man1/openssl-verification-options/#diagnostics).
        private var insecure: HTTPError.Insecure {
            switch ccurl_get_long(curl, handle, Int32(CURLINFO_SSL_VERIFYRESULT)) {
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

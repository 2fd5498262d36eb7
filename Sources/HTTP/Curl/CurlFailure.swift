#if os(Linux)
    import CCurl
    import Foundation

    /// What libcurl says of a transfer that failed (https://curl.se/libcurl/c/libcurl-errors.html).
    struct CurlFailure {
        let code: CURLcode
        /// What OpenSSL found wrong with the server's certificate (its `X509_V_ERR_…`), 0 for nothing.
        let verification: Int
        /// The `errno` of the call that failed, 0 if none did.
        let systemError: Int
        /// Whether the request went to a proxy, which may be what was not reached.
        let hasProxy: Bool
        /// Whether the head of the response has come.
        let hasHead: Bool

        /// The same in the program's words.
        func error(for request: HTTPRequest) -> HTTPError {
            let url = request.url
            switch Int(code) {
            case CURLE_COULDNT_RESOLVE_HOST: return .unreachable(url, reason: .unknownHost)
            case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: return .unreachable(url, reason: .proxy)
            case CURLE_COULDNT_CONNECT: return .unreachable(url, reason: unreachable)
            case CURLE_OPERATION_TIMEDOUT: return .unreachable(url, reason: .timedOut)
            case CURLE_URL_MALFORMAT: return .unreachable(url, reason: .badAddress)
            // libcurl says so of a response without a status line.
            case CURLE_UNSUPPORTED_PROTOCOL: return .notHTTP(url)
            case CURLE_WEIRD_SERVER_REPLY, CURLE_FILESIZE_EXCEEDED, CURLE_HTTP2,
                CURLE_HTTP2_STREAM:
                return .malformed(url, problem: .framing)
            // It limits a head, too.
            case CURLE_OUT_OF_MEMORY where !hasHead, CURLE_TOO_LARGE where !hasHead:
                return .malformed(url, problem: .headers)
            // libcurl limits how much it unpacks ahead of the reader.
            case CURLE_OUT_OF_MEMORY, CURLE_TOO_LARGE: return .tooLarge(url, limit: 64 << 20)
            case CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
                return .malformed(url, problem: .encoding)
            // Without an error of the system it is a chunk that is none.
            case CURLE_RECV_ERROR where systemError == 0 && url.scheme == "http":
                return .malformed(url, problem: .framing)
            case CURLE_SSL_CONNECT_ERROR: return .insecure(url, reason: .handshake)
            case CURLE_SSL_CACERT_BADFILE: return .insecure(url, reason: .badAuthorities)
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR:
                return .insecure(url, reason: insecure)
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

        /// The numbers are those of https://docs.openssl.org/3.0/man1/openssl-verification-options/#diagnostics.
        private var insecure: HTTPError.Insecure {
            switch verification {
            case 10: .expired
            case 9: .notYetValid
            case 18, 19: .selfSigned
            // libcurl compares the host itself, before it takes note that the certificate is right.
            case 0, 1, 62, 63, 64: .wrongHost
            default: .unknownAuthority
            }
        }
    }
#endif

import Foundation
import Testing
@testable import BlogHTTP

@Suite("Proxy environment variables") struct ProxyRulesTests {
    /// Variables, a URL, and the proxy that curl would use for it.
    private static let cases: [([String: String], String, String?)] = [
        ([:], "http://a.example/", nil), (["http_proxy": "p:1"], "http://a.example/", "p:1"),
        (["http_proxy": "p:1"], "https://a.example/", nil), (["HTTP_PROXY": "p:1"], "http://a.example/", nil),
        (["HTTPS_PROXY": "p:1"], "https://a.example/", "p:1"), (["all_proxy": "p:1"], "http://a.example/", "p:1"),
        (["https_proxy": "", "ALL_PROXY": "p:1"], "https://a.example/", "p:1"),
        (["http_proxy": ""], "http://a.example/", nil),
        (["http_proxy": "p:1", "no_proxy": "*"], "http://a.example/", nil),
        (["http_proxy": "p:1", "no_proxy": "a.example"], "http://A.example.:8080/", nil),
        (["http_proxy": "p:1", "no_proxy": "b.example, .a.example"], "http://www.a.example/", nil),
        (["http_proxy": "p:1", "no_proxy": ".a.example"], "http://a.example/", nil),
        (["http_proxy": "p:1", "NO_PROXY": "a.example"], "http://nota.example/", "p:1"),
        (["http_proxy": "p:1", "NO_PROXY": "a.example"], "http://a.example/", nil),
        (["http_proxy": "p:1", "no_proxy": "a.example"], "http://a.example.evil/", "p:1"),
        (["http_proxy": "p:1", "no_proxy": "10.0.0.0/8"], "http://10.1.2.3/", nil),
        (["http_proxy": "p:1", "no_proxy": "10.0.0.0/8"], "http://11.1.2.3/", "p:1"),
        (["http_proxy": "p:1", "no_proxy": "192.168.0.0/22"], "http://192.168.3.1/", nil),
        (["http_proxy": "p:1", "no_proxy": "192.168.0.0/22"], "http://192.168.4.1/", "p:1"),
        (["http_proxy": "p:1", "no_proxy": "::1,127.0.0.1"], "http://[::1]:8106/", nil),
        (["http_proxy": "p:1", "no_proxy": "10.0.0.1/99,10.0.0.1/x,/"], "http://10.0.0.1/", "p:1"),
        (["http_proxy": "p:1", "no_proxy": "localhost"], "http://127.0.0.1/", "p:1"),
    ]

    @Test("select the proxy that curl would use", arguments: cases)
    func proxy(environment: [String: String], address: String, proxy: String?) throws {
        #expect(ProxyRules(environment).proxy(for: try #require(URL(string: address))) == proxy)
    }
}

import BlogLibrary
import Foundation
import Testing

@Suite("The address of a source") struct SourceAddressTests {
    @Test(
        "has one spelling",
        arguments: [
            ("http://localhost:8106", "http://localhost:8106"), ("HTTP://LocalHost:8106/", "http://localhost:8106"),
            ("https://example.org:443/api/", "https://example.org/api"),
            ("http://example.org:80", "http://example.org"),
            ("http://example.org:8080", "http://example.org:8080"), (" http://a/b ", "http://a/b"),
        ])
    func spelling(text: String, url: String) {
        #expect(SourceAddress.url(text)?.absoluteString == url)
    }

    @Test(
        "is http or https with a host",
        arguments: [
            "", "localhost:8106", "file:///etc/passwd", "ftp://a", "http://", "http:///x", "http://a/?q",
            "http://u:p@a", "http://a:99999", "http://a:0",
        ])
    func refused(text: String) {
        #expect(SourceAddress.url(text) == nil)
    }
}

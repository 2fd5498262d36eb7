import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("An encrypted connection", .serialized, .enabled(if: SecureServer.canRun)) struct EncryptionTests {
    /// A certificate, the authority that is known, and why the server isn't trusted.
    static let certificates: [(String, String?, String?)] = [
        ("good", "authority", nil),
        ("good", nil, "certificate signed by an unknown authority"),
        ("good", "", "certificate signed by an unknown authority"),
        ("expired", "authority", "certificate has expired"),
        ("future", "authority", "certificate isn't valid yet (is this machine's clock right?)"),
        ("other-host", "authority", "certificate is for another host"),
        ("self-signed", "authority", "self-signed certificate"),
    ]

    @Test("is made only with a trusted server; otherwise the reason is reported", arguments: certificates)
    func trust(certificate: String, authority: String?, reason: String?) async throws {
        let site = try TestSite()
        let server = try SecureServer(certificate: certificate, in: site.home)
        let address = "https://localhost:\(server.port)"
        let trusted = authority.map { ["SSL_CERT_FILE": $0.isEmpty ? "" : SecureServer.path($0)] } ?? [:]
        let run = try await site.blog("list", "--url", address, environment: trusted)
        #expect(run.output == "")
        if let reason {
            #expect(run.errors == "blog: \(address)/post-metadata: \(reason)\n")
            #expect(run.code == 1)
        } else {
            #expect(run.errors == "blog: No posts in \(address).\n")
            #expect(run.code == 0)
        }
    }

    @Test("fails if the server is no longer trusted, but the stored copy is shown")
    func distrust() async throws {
        let site = try TestSite()
        let server = try SecureServer(certificate: "good", in: site.home)
        let address = "https://localhost:\(server.port)"
        let list = ["list", "--url", address]
        let trusted = ["SSL_CERT_FILE": SecureServer.path("authority")]
        #expect(try await site.blog(list[0], list[1], list[2], environment: trusted).code == 0)
        let run = try await site.blog(list[0], list[1], list[2])
        #expect(run.code == 1)
        #expect(run.errors.contains(" (showing the copy from "))
    }

    @Test("isn't redirected to an unencrypted one")
    func downgrade() async throws {
        let site = try TestSite()
        let server = try SecureServer(certificate: "good", in: site.home)
        let redirect = "HTTP/1.0 302 Found\r\nLocation: \(site.server.address)/post-metadata\r\n\r\n"
        try Data(redirect.utf8).write(to: site.home.appending(path: "post-metadata"))
        let run = try await site.blog(
            "list", "--url", "https://localhost:\(server.port)",
            environment: ["SSL_CERT_FILE": SecureServer.path("authority")])
        #expect(run.code == 1)
        #expect(run.errors.contains("/post-metadata: unsafe redirect to “http://"))
    }
}

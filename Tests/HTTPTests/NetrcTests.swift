import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogRendering

@Suite("Logins in .netrc") struct NetrcTests {
    @Test(
        "are parsed as curl parses them",
        arguments: [
            ("machine a.example login me password pw", "me:pw"),
            ("machine A.Example\n\tlogin me\n\tpassword pw\n", "me:pw"),
            ("machine b.example login x password y machine a.example login me password pw", "me:pw"),
            ("machine a.example login me password pw\nmachine a.example login you password no", "me:pw"),
            ("MACHINE a.example LOGIN me PASSWORD pw", "me:pw"),
            ("machine a.example\r\nlogin me\r\npassword pw", "me:pw"),
            ("machine a.example password pw login me", "me:pw"), ("machine a.example login me", "me:"),
            ("machine a.example account login login me password pw", "me:pw"),
            ("# machine a.example login no password no\nmachine a.example login me password #pw", "me:#pw"),
            (#"machine a.example login "m e" password "p\"w\\ \t""#, "m e:p\"w\\ \t"),
            (#"machine a.example login me password "login" "#, "me:login"),
            (#"machine a.example login me password "machine" login "x""#, "x:machine"),
            (
                "machine b.example macdef init\nmachine a.example login no\n\nmachine a.example login me password pw",
                "me:pw"
            ),
            ("machine b.example login x password y\ndefault login me password pw", nil),
            ("default login no password no machine a.example login me password pw", "me:pw"),
            ("machine a.example login me password pässwörd", "me:pässwörd"),
            ("machine b.example login me password pw", nil), ("machine a.example", nil), ("machine", nil), ("", nil),
            ("login me password pw", nil), (#"machine a.example login me password "pw"#, nil),
            ("machine sub.a.example login me password pw", nil), ("machine a.example.evil login me password pw", nil),
        ] as [(String, String?)])
    func reading(file: String, expected: String?) {
        let login = Netrc(text: file).login(for: "a.EXAMPLE")
        #expect(login.map { "\($0.name):\($0.password)" } == expected)
    }

    @Test("are encoded as RFC 7617 requires")
    func header() {
        let netrc = Netrc(text: "machine a.example login Aladdin password \"open sesame\"")
        #expect(netrc.login(for: "a.example")?.basic == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        #expect(Netrc(text: "machine a.example login a:b password c").login(for: "a.example")?.basic == nil)
    }

    @Test(
        "are used only from a file that others can't read",
        arguments: [(0o600, true), (0o400, true), (0o640, false), (0o604, false), (0o666, false)])
    func mode(mode: Int, isTaken: Bool) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("netrc")
        try Data("machine a.example login me password pw".utf8).write(to: folder.url.appending(path: "netrc"))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        #expect((Netrc(path: path).login(for: "a.example") != nil) == isTaken)
        #expect(Netrc(path: path).isUnsafe == !isTaken)
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: path)
        #expect((Netrc(path: folder.path("link")).login(for: "a.example") != nil) == isTaken)
    }

    @Test("don't exist if the file is missing, too long or a directory")
    func missing() throws {
        let folder = try TemporaryFolder()
        #expect(Netrc(path: folder.path("nothing")).login(for: "a.example") == nil)
        #expect(Netrc(path: folder.url.path).login(for: "a.example") == nil)
        let long = folder.url.appending(path: "long")
        let login = "machine a.example login me password pw\n"
        try Data(String(repeating: login, count: 10_000).utf8).write(to: long)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: long.path)
        #expect(Netrc(path: long.path).login(for: "a.example") == nil)
    }

    @Test("are never printed")
    func redaction() throws {
        let netrc = Netrc(text: "machine a.example login me password hunter2")
        let login = try #require(netrc.login(for: "a.example"))
        let client = HTTPClient(transport: StubTransport(chunks: []), netrc: netrc)
        for value in [login, netrc, client] as [Any] {
            var text = "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
            #expect(!text.contains("hunter2"))
        }
    }
}

import HTTP
import Testing
@testable import blog

@Test("Servers are told the version that the program prints")
func version() {
    #expect(UserAgent.version == Program.version)
}

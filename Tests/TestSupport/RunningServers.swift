import BlogMockServer

/// Servers that run until the suite that holds them has ended.
package final class RunningServers: Sendable {
    private let servers: [MockServer]

    package init(_ servers: MockServer...) {
        self.servers = servers
    }

    deinit { for server in servers { server.stop() } }
}

import Foundation
import MockServer

/// `mock-server`: serves sample data on this machine.
@main
struct MockServerProgram {
    static func main() {
        do {
            let settings = try Settings(Array(CommandLine.arguments.dropFirst()))
            if settings.wantsHelp {
                print(Settings.help)
                return
            }
            var port = settings.port
            for host in 1...settings.hosts {
                let server = try MockServer(
                    sites: settings.sites(), host: host, port: port, latency: settings.latency,
                    log: settings.isVerbose ? say : nil)
                for (path, fault) in settings.faults { server.setFault(fault, for: path) }
                port = server.port
            }
            say("serving \(settings.what) at http://localhost:\(port)")
            while true { pause() }
        } catch let error as MockServerError {
            say(error.message)
            exit(1)
        } catch {
            say("something failed that should not have")
            exit(1)
        }
    }

    @Sendable private static func say(_ text: String) {
        FileHandle.standardError.write(Data("mock-server: \(text)\n".utf8))
    }
}

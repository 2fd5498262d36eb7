import Essentials
import HTTP
import Terminal

#if !os(Linux)
    import BlogKit
#endif

@main
struct Blog {
    static func main() async {
        StandardStreams.prepare()
        Interruption.prepare()
        let environment = Environment(ProcessInfo.processInfo.environment)
        let context = Context(
            console: Console(environment: environment), environment: environment, transport: transport, now: { Date() })
        exit(await Program.run(Array(CommandLine.arguments.dropFirst()), in: context).rawValue)
    }

    /// The transport: URLSession, but libcurl on Linux.
    private static var transport: any Transport {
        #if os(Linux)
            CurlTransport()
        #else
            URLSessionTransport()
        #endif
    }
}

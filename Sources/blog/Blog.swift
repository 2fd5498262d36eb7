import BlogMarkup
import BlogCArguments
import BlogCMalloc
import BlogEssentials
import BlogHTTP
import BlogTerminal

#if !os(Linux)
    import BlogKit
#endif

@main
struct Blog {
    static func main() async {
        StandardStreams.prepare()
        Interruption.prepare()
        returnFreedMemory()
        let environment = Environment(ProcessInfo.processInfo.environment)
        let context = Context(
            console: Console(environment: environment), environment: environment, transport: transport, now: { Date() })
        let code = await Program.run(Array(arguments.dropFirst()), in: context)
        // Everything is written. What libraries do at exit would meet requests that are still under way: OpenSSL frees its
        // locks while another thread uses them.
        _exit(code.rawValue)
    }

    /// Keeps large blocks out of glibc's heap, where a small one behind them would keep them from the system when they are
    /// freed.
    ///
    /// By default glibc does so too, but only until the first of them is freed.
    private static func returnFreedMemory() {
        #if canImport(Glibc)
            _ = mallopt(M_MMAP_THRESHOLD, 1 << 20)
        #endif
    }

    /// The program's name and its arguments.
    private static var arguments: [String] {
        #if os(Linux)
            (0..<carguments_count()).map { String(cString: carguments_at($0)) }
        #else
            CommandLine.arguments
        #endif
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

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
    ///
    /// Swift reads them from /proc, which a bare container may not have. The kernel puts them on the stack: their number,
    /// pointers to them, a null pointer, and then the environment, where the walk back begins.
    private static var arguments: [String] {
        #if os(Linux)
            guard CommandLine.arguments.isEmpty, let environment = dlsym(nil, "environ") else {
                return CommandLine.arguments
            }
            let end = environment.load(as: UnsafePointer<UnsafePointer<CChar>?>.self) - 1
            var count = 0
            // No pointer is as small as the number.
            while Int(bitPattern: end[-1 - count]) != count { count += 1 }
            return (0..<count).compactMap { end[$0 - count].map { String(cString: $0) } }
        #else
            return CommandLine.arguments
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

import BlogMockServer
import Foundation

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
            if let record = settings.record {
                try Data("\(ProcessInfo.processInfo.processIdentifier)\n".utf8).write(to: record, options: .atomic)
            }
            say("serving \(settings.dataDescription) at http://localhost:\(port)")
            while true { pause() }
        } catch let error as MockServerError {
            say(error.message)
            exit(1)
        } catch {
            say("unexpected error: \(error)")
            exit(1)
        }
    }

    @Sendable private static func say(_ text: String) {
        FileHandle.standardError.write(Data("mock-server: \(text)\n".utf8))
    }
}

/// The command line of `mock-server`.
struct Settings {
    private(set) var port: UInt16 = 8106
    /// The number of addresses to listen on, starting at 127.0.0.1.
    private(set) var hosts: UInt8 = 1
    /// The file for the process ID, which is written once the port is open.
    private(set) var record: URL?
    private(set) var latency = 0
    private(set) var isVerbose = false
    private(set) var wantsHelp = false
    private(set) var faults: [(path: String, fault: Fault)] = []
    private var folder: URL?
    private var posts: Int?
    private var hackerNews: URL?
    private var feeds: URL?
    private var photos: URL?
    private var service: ServiceSite?
    private var isHostile = false

    static let help = """
        Example: mock-server --data mocks/data/blog --verbose

        Usage: mock-server [options]
          --port PORT          the port to listen on, 0 for any free port (8106)
          --record FILE        write the process ID to FILE once the port is open
          --hosts N            listen on 127.0.0.1 to 127.0.0.N, like N servers
          --data DIR           the folder to serve: all.json, post/POSTID.json, images/ (mocks/data/blog)
          --posts N            serve N made-up posts instead
          --feeds DIR          also serve blogs with feeds at /feeds/, and made-up ones at /feeds/many/1 and so on
          --hackernews DIR     also serve the Hacker News API at /v0: items.json, users.json, lists.json
          --photos DIR         also serve the 500px API at /v1: list.jsonl, details.jsonl, pictures/
          --service SOFTWARE   also serve the Google Reader API like freshrss (/api/greader.php), miniflux (/reader);
                               user alice, API password apipass1
          --hostile            add hostile and invalid records to these two, at the end of their lists
          --latency MS         delay every response
          --fault PATH=FAULT   make a path, all paths below one (PATH/*) or one page (PATH?page=2) fail; repeatable
                               \(Fault.names)
          --verbose            log each request on stderr
        """

    /// Throws a `MockServerError`.
    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--port": port = try Self.value(argument, &rest) { UInt16($0) }
            case "--record": record = try Self.value(argument, &rest) { URL(filePath: $0) }
            case "--hosts": hosts = try Self.value(argument, &rest) { UInt8($0).flatMap { $0 > 0 ? $0 : nil } }
            case "--latency": latency = try Self.value(argument, &rest) { Int($0).flatMap { $0 >= 0 ? $0 : nil } }
            case "--posts": posts = try Self.value(argument, &rest) { Int($0).flatMap { $0 >= 0 ? $0 : nil } }
            case "--data": folder = try Self.value(argument, &rest) { URL(filePath: $0) }
            case "--hackernews": hackerNews = try Self.value(argument, &rest) { URL(filePath: $0) }
            case "--feeds": feeds = try Self.value(argument, &rest) { URL(filePath: $0) }
            case "--photos": photos = try Self.value(argument, &rest) { URL(filePath: $0) }
            case "--service":
                service = try Self.value(argument, &rest) { ServiceSite.Software(rawValue: $0).map { ServiceSite($0) } }
            case "--fault": faults.append(try Self.value(argument, &rest, Self.fault))
            case "--hostile": isHostile = true
            case "--verbose": isVerbose = true
            case "--help", "-h": wantsHelp = true
            default: throw MockServerError(message: "unknown option “\(argument)” (see mock-server --help)")
            }
        }
    }

    /// The served data, for people.
    var dataDescription: String {
        let blog = posts.map { "\($0) made-up posts" } ?? (folder ?? Self.defaultFolder).path
        return [blog, hackerNews?.path, feeds?.path, photos?.path, service.map { _ in "a sync server" }].compactMap(
            \.self
        ).joined(separator: " and ")
    }

    /// Throws a `MockServerError`.
    func sites() throws -> [any MockSite] {
        var sites: [any MockSite] = service.map { [$0] } ?? []
        sites += [
            try posts.map { MadeUpSite(posts: $0) } ?? BlogSite(folder: folder ?? Self.defaultFolder)
        ]
        if let feeds { sites += [try FeedSite(folder: feeds), ArchiveSite(posts: 30)] }
        if let hackerNews { sites.append(try HackerNewsSite(folder: hackerNews, hostile: hostile("hackernews"))) }
        if let photos { sites.append(try PhotoSite(folder: photos, hostile: hostile("photos"))) }
        return sites
    }

    private static let defaultFolder = URL(filePath: "mocks/data/blog")

    private func hostile(_ name: String) -> URL? { isHostile ? URL(filePath: "mocks/data/hostile/\(name)") : nil }

    private static func fault(_ text: String) -> (path: String, fault: Fault)? {
        // The path may contain equals signs in its query, and the fault in an address.
        for sign in text.indices where text[sign] == "=" {
            if let fault = Fault(String(text[sign...].dropFirst())) { return (String(text[..<sign]), fault) }
        }
        return nil
    }

    private static func value<Value>(
        _ option: String, _ rest: inout ArraySlice<String>, _ parse: (String) -> Value?
    ) throws -> Value {
        guard let text = rest.popFirst() else { throw MockServerError(message: "\(option) needs a value") }
        guard let value = parse(text) else {
            throw MockServerError(message: "invalid value “\(text)” for \(option) (see mock-server --help)")
        }
        return value
    }
}

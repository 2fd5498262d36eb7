import BlogEssentials
import BlogFeeds
import BlogHTTP
import BlogMarkup
import BlogModel
import BlogStore

/// A file of sources: OPML, newsboat's `urls`, or any list with one address per line.
package struct SubscriptionFile {
    package let requests: [FollowRequest]
    /// Messages about lines that can't be followed.
    package let flaws: [Message]
    /// Messages about details that aren't kept.
    package let losses: [Message]
    /// newsboat's query feeds that are searches here.
    let queries: [NewsboatQuery]

    /// Reads a file, `-` for stdin.
    ///
    /// Throws ``FileError/unreadable(_:reason:)``, also if nothing in it is an address.
    ///
    /// - Parameter request: the template for all requests, without the address.
    package init(_ path: String, like request: FollowRequest) throws {
        try self.init(Self.bytes(path), from: path, like: request)
    }

    fileprivate init(_ bytes: [UInt8], from path: String, like request: FollowRequest) throws {
        let label = path == "-" ? "standard input" : path
        // No address starts like this.
        if bytes.first(where: { $0 > 0x20 && $0 < 0x80 }) == UInt8(ascii: "<") {
            guard let (feeds, others, isComplete) = try? OPML.read(bytes), !feeds.isEmpty else {
                throw FileError.unreadable(path, reason: "no feeds found")
            }
            requests = Self.distinct(feeds).map { feed in
                var request = Self.request(for: feed, like: request)
                request.kind = FeedSource.kind.name
                request.isTrusted = true
                return request
            }
            let repeated = feeds.count - requests.count
            losses = repeated == 0 ? [] : ["\(label): \(repeated) of \(feeds.count) feeds ignored as duplicates"]
            var flaws: [Message] = isComplete ? [] : ["\(label): the file ends before </opml>, so feeds may be missing"]
            if !others.isEmpty {
                let names = Counted.some(others.map { "“\(Sanitizer.line($0).shortened(to: 60))”" })
                flaws.append("\(label): not followed, because no feed's address is given: \(names)")
            }
            (self.flaws, queries) = (flaws, [])
            return
        }
        if bytes.contains(0) {
            let isDatabase = bytes.starts(with: Array("SQLite format 3".utf8))
            throw FileError.unreadable(
                path, reason: isDatabase ? "a database; to import newsboat's, name its folder" : "not a text file")
        }
        var (requests, flaws, losses) = ([FollowRequest](), RejectedLines(label: label), DroppedDetails(label: label))
        var queries: [NewsboatQuery] = []
        let text = String(
            decoding: bytes.starts(with: Self.byteOrderMark) ? bytes.dropFirst(3) : bytes[...], as: UTF8.self)
        for (number, line) in zip(1..., text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)) {
            switch SubscriptionLine(String(line)) {
            case .blank: break
            case .source(let source):
                guard losses.add(source, number) else { continue }
                requests.append(Self.request(for: source, like: request))
            case .query(let query): queries.append(query)
            case .special(let name): flaws.add(special: name, String(line), number)
            case .other: flaws.add(String(line), number)
            }
        }
        if requests.isEmpty, queries.isEmpty, !flaws.hasSpecialLines {
            let reason = flaws.isEmpty ? "no addresses found" : "neither OPML nor a list of addresses"
            throw FileError.unreadable(path, reason: reason)
        }
        self.requests = requests
        self.flaws = flaws.messages
        self.losses = losses.messages
        self.queries = queries
    }

    /// One subscription of each address: the first one in a folder, or else the first.
    private static func distinct(_ feeds: [Subscription]) -> [Subscription] {
        var (distinct, places): ([Subscription], [String: Int]) = ([], [:])
        for feed in feeds {
            guard let place = places[feed.address] else {
                places[feed.address] = distinct.count
                distinct.append(feed)
                continue
            }
            if distinct[place].folder?.isEmpty ?? true, feed.folder?.isEmpty == false { distinct[place] = feed }
        }
        return distinct
    }

    /// The file without the sources in private networks, to which a public list must not lead.
    fileprivate func withoutPrivateServers(label: String) -> SubscriptionFile {
        func isPrivate(_ request: FollowRequest) -> Bool {
            SourceAddress.page(request.address)?.host.map { NetworkAddress.isPrivate(host: $0) } == true
        }
        let names = requests.filter(isPrivate).map { Sanitizer.line($0.address).shortened(to: 60) }
        guard !names.isEmpty else { return self }
        let flaw: Message = """
            \(label): not followed, because a public list must not name servers of a private network: \
            \(Counted.some(names))
            """
        return SubscriptionFile(
            requests: requests.filter { !isPrivate($0) }, flaws: flaws + [flaw], losses: losses)
    }

    private init(requests: [FollowRequest], flaws: [Message], losses: [Message]) {
        (self.requests, self.flaws, self.losses, queries) = (requests, flaws, losses, [])
    }

    /// The feeds among some sources as OPML, and how many there are.
    package static func opml(of sources: [SourceState]) -> (text: String, feeds: Int) {
        let feeds = sources.filter { $0.id.kind == FeedSource.kind.name || $0.feed != nil }.map {
            Subscription(
                address: $0.feed ?? $0.id.address, title: $0.displayName, folder: $0.folder,
                name: $0.isFollowed && $0.feed == nil ? $0.name : nil,
                // A feed may name anything.
                site: $0.site ?? $0.home.flatMap { SourceAddress.page($0)?.absoluteString })
        }
        return (OPML.write(feeds, title: "Followed with blog"), feeds.count)
    }

    private static func request(for source: Subscription, like request: FollowRequest) -> FollowRequest {
        var wanted = request
        wanted.address = source.address
        wanted.isImported = true
        wanted.suggestedName = source.name
        if let title = source.title, ![source.address, source.name].contains(title) { wanted.title = title }
        let folders = [request.folder, source.folder].compactMap { $0?.isEmpty == false ? $0 : nil }
        if !folders.isEmpty { wanted.folder = folders.joined(separator: "/") }
        // Follow the source even if the address of its site is wrong.
        wanted.site = request.site ?? source.site.flatMap { SourceAddress.page($0)?.absoluteString }
        return wanted
    }

    /// The bytes of a file, `-` for stdin; throws ``FileError/unreadable(_:reason:)``.
    static func bytes(_ path: String) throws -> [UInt8] {
        let size = FileFacts(path: path, followsLinks: true)?.size
        let tooLong = FileError.unreadable(path, reason: "larger than 16 MiB")
        guard size ?? 0 <= maxBytes else { throw tooLong }
        let lines = try LineReader(path: path)
        var bytes: [UInt8] = []
        for line in lines {
            bytes += line + [0x0A]
            guard bytes.count <= maxBytes else { throw tooLong }
        }
        try lines.finish()
        return bytes
    }

    /// A list of 100,000 addresses has about ten million bytes.
    private static let maxBytes = 16 << 20
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}

/// Details in the lines of a file that aren't kept.
private struct DroppedDetails {
    let label: String
    var seen: Set<String> = []
    var repeated: [Int] = []
    var hidden: [Int] = []
    var tagged: [Int] = []
    var tags: [String] = []

    /// Adds the source of a line; false if an earlier line has the same address.
    mutating func add(_ source: Subscription, _ number: Int) -> Bool {
        guard seen.insert(source.address).inserted else {
            repeated.append(number)
            return false
        }
        // newsboat hides feeds with a `!` tag.
        if source.ignoredTags.contains(where: { $0.hasPrefix("!") }) { hidden.append(number) }
        let others = source.ignoredTags.filter { !$0.hasPrefix("!") }
        if !others.isEmpty { tagged.append(number) }
        for tag in others where !tags.contains(tag) { tags.append(tag) }
        return true
    }

    var messages: [Message] {
        var messages: [Message] = []
        if !tags.isEmpty {
            let names = Counted.some(tags.map { "“\(Sanitizer.line($0).shortened(to: 40))”" })
            messages.append(
                """
                \(label): tags not kept: \(names) in \(lines(tagged)) (only the first tag of each feed is kept, as its \
                folder)
                """)
        }
        if !hidden.isEmpty { messages.append("\(label): \(lines(hidden)): hidden in Newsboat, but listed by blog") }
        if !repeated.isEmpty {
            let what: Message = repeated.count == 1 ? "a duplicate" : "duplicates"
            messages.append("\(label): \(lines(repeated)) ignored as \(what)")
        }
        return messages
    }

    private func lines(_ numbers: [Int]) -> String {
        (numbers.count == 1 ? "line " : "lines ") + Counted.some(numbers.map { String($0) })
    }
}

/// Lines of a file that can't be followed.
private struct RejectedLines {
    let label: String
    var specials: [Message] = []
    var specialCount = 0
    var first: String?
    var numbers: [Int] = []

    var isEmpty: Bool { numbers.isEmpty && specialCount == 0 }
    var hasSpecialLines: Bool { specialCount > 0 }

    mutating func add(_ line: String, _ number: Int) {
        first = first ?? line
        numbers.append(number)
    }

    /// Adds a line that uses a special feature of newsboat.
    mutating func add(special name: String, _ line: String, _ number: Int) {
        specialCount += 1
        guard specialCount <= Self.maxNamed else { return }
        let what: Message = "\(label): line \(number) not followed: \(Self.shown(line))"
        specials.append("\(what) (\(Self.reason(special: name, Self.firstWord(of: line))))")
    }

    /// Why a special line isn't followed, and what the user can do: no list runs a command or reads a file.
    private static func reason(special name: String, _ word: String) -> Message {
        let text = word.dropFirst(name.count + 1)
        var command = String(text)
        switch name {
        case "query": return "to keep a search: blog search WORDS --as NAME"
        case "file": return "to follow it: blog follow \(ShellWords.quoted(word))"
        case "filter":
            guard let address = text.ranges(of: ":http").first.map({ text[text.index(after: $0.lowerBound)...] }) else {
                return "its address is missing"
            }
            let program = text[..<text.index(before: address.startIndex)]
            command = "curl -fsSL \(ShellWords.quoted(String(address))) | \(program)"
            return settings(command, named: String(program))
        default: return settings(command, named: command)
        }
    }

    /// The line of the settings with which a command can be followed.
    private static func settings(_ command: String, named program: String) -> Message {
        let file = program.split(separator: " ").first?.split(separator: "/").last ?? ""
        let word = file.prefix { $0 != "." }.lowercased().filter {
            $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-")
        }
        let name = word.isEmpty ? "feed" : word
        return "put this into the settings: exec.\(name) = \(Sanitizer.line(command)), then: blog follow exec:\(name)"
    }

    private static func firstWord(of line: String) -> String {
        let line = line.trimmed
        guard line.hasPrefix("\"") else { return String(line.prefix { $0 != " " && $0 != "\t" }) }
        return String(line.dropFirst().prefix { $0 != "\"" })
    }

    /// A message for each special line, and one for all others.
    var messages: [Message] {
        var messages = specials
        if specialCount > Self.maxNamed {
            let lines = Counted.of(specialCount - Self.maxNamed, "similar line")
            messages.append("\(label): \(lines) not shown")
        }
        if let first {
            let lines = Counted.some(numbers.map { String($0) })
            messages.append(
                numbers.count == 1
                    ? "\(label): line \(lines) isn't an address: \(Self.shown(first))"
                    : "\(label): lines \(lines) aren't addresses, for example \(Self.shown(first))")
        }
        return messages
    }

    /// A line as it is quoted in messages.
    private static func shown(_ line: String) -> String {
        let line = SourceAddress.withoutLogin(line.trimmed)
        return "“\(Sanitizer.line(line).shortened(to: 60))”"
    }

    private static let maxNamed = 10
}

/// A line of a list of addresses in the format of newsboat's `urls` file:
/// https://newsboat.org/releases/2.36/docs/newsboat.html#_first_steps.
///
/// Its words are an address and tags. A word may be quoted, and `#` starts a comment.
package enum SubscriptionLine: Hashable, Sendable {
    /// An empty line or a comment.
    case blank
    case source(Subscription)
    /// One of newsboat's query feeds, as a search.
    case query(NewsboatQuery)
    /// One of newsboat's alternatives to an address: `query`, `filter`, `exec` or `file`.
    case special(String)
    case other

    /// Reads a line.
    ///
    /// Only an address with a scheme may be followed by other words: `example.com` may start a sentence.
    package init(_ line: String) {
        let words = Self.words(line)
        guard let first = words.first?.text else {
            self = .blank
            return
        }
        let special = Self.specials.first { first.hasPrefix("\($0):") }
        let tags = words.dropFirst()
        let isSentence =
            first.firstRange(of: "://") == nil && tags.contains { !$0.isQuoted && !"~!".contains($0.text.prefix(1)) }
        if special == "query", let query = NewsboatQuery(first) {
            self = .query(query)
        } else if let special {
            self = .special(special)
        } else if Self.isAddress(first), !isSentence {
            self = .source(Self.subscription(first, tags: tags.map(\.text)))
        } else {
            self = .other
        }
    }

    private static let specials = ["query", "filter", "exec", "file"]

    /// The first tag becomes the folder; a `~` tag is the title; a `!` tag hides a feed in newsboat and is ignored.
    private static func subscription(_ address: String, tags: [String]) -> Subscription {
        let title = tags.first { $0.hasPrefix("~") }.flatMap { FeedText.line($0.dropFirst().utf8) }
        let others = tags.filter { !$0.isEmpty && !$0.hasPrefix("~") }
        let folder = others.firstIndex { !$0.hasPrefix("!") }
        let ignored = others.indices.filter { $0 != folder }.map { others[$0] }
        return Subscription(
            address: address, title: title, folder: folder.map { FolderPath([others[$0]]).text }, ignoredTags: ignored)
    }

    /// Whether a word looks like something to follow; an address with a login is rejected later, with the reason.
    private static func isAddress(_ word: String) -> Bool {
        if SourceAddress.completed(word) != nil || SourceRegistry.kind(named: word)?.source(at: nil) != nil {
            return true
        }
        guard SourceAddress.hasLogin(word), let at = word.lastIndex(of: "@") else { return false }
        return SourceAddress.completed(String(word[word.index(after: at)...])) != nil
    }

    private struct Word {
        var text = ""
        var isQuoted = false
    }

    private static func words(_ line: String) -> [Word] {
        var words: [Word] = []
        var scalars = line.unicodeScalars[...]
        while let next = scalars.first {
            if next == " " || next == "\t" {
                scalars.removeFirst()
            } else if next == "#" {
                break
            } else if next == "\"" {
                scalars.removeFirst()
                words.append(Word(text: quoted(&scalars), isQuoted: true))
            } else {
                let word = scalars.prefix { $0 != " " && $0 != "\t" }
                scalars = scalars[word.endIndex...]
                words.append(Word(text: String(word)))
            }
        }
        return words
    }

    /// The rest of a quoted word, up to the closing quote or the end of the line.
    private static func quoted(_ scalars: inout Substring.UnicodeScalarView) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = scalars.popFirst(), scalar != "\"" {
            guard scalar == "\\" else {
                text.append(scalar)
                continue
            }
            switch scalars.popFirst() {
            case "n", "r", "t", "v": text.append(" ")
            case let escaped? where ["\"", "\\", "`"].contains(escaped): text.append(escaped)
            case let other?: text.append(contentsOf: ["\\", other])
            case nil: text.append("\\")
            }
        }
        return String(text)
    }
}

/// The operands of `blog follow`: addresses, names, files, and `-` for stdin.
package struct FollowInput {
    package private(set) var requests: [FollowRequest] = []
    /// Lines of files that can't be followed.
    package private(set) var flaws: [Message] = []
    /// Details in files that are ignored.
    package private(set) var losses: [Message] = []
    /// newsboat's query feeds, to be kept as searches once their sources are followed.
    package private(set) var queries: [NewsboatQuery] = []

    /// Reads the files among the operands.
    ///
    /// Throws ``FileError/unreadable(_:reason:)``.
    ///
    /// - Parameter request: the options of each request.
    package init(_ operands: [String], like request: FollowRequest) throws {
        for operand in operands {
            if let folder = NewsboatFolder(operand) {
                try add(folder, operand, like: request)
                continue
            }
            if Self.isFolder(operand) {
                throw FileError.unreadable(operand, reason: "a folder without newsboat's list of feeds, urls")
            }
            guard operand == "-" || Self.isFile(operand) else {
                if Self.looksLikeFile(operand) {
                    throw FileError.unreadable(operand, reason: "No such file or directory")
                }
                var request = request
                request.address = operand
                requests.append(request)
                continue
            }
            let bytes = try SubscriptionFile.bytes(operand)
            if FileFacts(path: operand, followsLinks: true)?.isRegular == true, FeedParser.isFeed(bytes) {
                var request = request
                request.address = URL(filePath: operand).standardizedFileURL.absoluteString
                requests.append(request)
                continue
            }
            add(try SubscriptionFile(bytes, from: operand, like: request))
            let file = URL(filePath: operand).standardizedFileURL
            let folder = file.deletingLastPathComponent().path(percentEncoded: false)
            if file.lastPathComponent == "urls", let cache = NewsboatFolder(folder)?.cache {
                let command = "blog follow \(ShellWords.quoted(folder))"
                losses.append(
                    "\(operand): what you have read and flagged is in \(cache.path). To import that, too: \(command)")
            }
        }
    }

    /// Adds newsboat's feeds, which are followed even if they are down, with what it has stored of them.
    private mutating func add(_ folder: NewsboatFolder, _ path: String, like request: FollowRequest) throws {
        guard let urls = folder.urls else {
            throw FileError.unreadable(path, reason: "newsboat's list of feeds, urls, isn't there")
        }
        if let cache = folder.cache { try cache.reading { try cache.check() } }
        var request = request
        (request.kind, request.isTrusted, request.history) = (FeedSource.kind.name, true, folder.cache)
        let file = try SubscriptionFile(urls, like: request)
        requests += file.requests
        queries += file.queries
        // Each import would fail because of what only newsboat can follow.
        losses += file.flaws + file.losses
        guard let cache = folder.cache else {
            losses.append("\(path): newsboat's articles, cache.db, aren't there, so nothing of them is marked as read")
            return
        }
        let others = try cache.reading { try cache.others(than: Set(file.requests.map(\.address))) }
        if others.articles > 0 {
            let flagged: Message = others.flagged > 0 ? ", \(others.flagged) of them flagged" : ""
            losses.append(
                """
                \(cache.path): left out \(Counted.of(others.articles, "article")) of \
                \(Counted.of(others.feeds, "feed")) that can't be followed or \(others.feeds == 1 ? "isn't" : "aren't") \
                in the list\(flagged)
                """)
        }
    }

    private mutating func add(_ file: SubscriptionFile) {
        requests += file.requests
        flaws += file.flaws
        losses += file.losses
        queries += file.queries
    }

    /// This input with the lists at addresses that name OPML files.
    ///
    /// Throws an ``HTTPError`` or ``FileError/unreadable(_:reason:)``.
    package func fetchingLists(with library: Library) async throws -> FollowInput {
        var input = self
        input.requests = []
        for request in requests {
            guard request.kind == nil, let url = SourceAddress.page(request.address),
                url.pathExtension.lowercased() == "opml"
            else {
                input.requests.append(request)
                continue
            }
            let list: HTTPDocument
            do {
                list = try await library.connections.anonymous.client.typing(url).get(
                    url, options: .feed, limit: HTTPLimits.feedBytes)
            } catch  where requests.count > 1 && !(error is CancellationError) {
                // Among others it fails alone, when it is followed.
                input.requests.append(request)
                continue
            }
            let address = url.absoluteString
            let file = try SubscriptionFile(try list.body.bytes, from: address, like: request)
            input.add(list.isPublic ? file.withoutPrivateServers(label: address) : file)
        }
        return input
    }

    /// Whether an operand is an existing file; a folder counts only if it can't be meant as a name or a host.
    private static func isFile(_ operand: String) -> Bool {
        func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
        return exists(operand) && (looksLikeFile(operand) || !exists(operand + "/"))
    }

    private static func isFolder(_ operand: String) -> Bool {
        looksLikeFile(operand) && FileManager.default.fileExists(atPath: operand + "/.")
    }

    private static func looksLikeFile(_ operand: String) -> Bool {
        ["/", "./", "../", "~"].contains { operand.hasPrefix($0) }
            || operand.hasSuffix(".opml") && !operand.contains("://")
    }
}

extension String {
    /// At most this many characters, with "…" at the end if there were more.
    fileprivate func shortened(to count: Int) -> String {
        self.count <= count ? self : String(prefix(count - 1)) + "…"
    }
}

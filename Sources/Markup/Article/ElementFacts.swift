/// The facts about an element that decide whether it belongs to the article: its class, ID and other attributes.
struct ElementFacts: OptionSet {
    let rawValue: UInt32

    /// Whether its class or ID has a word of an element that is hardly part of an article, or one that may be after all.
    static let isUnlikely = ElementFacts(rawValue: 1)
    static let isPossible = ElementFacts(rawValue: 2)
    static let isByline = ElementFacts(rawValue: 4)
    static let isShareRow = ElementFacts(rawValue: 8)
    static let hasPositiveClass = ElementFacts(rawValue: 16)
    static let hasNegativeClass = ElementFacts(rawValue: 32)
    static let hasPositiveID = ElementFacts(rawValue: 64)
    static let hasNegativeID = ElementFacts(rawValue: 128)
    static let isHidden = ElementFacts(rawValue: 256)
    static let isModal = ElementFacts(rawValue: 512)
    static let hasUnlikelyRole = ElementFacts(rawValue: 1024)
    /// Whether `itemprop` says that it is a name.
    static let isName = ElementFacts(rawValue: 2048)
    /// Whether it is a link to a place in the page.
    static let isLocalLink = ElementFacts(rawValue: 4096)
    /// Whether it embeds a video.
    static let isVideo = ElementFacts(rawValue: 8192)
    static let isPresentation = ElementFacts(rawValue: 16384)
    /// Whether screen readers leave it out.
    static let isSilent = ElementFacts(rawValue: 32768)

    /// How much class and ID speak for the element.
    var weight: Double {
        var weight = 0.0
        if contains(.hasNegativeClass) { weight -= 25 }
        if contains(.hasPositiveClass) { weight += 25 }
        if contains(.hasNegativeID) { weight -= 25 }
        if contains(.hasPositiveID) { weight += 25 }
        return weight
    }
}

extension ElementFacts {
    init(of node: Int, in tree: HTMLTree) {
        var facts: ElementFacts = []
        let tag = tree.tag(node)
        tree.scanAttributes(of: node) { scanner in
            var words: ArticleWords = []
            for attribute in scanner.attributes {
                let value = scanner[attribute.value]
                switch scanner.lowercased(attribute.name) {
                case "class": facts.add(value, .hasPositiveClass, .hasNegativeClass, &words)
                case "id": facts.add(value, .hasPositiveID, .hasNegativeID, &words)
                case "href": if value.count > 1, value[0] == UInt8(ascii: "#") { facts.insert(.isLocalLink) }
                case let name: facts.add(name, value.text)
                }
                if [.iframe, .embed, .object].contains(tag), ArticleWords.isVideo(value) { facts.insert(.isVideo) }
            }
            facts.add(words)
        }
        // Pages that wait for a script hide all of themselves.
        if tag == .html || tag == .body { facts.subtract([.isHidden, .isModal]) }
        self = facts
    }

    private mutating func add(
        _ names: UnsafeBufferPointer<UInt8>, _ positive: ElementFacts, _ negative: ElementFacts,
        _ words: inout ArticleWords
    ) {
        let found = ArticleWords(in: names)
        if found.contains(.positive) { insert(positive) }
        if found.contains(.negative) { insert(negative) }
        words.formUnion(found)
    }

    private mutating func add(_ words: ArticleWords) {
        if words.contains(.unlikely) { insert(.isUnlikely) }
        if words.contains(.possible) { insert(.isPossible) }
        if words.contains(.byline) { insert(.isByline) }
        if words.contains(.share) { insert(.isShareRow) }
        // The picture of a formula, for programs that don't know MathML.
        if contains(.isSilent), !words.contains(.fallbackImage) { insert(.isHidden) }
        if contains(.isModal), !contains(.hasUnlikelyRole) { remove(.isModal) }
    }

    private mutating func add(_ name: String, _ value: String) {
        switch name {
        case "style": if HiddenElement.hides(value) { insert(.isHidden) }
        case "hidden": insert(.isHidden)
        case "aria-hidden": if value == "true" { insert(.isSilent) }
        case "aria-modal": if value == "true" { insert(.isModal) }
        case "role":
            if Self.unlikelyRoles.contains(value) { insert(.hasUnlikelyRole) }
            if value == "presentation" { insert(.isPresentation) }
        case "rel": if value == "author" { insert(.isByline) }
        case "itemprop":
            if value.contains("author") { insert(.isByline) }
            if value.contains("name") { insert(.isName) }
        default: break
        }
    }

    private static let unlikelyRoles: Set<String> = [
        "menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog",
    ]
}

/// The meaning of the words in classes and IDs.
struct ArticleWords: OptionSet {
    let rawValue: UInt8

    static let unlikely = ArticleWords(rawValue: 1)
    static let possible = ArticleWords(rawValue: 2)
    static let positive = ArticleWords(rawValue: 4)
    static let negative = ArticleWords(rawValue: 8)
    static let byline = ArticleWords(rawValue: 16)
    static let share = ArticleWords(rawValue: 32)
    static let fallbackImage = ArticleWords(rawValue: 64)

    private static let lists: [(ArticleWords, String)] = [
        (
            .unlikely,
            """
            -ad- ai2html banner breadcrumbs combx comment community cover-wrap disqus extra footer gdpr header legends \
            menu related remark replies rss shoutbox sidebar skyscraper social sponsor supplemental ad-break agegate \
            pagination pager popup yom-remote
            """
        ),
        (.possible, "and article body column content main mathjax shadow"),
        (
            .positive,
            "article body content entry hentry h-entry main page pagination post text blog story"
        ),
        (
            .negative,
            """
            -ad- hidden banner combx comment com- contact footer gdpr masthead media meta outbrain promo related scroll \
            share shoutbox sidebar skyscraper sponsor shopping tags widget
            """
        ),
        (.byline, "byline author dateline writtenby p-author"),
        (.fallbackImage, "fallback-image"),
    ]

    /// Words that count only where no letter or digit is beside them.
    private static let wholeWords: [(ArticleWords, String)] = [
        (.negative, "hid"), (.share, "share"), (.share, "sharedaddy"),
    ]

    private struct Word {
        let bytes: [UInt8]
        let meaning: ArticleWords
        let isWhole: Bool
    }

    /// The words by their first byte.
    private static let table: [[Word]] = {
        var table = [[Word]](repeating: [], count: 256)
        for (meaning, list) in lists {
            for word in list.split(separator: " ") {
                table[Int(word.utf8.first ?? 0)].append(Word(bytes: Array(word.utf8), meaning: meaning, isWhole: false))
            }
        }
        for (meaning, word) in wholeWords {
            table[Int(word.utf8.first ?? 0)].append(Word(bytes: Array(word.utf8), meaning: meaning, isWhole: true))
        }
        return table
    }()

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The meaning of all words in a text, wherever they are in it.
    init(in text: UnsafeBufferPointer<UInt8>) {
        var found: ArticleWords = []
        for place in text.indices {
            for word in Self.table[Int(text[place] | 0x20)] where !found.contains(word.meaning) {
                let end = place + word.bytes.count
                guard end <= text.count else { continue }
                let isThere = word.bytes.indices.allSatisfy { text[place + $0] | 0x20 == word.bytes[$0] }
                if isThere, !word.isWhole || Self.isWhole(place, end, text) { found.insert(word.meaning) }
            }
        }
        self = found
    }

    private static func isWhole(_ start: Int, _ end: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        func isPart(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte.isDigit }
        return (start == 0 || !isPart(text[start - 1])) && (end == text.count || !isPart(text[end]))
    }

    /// Whether an address is that of a player of videos.
    static func isVideo(_ address: UnsafeBufferPointer<UInt8>) -> Bool {
        guard address.count > 8, address.contains(UInt8(ascii: "/")) else { return false }
        let text = address.text.lowercased()
        return videoHosts.contains { text.contains("//\($0)/") || text.contains("//www.\($0)/") }
    }

    private static let videoHosts = [
        "dailymotion.com", "youtube.com", "youtube-nocookie.com", "player.vimeo.com", "v.qq.com", "bilibili.com",
        "live.bilibili.com", "archive.org", "upload.wikimedia.org", "player.twitch.tv", "player.bilibili.com",
    ]
}

import Foundation
import Markup

// For each path on standard input: prints the article of the page there, as a line of JSON.

/// What is printed of a page.
private struct Line: Encodable {
    let path: String
    let title, author, siteName, excerpt, publishDate, language, direction: String?
    let html: String?
    let milliseconds: Double
}

private func milliseconds(_ work: () -> Void) -> Double {
    let duration = ContinuousClock().measure(work).components
    return Double(duration.seconds) * 1e3 + Double(duration.attoseconds) / 1e15
}

/// The text of a page that was saved, which is in UTF-8, whatever it says.
private func page(_ path: String) -> String? {
    let data = try? Data(contentsOf: URL(filePath: path))
    return data.map { CharacterDecoding.page([UInt8]($0), charset: "utf-8") }
}

private let address = URL(string: "http://fakehost/test/page.html")

while let path = readLine() {
    guard let address, let page = page(path) else { continue }
    var article: PageArticle?
    let time = milliseconds { article = PageArticle(page: page, at: address) }
    let line = Line(
        path: path, title: article?.title, author: article?.author, siteName: article?.siteName,
        excerpt: article?.excerpt, publishDate: article?.publishDate, language: article?.language,
        direction: article?.direction, html: article?.html, milliseconds: time)
    print(try String(decoding: JSONEncoder().encode(line), as: UTF8.self))
}

import BlogMarkup
import Foundation

// Prints the article of each page whose path is on stdin, as a line of JSON.

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

/// The text of a saved page, which is in UTF-8 whatever it declares.
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

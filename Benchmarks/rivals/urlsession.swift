// A bare URLSession: no program that uses it can be faster.
//
//     urlsession URL                 writes the response to stdout
//     urlsession CONNECTIONS FILE    fetches the URLs in a file, one per line, and discards the responses
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Writes data as it arrives, and ends the program when the response is complete.
final class Writer: NSObject, URLSessionDataDelegate {
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        do { try FileHandle.standardOutput.write(contentsOf: data) } catch { exit(1) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exit(error == nil && (task.response as? HTTPURLResponse)?.statusCode == 200 ? 0 : 1)
    }
}

let configuration = URLSessionConfiguration.ephemeral
configuration.urlCache = nil
configuration.httpCookieStorage = nil
configuration.httpShouldSetCookies = false
configuration.httpCookieAcceptPolicy = .never
configuration.requestCachePolicy = .reloadIgnoringLocalCacheData

let arguments = CommandLine.arguments
if arguments.count == 2, let url = URL(string: arguments[1]) {
    let session = URLSession(configuration: configuration, delegate: Writer(), delegateQueue: nil)
    session.dataTask(with: url).resume()
    while true { sleep(1) }
}

guard arguments.count == 3, let connections = Int(arguments[1]) else { exit(2) }
let addresses = try String(contentsOfFile: arguments[2], encoding: .utf8)
    .split(separator: "\n").compactMap { URL(string: String($0)) }
configuration.httpMaximumConnectionsPerHost = connections
let session = URLSession(configuration: configuration)
try await withThrowingTaskGroup(of: Void.self) { group in
    for first in 0..<connections {
        group.addTask {
            for index in stride(from: first, to: addresses.count, by: connections) {
                let (_, response) = try await session.data(from: addresses[index])
                guard (response as? HTTPURLResponse)?.statusCode == 200 else { exit(1) }
            }
        }
    }
    try await group.waitForAll()
}

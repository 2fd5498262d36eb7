/// What a mock server serves.
public protocol MockSite: Sendable {
    /// The answer to a GET or HEAD, or nil where the path is none of this site's.
    func answer(_ request: MockRequest) -> MockResponse?
}

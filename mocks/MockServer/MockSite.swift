/// What a mock server serves.
public protocol MockSite: Sendable {
    /// The response to a GET or HEAD, or nil if the path is not part of this site.
    func response(to request: MockRequest) -> MockResponse?
}

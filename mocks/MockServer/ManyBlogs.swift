/// One site at many addresses: `/blog/1`, `/blog/2` and so on have below them what the site has below `/`.
public struct ManyBlogs: MockSite {
    private let site: any MockSite
    private let count: Int

    /// A site at `count` addresses.
    public init(_ count: Int, of site: any MockSite) {
        self.count = count
        self.site = site
    }

    /// The site's response, or nil if the path is below none of the addresses.
    public func response(to request: MockRequest) -> MockResponse? {
        let segments = request.segments
        guard segments.count > 2, segments[0] == "blog", let number = Int(segments[1]), (1...count).contains(number)
        else { return nil }
        return site.response(to: request.below(segments: 2))
    }
}

import Model

/// A person as the API sends one, all of whose names and places may be missing.
struct PhotoUser: Sendable {
    private let name: String?
    private let username: String?
    private let city: String?
    private let country: String?
    /// The address of a small picture, as seen from the site.
    private let picture: String?

    init(_ user: LooseObject) {
        username = user.line("username")
        let parts = [user.line("firstname"), user.line("lastname")].compactMap { $0 }
        name = user.line("fullname") ?? (parts.isEmpty ? username : parts.joined(separator: " "))
        (city, country) = (user.line("city"), user.line("country"))
        let avatars = user.object("avatars")
        let sizes = ["large", "default", "small", "tiny"].compactMap { avatars?.object($0)?.line("https") }
        picture = sizes.first ?? user.line("userpic_https_url") ?? user.line("userpic_url")
    }

    /// What is known of who took a photo beyond the name; nil for nothing.
    var photographer: Photographer? {
        let photographer = Photographer(username: username, city: city, country: country)
        return photographer == Photographer(username: nil) ? nil : photographer
    }

    /// A user, known or not, as an author.
    static func author(_ user: PhotoUser?, on site: PhotoWebsite) -> Author {
        Author(name: user?.name ?? "[unknown]", image: site.address(user?.picture))
    }
}

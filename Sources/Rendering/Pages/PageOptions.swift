import Model

/// What a page needs to know beside what it shows.
package struct PageOptions: Sendable {
    let dates: DateText
    let pictures: PagePictures
    /// A small map with a mark on a place, and what it is called; "" for none.
    let map: @Sendable (_ place: Coordinates, _ title: String) -> PageText
    /// The pages around it; none for a page that stands alone.
    package var navigation = PageNavigation()

    package init(
        dates: DateText, pictures: PagePictures = .linked,
        map: @escaping @Sendable (_ place: Coordinates, _ title: String) -> PageText = { _, _ in "" }
    ) {
        self.dates = dates
        self.pictures = pictures
        self.map = map
    }
}

/// Another page of the same folder.
package struct PageLink: Sendable {
    /// The path of its file, relative to the page that leads there; made by us of letters, digits, dashes and slashes.
    package let file: String
    package let title: String

    package init(file: String, title: String) {
        self.file = file
        self.title = title
    }
}

/// The pages around a page.
package struct PageNavigation: Sendable {
    /// The list that leads to it.
    let home: PageLink?
    /// The pages before and after it in the list.
    let previous: PageLink?
    let next: PageLink?

    package init(home: PageLink? = nil, previous: PageLink? = nil, next: PageLink? = nil) {
        self.home = home
        self.previous = previous
        self.next = next
    }
}

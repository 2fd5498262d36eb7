import BlogLibrary
import Rendering

/// Where the console gets pictures from.
package protocol PictureSource: Sendable {
    /// Begins to fetch a picture, unless it is there.
    func fetch(_ place: PicturePlace)
    /// The picture that belongs to a place, if it is there by now.
    func picture(at place: PicturePlace) -> LoadedPicture?
}

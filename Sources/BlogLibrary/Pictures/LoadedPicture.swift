import Foundation

/// A picture that has come, or was kept.
package struct LoadedPicture: Sendable {
    /// The file as its server sent it.
    package let data: Data
    package let format: PictureFormat
    /// Nil where the file doesn't tell.
    package let size: PixelSize?
    /// Where it is kept; nil if it isn't.
    package let path: String?

    /// Nil if the data is no picture.
    init?(_ data: Data, path: String?) {
        guard let format = PictureFormat(data) else { return nil }
        self.data = data
        self.format = format
        self.path = path
        size = PixelSize(of: data, format)
    }
}

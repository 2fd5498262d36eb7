import Foundation

/// Why a picture can't be had.
package enum PictureError: Error, Hashable, Sendable {
    /// The address is not http or https.
    case badAddress(String)
    /// It is not kept, and requests are off.
    case notKept(URL)
    /// What is there is no JPEG, PNG, GIF or WebP; the type is what the server calls it, nil where it doesn't say.
    case notAPicture(URL, type: String?)
}

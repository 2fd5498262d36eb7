import Model

extension Field {
    /// A fact of a photo as text; "" if there is none.
    func text(of photo: Photo?) -> String {
        switch self {
        case .rating: PhotoFacts.text(rating: photo?.rating) ?? ""
        case .views: photo?.views.map { String($0) } ?? ""
        case .votes: photo?.votes.map { String($0) } ?? ""
        case .category: photo?.category ?? ""
        case .camera: photo?.camera?.model ?? ""
        case .lens: photo?.camera?.lens ?? ""
        case .place: photo?.place.map { $0.name ?? $0.coordinates?.text ?? "" } ?? ""
        case .license: photo?.license ?? ""
        case .nsfw: photo.map { String($0.isAdult) } ?? ""
        case .photo: photo.map(PhotoJSON.object) ?? ""
        default: ""
        }
    }

    /// The same as JSON; nil if there is none.
    func json(of photo: Photo?) -> String? {
        switch self {
        case .rating: photo?.rating.flatMap(PhotoJSON.number)
        case .views, .votes, .nsfw: text(of: photo).isEmpty ? nil : text(of: photo)
        case .camera: photo?.camera.map(PhotoJSON.camera)
        case .place: photo?.place.map(PhotoJSON.place)
        case .photo: photo.map(PhotoJSON.object)
        default: text(of: photo).isEmpty ? nil : JSONText.string(text(of: photo))
        }
    }
}

import BlogCore

extension Record {
    /// The same with an id that can be typed as it is shown, in every format, as ids go from one `blog` to the next.
    func typed(of source: String) -> Record { withID(SourceRegistry.typed(metadata.id, of: source)) }
}

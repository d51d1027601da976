internal import LazyEditing
internal import LazyMedia

extension AnimatedThumbnail {
    /// What decides which pixels are shown when, in one line; equal lines make equal frames.
    ///
    /// Without what is about the encoding; the same on every machine and in every run.
    public var identifier: String {
        [
            edit.identifier, "length=\(length.nanoseconds)", "pieces=\(pieces)",
            "seam=\(seam.rawValue)", "flat=\(keepsFlatArt ? "kept" : "scaled")",
        ].joined(separator: ",")
    }
}

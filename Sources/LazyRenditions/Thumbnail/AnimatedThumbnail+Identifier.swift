internal import LazyEditing
internal import LazyMedia

extension AnimatedThumbnail {
    /// All settings that determine the frames, in one line; equal lines make equal frames.
    ///
    /// Encoding options are left out; the line is the same on every machine and in every run.
    public var identifier: String {
        [
            edit.identifier, "length=\(length.nanoseconds)", "pieces=\(pieces)",
            "seam=\(seam.rawValue)", "flat=\(keepsFlatArt ? "kept" : "scaled")",
        ].joined(separator: ",") + (keepsAllFrames ? ",frames=all" : "")
    }
}

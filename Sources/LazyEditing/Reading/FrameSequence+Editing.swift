public import LazyMedia

extension FrameSequence {
    /// The sequence that an edit makes of this one; decodes what the edit needs to know.
    ///
    /// Any reader of it is exact at random: frame `i` is the same whether it was sought or reached
    /// in sequence. Where frames are left out or reordered the timing of every frame is asked for
    /// once, which walks a video's packets; a smart gravity decodes a few small frames. Keeps the
    /// type and the loop count. Throws `.notFound` where nothing is left, `.notWritable` for a speed
    /// or rate that cannot be.
    public func edited(_ edit: ClipEdit) async throws(MediaError) -> FrameSequence {
        var sequence = self
        if !edit.keepsAllFrames {
            let index = try await frameIndex()
            sequence = try wrapped { (media) throws(MediaError) in
                try EditedMedia(media, index, edit, limits: limits)
            }
        }
        guard let size = edit.size else { return sequence }
        return try await sequence.framed(size, edit.gravity)
    }
}

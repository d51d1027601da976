public import LazyMedia

extension FrameSequence {
    /// The sequence with an edit applied.
    ///
    /// Random access is exact: frame `i` is the same whether it was sought or reached in sequence. An
    /// edit that drops or reorders frames needs the timing of every frame, which reads a video's
    /// packets once; a smart gravity decodes a few small frames, and
    /// looking for black bars 24 frames; subtitles of a track are read from its beginning to its end. Keeps the type and the loop count.
    /// Throws `.notFound` if nothing is left, and `.notWritable` for a speed or rate out of range.
    public func edited(_ edit: ClipEdit) async throws(MediaError) -> FrameSequence {
        var sequence = try await shaped(edit.shape, edit.gravity)
        if !edit.overlays.isEmpty {
            // Before frames are cut and retimed: overlays show the times of the source.
            let overlays = try await reading(edit.overlays)
            sequence = try await sequence.finished(edit).overlaid(overlays)
        }
        if !edit.keepsAllFrames {
            let index = try await frameIndex()
            sequence = try sequence.wrapped { (media) throws(MediaError) in
                try EditedMedia(media, index, edit, limits: limits)
            }
        }
        if edit.overlays.isEmpty { sequence = try await sequence.finished(edit) }
        return edit.matte.map(sequence.matted) ?? sequence
    }

    /// The sequence scaled and padded.
    private func finished(_ edit: ClipEdit) async throws(MediaError) -> FrameSequence {
        var sequence = self
        if let size = edit.size { sequence = try await sequence.framed(size, edit.gravity) }
        if let padding = edit.padding { sequence = try sequence.padded(padding) }
        return sequence
    }
}

internal import LazyEditing
internal import LazyMedia

extension ConversionWork {
    /// Whether the end of the source is left out.
    ///
    /// A song with one picture is longer than its frames.
    private var isCutShort: Bool {
        edit.maxFrames != nil || edit.segments.contains { $0.upperBound < ClipEdit.toTheEnd }
    }

    /// The sound to copy, or nil where none is asked for, or the source has none.
    func soundPart(of sequence: FrameSequence) async throws(MediaError) -> SoundPart? {
        guard case .copy(let choice)? = conversion.sound, !conversion.isStill,
            sequence.info.hasSound
        else {
            return nil
        }
        guard edit.speed == 1, !edit.isReversed, !edit.isBouncing, edit.crossfade == .zero,
            edit.segments.count <= 1
        else {
            throw MediaError(
                .notWritable,
                "Sound is copied where frames keep their times: for the whole clip or one part of it, at its own speed."
            )
        }
        guard let track = try await sequence.soundTrack(choice) else {
            throw MediaError(.notWritable, "The sound of joined clips is not copied.")
        }
        let start = edit.segments.first?.lowerBound ?? .zero
        let first = try await sequence.frame(0).presentationTime
        return SoundPart(
            track, from: start, lead: max(.zero, first - start), endsWithFrames: isCutShort)
    }
}

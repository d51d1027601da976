internal import LazyEditing
internal import LazyMedia

extension ConversionWork {
    /// Whether the end of the source is left out.
    ///
    /// A song with one picture is longer than its frames.
    private var isCutShort: Bool {
        edit.maxFrames != nil || edit.segments.contains { $0.upperBound < ClipEdit.toTheEnd }
    }

    /// An encoder that also copies the sounds that are asked for, and their codecs; none where the source has none.
    ///
    /// Of several, those that are not copied are left out, unless that is all of them.
    func copyingSounds(
        of sequence: FrameSequence, _ encoder: any MediaEncoding
    ) async throws(MediaError) -> (encoder: any MediaEncoding, codecs: [SoundFormat.Codec]) {
        guard case .copy(let choice)? = conversion.sound, !conversion.isStill,
            sequence.info.hasSound
        else {
            return (encoder, [])
        }
        guard edit.speed == 1, !edit.isReversed, !edit.isBouncing, edit.crossfade == .zero,
            edit.segments.count <= 1
        else {
            throw MediaError(
                .notWritable,
                "Sound is copied where frames keep their times: for the whole clip or one part of it, at its own speed."
            )
        }
        let all = sequence.info.streams.filter { $0.kind == .audio }
        let choices =
            choice == .standard && all.count > 1 ? all.indices.map { .number($0 + 1) } : [choice]
        var (encoder, codecs, failure) = (encoder, [SoundFormat.Codec](), MediaError?.none)
        for (place, choice) in choices.enumerated() {
            let isDefault = place == (all.firstIndex(where: \.isDefault) ?? 0) || choices.count == 1
            do throws(MediaError) {
                let part = try await soundPart(choice, isDefault: isDefault, of: sequence)
                encoder = try encoder.carrying(part)
                codecs.append(part.track.format.codec)
            } catch {
                guard Self.isOfOneSound(error) else { throw error }
                // That of the sound that players begin with tells most.
                failure = isDefault ? error : failure ?? error
            }
        }
        if let failure, codecs.isEmpty { throw failure }
        return (encoder, codecs)
    }

    private func soundPart(
        _ choice: TrackChoice, isDefault: Bool, of sequence: FrameSequence
    ) async throws(MediaError) -> SoundPart {
        guard let track = try await sequence.soundTrack(choice) else {
            throw MediaError(.notWritable, "The sound of joined clips is not copied.")
        }
        let start = edit.segments.first?.lowerBound ?? .zero
        let first = try await sequence.frame(0).presentationTime
        return SoundPart(
            track, from: start, lead: max(.zero, first - start), endsWithFrames: isCutShort,
            isDefault: isDefault)
    }

    /// Whether an error says nothing of the other sounds of a file.
    private static func isOfOneSound(_ error: MediaError) -> Bool {
        [.unsupported, .notWritable, .encrypted, .malformed].contains(error.code)
    }
}

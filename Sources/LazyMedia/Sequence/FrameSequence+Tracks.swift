extension FrameSequence {
    /// Opens a track of the same file; `.main` is this sequence.
    ///
    /// The film of a motion photo is opened as a file of its own, with the same limits and rules.
    /// Blocks while its header is read. Throws `.trackNotFound` where there is no such track, `.malformed`
    /// where the file announces a film that it does not have, and what opening it throws.
    public func track(
        _ track: MediaTrack, openedBy decoders: DecoderRegistry,
        cancellation: CancellationFlag = CancellationFlag()
    ) throws(MediaError) -> FrameSequence {
        switch track {
        case .main: return self
        case .motion:
            return opened(
                try decoders.open(
                    try media.motionFilm(), limits: limits, cancellation: cancellation))
        case .number(let number):
            return opened(try media.videoTrack(number, cancellation))
        }
    }

    private func opened(_ media: any OpenedMedia) -> FrameSequence {
        FrameSequence(media, limits: limits, delayRule: delayRule, pool: pool)
    }

    /// A sound of the same times as the frames, or nil where there is none.
    ///
    /// Runs on the pool for blocking work. Throws `.trackNotFound` where there is sound and not such a one, `.unsupported`
    /// for a codec that is not copied.
    public func soundTrack(
        _ choice: TrackChoice = .standard
    ) async throws(MediaError) -> (any SoundTrack)? {
        try await cancellable { (flag) throws(MediaError) in try media.soundTrack(choice, flag) }
    }

    /// The subtitles of a track, by the times of the frames.
    ///
    /// Runs on the pool for blocking work, and reads all of the track. Throws `.trackNotFound` where there
    /// is no such track, `.unsupported` where its subtitles are pictures.
    public func subtitleTrack(
        _ choice: TrackChoice = .standard
    ) async throws(MediaError) -> SubtitleTrack {
        try await cancellable { (flag) throws(MediaError) in
            try media.subtitleTrack(choice, flag)
        }
    }
}

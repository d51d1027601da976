extension FrameSequence {
    /// Makes a sequence of one picture; its frame is the picture itself.
    public init(still bitmap: Bitmap, type: MediaType = .unknown) {
        self.init(StillMedia(bitmap, type: type), limits: .local)
    }

    /// A sequence of media derived from this one's, with the same limits and rules.
    ///
    /// For media that change frames and keep their timing.
    public func wrapped<Failure: Error>(
        _ wrap: (any OpenedMedia) throws(Failure) -> any OpenedMedia
    ) throws(Failure) -> FrameSequence {
        FrameSequence(try wrap(media), limits: limits, delayRule: delayRule, pool: pool)
    }

    /// The same sequence with frames of another size, unless a size is requested.
    ///
    /// The decoders scale while they decode; `info.size` is the new size. Embedded posters keep their
    /// size.
    public func decoded(at target: TargetSize) -> FrameSequence {
        let size = decodedSize(target)
        guard size != info.size else { return self }
        return wrapped { SizedMedia(base: $0, size: size) }
    }
}

/// Media whose frames come out at another size than their own.
private struct SizedMedia: MappedMedia {
    let base: any OpenedMedia
    let size: PixelSize

    var info: MediaInfo {
        var info = base.info
        info.size = size
        return info
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        var options = options
        options.size = options.size ?? size
        return try base.makeReader(options)
    }
}

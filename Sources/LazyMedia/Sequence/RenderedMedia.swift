extension FrameSequence {
    /// The same sequence with pixels in other colors, or with the fields of interlaced video as they are.
    ///
    /// Without a change, frames are sRGB, HDR is tone-mapped as in browsers, and fields are
    /// deinterlaced. `samples: .sixteen` gives frames `deep` where the source has more than 8 bits and
    /// `color` is `.source`; it takes three times the memory of 8 bits.
    ///
    /// ```swift
    /// let raw = clip.rendered(color: .source)
    /// let deep = clip.rendered(color: .source, samples: .sixteen)
    /// let bright = clip.rendered(color: .sRGB(.bt2390))
    /// ```
    public func rendered(
        color: ColorOutput = .sRGB(), samples: SampleDepth = .eight, deinterlaces: Bool = true
    ) -> FrameSequence {
        guard color != .sRGB() || samples != .eight || !deinterlaces else { return self }
        return wrapped {
            RenderedMedia(base: $0, color: color, samples: samples, deinterlaces: deinterlaces)
        }
    }
}

/// Media whose readers render pixels in a chosen way.
private struct RenderedMedia: MappedMedia, RowReading {
    let base: any OpenedMedia
    let color: ColorOutput
    let samples: SampleDepth
    let deinterlaces: Bool

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        try base.makeReader(rendering(options))
    }

    func makeRowReader(_ options: ReaderOptions) throws(MediaError) -> (any RowReader)? {
        try (base as? any RowReading)?.makeRowReader(rendering(options))
    }

    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        try base.embeddedPoster(rendering(options))
    }

    private func rendering(_ options: ReaderOptions) -> ReaderOptions {
        var options = options
        options.color = color
        options.samples = samples
        options.deinterlaces = deinterlaces
        return options
    }
}

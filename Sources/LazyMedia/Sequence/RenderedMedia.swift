extension FrameSequence {
    /// The same sequence with pixels in other colors, or with the fields of interlaced video as they are.
    ///
    /// Without a change, frames are sRGB, HDR is tone-mapped as in browsers, and fields are
    /// deinterlaced.
    ///
    /// ```swift
    /// let raw = clip.rendered(color: .source)
    /// let bright = clip.rendered(color: .sRGB(.bt2390))
    /// ```
    public func rendered(
        color: ColorOutput = .sRGB(), deinterlaces: Bool = true
    ) -> FrameSequence {
        guard color != .sRGB() || !deinterlaces else { return self }
        return wrapped { RenderedMedia(base: $0, color: color, deinterlaces: deinterlaces) }
    }
}

/// Media whose readers render pixels in a chosen way.
private struct RenderedMedia: MappedMedia {
    let base: any OpenedMedia
    let color: ColorOutput
    let deinterlaces: Bool

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        try base.makeReader(rendering(options))
    }

    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        try base.embeddedPoster(rendering(options))
    }

    private func rendering(_ options: ReaderOptions) -> ReaderOptions {
        var options = options
        options.color = color
        options.deinterlaces = deinterlaces
        return options
    }
}

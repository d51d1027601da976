package import LazyMedia

extension EncoderFactory {
    /// Makes encoders of portable pixmaps, over black unless the options have a background.
    package static let ppm = EncoderFactory(
        still: .pnm,
        FormatTraits(
            canAnimate: false, alpha: .none, fidelity: .exact, side: 1 << 30, hasEffort: false)
    ) { options in PPMEncoder(background: options.background ?? .black) }

    /// Makes encoders of raw pixels: RGBA8 rows as they are, which are lent without a copy.
    package static let rawPixels = EncoderFactory(
        still: .rawPixels,
        FormatTraits(
            canAnimate: false, alpha: .full, fidelity: .exact, side: 1 << 30, hasEffort: false)
    ) { _ in RawPixels() }
}

private struct RawPixels: StillEncoding {
    func encode<Result>(
        _ picture: StillPicture, _ use: (UnsafeRawBufferPointer) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        try picture.bitmap.withBytes(use)
    }
}

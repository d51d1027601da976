package import LazyMedia

/// Makes encoders of JPEG.
package struct JPEGMaker: EncoderMaking {
    /// Makes the maker.
    package init() {}

    /// JPEG.
    package var type: MediaType { .jpeg }

    /// Makes an encoder, of quality 80 unless another is asked for.
    ///
    /// From effort 5 on, which is what nil means, the file is progressive, which is some per cent
    /// smaller; from quality 90 on colors keep their full resolution. Throws `.notWritable` where
    /// pixels shall come back exactly.
    package func makeEncoder(_ options: EncodingOptions) throws(MediaError) -> any MediaEncoding {
        if options.lossless == true {
            throw MediaError(.notWritable, "JPEG does not bring pixels back exactly.")
        }
        let quality = options.quality ?? 80
        return JPEGEncoder(
            quality: Int(min(max(quality, 1), 100).rounded()),
            isProgressive: (options.effort ?? 5) >= 5, isFullColor: quality >= 90,
            background: options.background ?? .white)
    }
}

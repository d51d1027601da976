public import LazyMedia

/// Makes GIF encoders.
public struct GIFMaker: EncoderMaking {
    /// Makes the maker.
    public init() {}

    /// GIF.
    public var type: MediaType { .gif }

    /// Makes an encoder; throws `.notWritable` for a number of colours that no palette has.
    public func makeEncoder(_ options: EncodingOptions) throws(MediaError) -> any MediaEncoding {
        guard (2...256).contains(options.colors) else {
            throw MediaError(
                .notWritable, "A GIF's palette has 2 to 256 colours, not \(options.colors).")
        }
        return GIFEncoder(options)
    }
}

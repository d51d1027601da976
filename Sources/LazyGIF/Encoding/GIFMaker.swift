package import LazyMedia

/// Makes GIF encoders.
package struct GIFMaker: EncoderMaking {
    /// Makes the maker.
    package init() {}

    /// GIF.
    package var type: MediaType { .gif }

    /// Makes an encoder; throws `.notWritable` for a number of colors that no palette has.
    package func makeEncoder(_ options: EncodingOptions) throws(MediaError) -> any MediaEncoding {
        guard (2...256).contains(options.colors) else {
            throw MediaError(
                .notWritable, "A GIF's palette has 2 to 256 colors, not \(options.colors).")
        }
        return GIFEncoder(options)
    }
}

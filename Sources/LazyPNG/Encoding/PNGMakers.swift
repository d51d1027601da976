public import LazyMedia

/// Makes encoders of animated PNG.
public struct APNGMaker: EncoderMaking {
    /// Makes the maker.
    public init() {}

    /// Animated PNG.
    public var type: MediaType { .apng }

    /// Makes an encoder; pixels are always exact, an effort of 7 or more spends much time on fewer
    /// bytes, and one of 2 or less hardly any.
    public func makeEncoder(_ options: EncodingOptions) throws(MediaError) -> any MediaEncoding {
        APNGEncoder(effort: options.effort ?? 5, threads: options.threads)
    }
}

/// Makes encoders of PNG of one picture.
public struct PNGMaker: EncoderMaking {
    /// Makes the maker.
    public init() {}

    /// PNG.
    public var type: MediaType { .png }

    /// Makes an encoder; pixels are always exact, an effort below 4 is quick and larger.
    public func makeEncoder(_ options: EncodingOptions) throws(MediaError) -> any MediaEncoding {
        PNGStillEncoder(level: (options.effort ?? 6) < 4 ? .fast : .small)
    }
}

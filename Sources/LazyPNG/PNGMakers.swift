public import LazyMedia

/// Makes encoders of animated PNG.
public struct APNGMaker: EncoderMaking {
    /// Makes the maker.
    public init() {}

    /// Animated PNG.
    public var type: MediaType { .apng }

    /// Makes an encoder; pixels are always exact, an effort of 6 or more spends time on fewer bytes.
    public func makeEncoder(_ options: EncodingOptions) throws(MediaError) -> any MediaEncoding {
        APNGEncoder(level: (options.effort ?? 4) < 6 ? .fast : .small)
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

package import LazyMedia

/// Makes encoders of animated PNG.
package struct APNGMaker: EncoderMaking {
    /// Makes the maker.
    package init() {}

    /// Animated PNG.
    package var type: MediaType { .apng }

    /// Makes an encoder; pixels are always exact, an effort of 7 or more spends much time on fewer
    /// bytes, and one of 2 or less hardly any.
    package func makeEncoder(_ options: EncodingOptions) throws(MediaError) -> any MediaEncoding {
        APNGEncoder(effort: options.effort ?? 5, threads: options.threads)
    }
}

/// Makes encoders of PNG of one picture.
package struct PNGMaker: EncoderMaking {
    /// Makes the maker.
    package init() {}

    /// PNG.
    package var type: MediaType { .png }

    /// Makes an encoder; pixels are always exact, an effort below 4 is quick and larger.
    package func makeEncoder(_ options: EncodingOptions) throws(MediaError) -> any MediaEncoding {
        PNGStillEncoder(level: (options.effort ?? 6) < 4 ? .fast : .small)
    }
}

internal import LazyCodecs
internal import LazyEditing
internal import LazyLoading
public import LazyMedia
public import LazyPipeline

#if Video
internal import LazyVideo
#endif

extension FormatRegistry {
    /// All formats of this build, in the order that help lists them and decoders are asked.
    ///
    /// Without the trait `Video` what FFmpeg reads is recognized only. Listing formats loads no
    /// library.
    public static let standard: FormatRegistry = {
        var formats: [MediaFormat] = [
            .gif, .png, .jpeg, .webp, .apng, .avif, .jpegXL, .tiff, .bmp,
            .ico(decodedBy: PNGDecoder()), .raw(jpeg: JPEGDecoder(), tiff: TIFFDecoder()),
        ]
        #if Video
        formats += [.heic(decodedBy: PictureDecoders())] + MediaFormat.video
        #else
        formats += MediaFormat.codecFree
        #endif
        return FormatRegistry(formats)
    }()
}

extension DecoderRegistry {
    /// The decoders of all formats of this build.
    public static let standard = FormatRegistry.standard.decoders
}

extension EncoderRegistry {
    /// The encoders of all formats of this build.
    public static let standard = FormatRegistry.standard.encoders

    /// The same, and portable pixmaps and raw pixels, which only single pictures are written as.
    package static let pictures = EncoderRegistry(standard.factories + [.ppm, .rawPixels])
}

extension MediaType {
    /// All types that are recognized, animations first.
    public static let all = Family.allCases.flatMap { family in
        FormatRegistry.standard.types.filter { $0.family == family }
    }

    /// Tells the type of a whole source, reading no more of it than it must.
    ///
    /// Throws what reading the source throws.
    public static func sniffing(_ bytes: any ByteSource) throws(MediaError) -> MediaType {
        try FormatRegistry.standard.sniffer.type(of: bytes)
    }

    /// What a file of this type can carry; nil for types that are not written.
    public var traits: FormatTraits? { EncoderRegistry.standard.traits(for: self) }

    /// What changes loop and delays of a file of this type without encoding it again, or nil.
    public var rewriter: (any MediaRewriting)? { FormatRegistry.standard.rewriter(for: self) }
}

extension InstalledLibrary {
    /// The C libraries of this build; loads FFmpeg, which takes some 50 ms.
    public static func all() -> [InstalledLibrary] {
        let curl = InstalledLibrary(
            name: "libcurl", version: HTTPLoader.libraryVersion, license: "curl",
            purpose: "http and https", package: "libcurl4")
        let text = InstalledLibrary(
            name: "libass", version: TextBackend.libraryVersion, license: "ISC",
            purpose: "text and subtitles on pictures", package: "libass9")
        let magic = InstalledLibrary(
            name: "libmagic", version: ContentNamer.version, license: "BSD-2-Clause",
            purpose: "names of what is not read", package: "libmagic1")
        return FormatRegistry.standard.libraries() + [text, curl, magic]
    }
}

extension RangeOpener {
    /// Makes an opener for the formats of this build; see `init(loader:formats:memory:disk:ahead:)`.
    public init(
        loader: any DataLoading, memory: Int = 1 << 24, disk: Int = 1 << 30, ahead: Int = 0
    ) {
        self.init(loader: loader, formats: .standard, memory: memory, disk: disk, ahead: ahead)
    }
}

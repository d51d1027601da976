internal import LazyAVIF
internal import LazyGIF
internal import LazyHTTP
internal import LazyJPEG
internal import LazyPNG
internal import LazyWebP

#if Video
    internal import LazyVideo
#endif

/// A library that decodes or encodes for us, as it is found on this machine.
public struct InstalledLibrary: Sendable {
    /// Its name, such as `giflib`.
    public let name: String
    /// Its version, or nil where it is not there.
    public let version: String?
    /// Its licence in words.
    public let licence: String
    /// What it is for.
    public let purpose: String

    /// Makes a description; a library without a version is not there.
    public init(name: String, version: String?, licence: String, purpose: String) {
        self.name = name
        self.version = version
        self.licence = licence
        self.purpose = purpose
    }

    /// The C libraries of this build; loads FFmpeg, which takes some 50 ms.
    public static func all() -> [InstalledLibrary] {
        [
            InstalledLibrary(
                name: "giflib", version: GIFDecoder.libraryVersion, licence: "MIT", purpose: "GIF"),
            InstalledLibrary(
                name: "libpng", version: PNGDecoder.libraryVersion, licence: "libpng",
                purpose: "reading PNG"),
            InstalledLibrary(
                name: "ISA-L", version: PNGEncoder.libraryVersion, licence: "BSD-3-Clause",
                purpose: "writing PNG"),
            InstalledLibrary(
                name: "libjpeg-turbo", version: JPEGDecoder.libraryVersion,
                licence: "IJG, BSD-3-Clause and zlib", purpose: "JPEG"),
            InstalledLibrary(
                name: "libwebp", version: WebPLibrary.version, licence: "BSD-3-Clause",
                purpose: "WebP"),
            InstalledLibrary(
                name: "libavif", version: AVIFLibrary.loadedVersion, licence: "BSD-2-Clause",
                purpose: "AVIF"),
            InstalledLibrary(
                name: "libcurl", version: HTTPLoader.libraryVersion, licence: "curl",
                purpose: "http and https"),
        ] + ffmpeg()
    }

    /// Whether FFmpeg's decoders of some names are there; empty without FFmpeg.
    public static func codecs(_ names: [String]) -> [(name: String, isThere: Bool)] {
        #if Video
            return names.compactMap { name in
                (try? VideoDecoder.hasDecoder(named: name)).map { (name, $0) }
            }
        #else
            return []
        #endif
    }

    /// FFmpeg's encoders that MP4 and WebM are written with; empty without FFmpeg.
    public static func videoEncoders() -> [(name: String, codec: String, isThere: Bool)] {
        #if Video
            let all = (try? VideoEncoderSupport.available()) ?? []
            return all.map { ($0.name, $0.codec.rawValue, $0.isInstalled) }
        #else
            return []
        #endif
    }

    private static func ffmpeg() -> [InstalledLibrary] {
        #if Video
            let licence = (try? VideoDecoder.libraryLicense()) ?? "LGPL or GPL"
            guard let versions = try? VideoDecoder.libraryVersions() else {
                return [
                    InstalledLibrary(
                        name: "FFmpeg", version: nil, licence: licence, purpose: "video and stills")
                ]
            }
            return versions.map { name, version in
                InstalledLibrary(
                    name: name, version: version, licence: licence, purpose: "video and stills")
            }
        #else
            return []
        #endif
    }
}

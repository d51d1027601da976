/// The type of media, found from its bytes alone, never from a name or a Content-Type.
public struct MediaType: Hashable, Sendable, CustomStringConvertible {
    /// The stable short name, such as `gif`, `mp4` or `webm`.
    public let name: String
    /// The media type of RFC 6838, such as `image/gif`.
    public let mimeType: String
    /// The family of formats.
    public let family: Family

    /// The families of formats.
    public enum Family: String, Sendable {
        /// One picture.
        case still
        /// Frames in a picture format.
        case animation
        /// A video container.
        case video
        /// Unknown.
        case unknown
    }

    /// Makes a type; sniffing returns only the types below.
    public init(name: String, mimeType: String, family: Family) {
        self.name = name
        self.mimeType = mimeType
        self.family = family
    }

    /// The short name.
    public var description: String { name }
}

extension MediaType {
    private static func still(_ name: String, _ mime: String) -> MediaType {
        MediaType(name: name, mimeType: mime, family: .still)
    }
    private static func animation(_ name: String, _ mime: String) -> MediaType {
        MediaType(name: name, mimeType: mime, family: .animation)
    }
    private static func video(_ name: String, _ mime: String) -> MediaType {
        MediaType(name: name, mimeType: mime, family: .video)
    }

    /// Bytes of an unknown type.
    public static let unknown = MediaType(
        name: "unknown", mimeType: "application/octet-stream", family: .unknown)

    /// GIF87a or GIF89a, with one image or many.
    public static let gif = animation("gif", "image/gif")
    /// PNG with an `acTL` chunk before its `IDAT`.
    public static let apng = animation("apng", "image/apng")
    /// WebP with the animation flag in its `VP8X` chunk.
    public static let webpAnimation = animation("webp-animation", "image/webp")
    /// AVIF with the brand `avis`.
    public static let avifSequence = animation("avif-sequence", "image/avif")
    /// HEIF with a sequence brand (`hevc`, `hevx`, `hevm`, `hevs`, `msf1`).
    public static let heicSequence = animation("heic-sequence", "image/heic-sequence")

    /// PNG with one picture.
    public static let png = still("png", "image/png")
    /// JPEG.
    public static let jpeg = still("jpeg", "image/jpeg")
    /// WebP with one picture.
    public static let webp = still("webp", "image/webp")
    /// Windows bitmap.
    public static let bmp = still("bmp", "image/bmp")
    /// TIFF of either byte order.
    public static let tiff = still("tiff", "image/tiff")
    /// AVIF with one picture.
    public static let avif = still("avif", "image/avif")
    /// HEIF with HEVC, or another still with the brand `mif1`.
    public static let heic = still("heic", "image/heic")
    /// Windows icon.
    public static let ico = still("ico", "image/vnd.microsoft.icon")
    /// JPEG 2000, as a file or a bare codestream.
    public static let jpeg2000 = still("jpeg2000", "image/jp2")
    /// JPEG XL, as a container or a bare codestream.
    public static let jpegXL = still("jxl", "image/jxl")

    /// MPEG-4 by its brands, fragmented or not.
    public static let mp4 = video("mp4", "video/mp4")
    /// Apple's variety of MP4.
    public static let m4v = video("m4v", "video/x-m4v")
    /// QuickTime, by its brand or, without one, by its first atom.
    public static let mov = video("mov", "video/quicktime")
    /// Matroska with the DocType `webm`.
    public static let webm = video("webm", "video/webm")
    /// Matroska.
    public static let matroska = video("matroska", "video/x-matroska")
    /// Audio Video Interleave.
    public static let avi = video("avi", "video/x-msvideo")
    /// Ogg.
    public static let ogg = video("ogg", "video/ogg")
    /// Flash video.
    public static let flv = video("flv", "video/x-flv")
    /// MPEG transport stream of 188-byte packets (or 192 with time stamps).
    public static let mpegTS = video("mpegts", "video/mp2t")
    /// YUV4MPEG2.
    public static let y4m = video("y4m", "video/x-yuv4mpeg")
    /// IVF, the bare container of VP8, VP9 and AV1 test streams.
    public static let ivf = video("ivf", "video/x-ivf")
    /// MPEG program stream.
    public static let mpegPS = video("mpegps", "video/mp2p")
    /// Advanced Systems Format (WMV).
    public static let asf = video("asf", "video/x-ms-asf")

    /// All types that sniffing returns except `unknown`.
    public static let all: [MediaType] = [
        .gif, .apng, .webpAnimation, .avifSequence, .heicSequence, .png, .jpeg, .webp, .bmp, .tiff,
        .avif, .heic, .ico, .jpeg2000, .jpegXL, .mp4, .m4v, .mov, .webm, .matroska, .avi, .ogg,
        .flv, .mpegTS, .y4m, .ivf, .mpegPS, .asf,
    ]
}

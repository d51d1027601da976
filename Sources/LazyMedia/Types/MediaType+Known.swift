/// The types that have a name in code everywhere; a new format may declare its own beside it.
extension MediaType {
    /// Bytes of an unknown type.
    public static let unknown = MediaType(
        name: "unknown", mimeType: "application/octet-stream", family: .unknown)

    /// GIF87a or GIF89a, with one image or many.
    public static let gif = MediaType(
        name: "gif", mimeType: "image/gif", family: .animation, fileExtensions: ["gif"])
    /// PNG with an `acTL` chunk before its `IDAT`.
    public static let apng = MediaType(
        name: "apng", mimeType: "image/apng", otherMIMETypes: ["image/vnd.mozilla.apng"],
        family: .animation, fileExtensions: ["apng", "png"])
    /// WebP with the animation flag in its `VP8X` chunk.
    public static let webpAnimation = MediaType(
        name: "webp-animation", title: "WebP", mimeType: "image/webp", family: .animation,
        fileExtensions: ["webp"])
    /// AVIF with the brand `avis`.
    public static let avifSequence = MediaType(
        name: "avif-sequence", title: "AVIF", mimeType: "image/avif",
        otherMIMETypes: ["image/avif-sequence"], family: .animation,
        fileExtensions: ["avif", "avifs"])
    /// JPEG XL with the animation flag in its header.
    public static let jpegXLAnimation = MediaType(
        name: "jxl-animation", title: "JPEG XL", mimeType: "image/jxl", family: .animation,
        fileExtensions: ["jxl"])
    /// HEIF with a sequence brand (`hevc`, `hevx`, `hevm`, `hevs`, `msf1`).
    public static let heicSequence = MediaType(
        name: "heic-sequence", title: "HEIC", mimeType: "image/heic-sequence",
        otherMIMETypes: ["image/heif-sequence"], family: .animation,
        fileExtensions: ["heics", "heifs"])

    /// PNG with one picture.
    public static let png = MediaType(
        name: "png", mimeType: "image/png", family: .still, fileExtensions: ["png"])
    /// JPEG.
    public static let jpeg = MediaType(
        name: "jpeg", mimeType: "image/jpeg", family: .still,
        fileExtensions: ["jpg", "jpeg", "jpe", "jfif"])
    /// WebP with one picture.
    public static let webp = MediaType(
        name: "webp", title: "WebP", mimeType: "image/webp", family: .still,
        fileExtensions: ["webp"])
    /// Windows bitmap.
    public static let bmp = MediaType(
        name: "bmp", mimeType: "image/bmp", family: .still, fileExtensions: ["bmp", "dib"])
    /// TIFF of either byte order.
    public static let tiff = MediaType(
        name: "tiff", mimeType: "image/tiff", family: .still, fileExtensions: ["tiff", "tif"])
    /// RGBA8 rows without a header, which are written and not read.
    public static let rawPixels = MediaType(
        name: "raw-pixels", mimeType: "application/octet-stream", family: .still,
        fileExtensions: ["raw"])
    /// AVIF with one picture.
    public static let avif = MediaType(
        name: "avif", mimeType: "image/avif", family: .still, fileExtensions: ["avif"])
    /// HEIF with HEVC, or another still of `mif1`.
    public static let heic = MediaType(
        name: "heic", mimeType: "image/heic", otherMIMETypes: ["image/heif"], family: .still,
        fileExtensions: ["heic", "heif", "hif"])
    /// Windows icon.
    public static let ico = MediaType(
        name: "ico", mimeType: "image/vnd.microsoft.icon", otherMIMETypes: ["image/x-icon"],
        family: .still, fileExtensions: ["ico", "cur"])
    /// JPEG 2000, as a file or a bare codestream.
    public static let jpeg2000 = MediaType(
        name: "jpeg2000", title: "JPEG 2000", mimeType: "image/jp2", otherMIMETypes: ["image/jpx"],
        family: .still,
        fileExtensions: ["jp2", "j2k", "jpf"])
    /// JPEG XL with one picture, as a container or a bare codestream.
    public static let jpegXL = MediaType(
        name: "jxl", title: "JPEG XL", mimeType: "image/jxl", family: .still,
        fileExtensions: ["jxl"])
    /// Quite OK Image.
    public static let qoi = MediaType(
        name: "qoi", mimeType: "image/qoi", family: .still, fileExtensions: ["qoi"])
    /// Netpbm's bitmaps, graymaps, pixmaps and arbitrary maps, in text or binary.
    public static let pnm = MediaType(
        name: "pnm", mimeType: "image/x-portable-anymap",
        otherMIMETypes: [
            "image/x-portable-pixmap", "image/x-portable-graymap", "image/x-portable-bitmap",
        ], family: .still, fileExtensions: ["ppm", "pgm", "pbm", "pnm", "pam"])

    /// MPEG-4 by its brands, fragmented or not.
    public static let mp4 = MediaType(
        name: "mp4", mimeType: "video/mp4",
        otherMIMETypes: ["video/3gpp", "video/3gpp2", "video/mj2"], family: .video,
        fileExtensions: ["mp4", "3gp", "3g2", "f4v"])
    /// Apple's variety of MP4.
    public static let m4v = MediaType(
        name: "m4v", mimeType: "video/x-m4v", family: .video, fileExtensions: ["m4v"])
    /// QuickTime, by its brand or, without one, by its first atom.
    public static let mov = MediaType(
        name: "mov", title: "QuickTime", mimeType: "video/quicktime", family: .video,
        fileExtensions: ["mov", "qt"])
    /// Matroska with the DocType `webm`.
    public static let webm = MediaType(
        name: "webm", title: "WebM", mimeType: "video/webm", family: .video,
        fileExtensions: ["webm"])
    /// Matroska.
    public static let matroska = MediaType(
        name: "matroska", title: "Matroska", mimeType: "video/x-matroska",
        otherMIMETypes: ["video/matroska"],
        family: .video, fileExtensions: ["mkv"])
    /// Audio Video Interleave.
    public static let avi = MediaType(
        name: "avi", mimeType: "video/x-msvideo", otherMIMETypes: ["video/vnd.avi", "video/avi"],
        family: .video, fileExtensions: ["avi"])
    /// Ogg.
    public static let ogg = MediaType(
        name: "ogg", title: "Ogg", mimeType: "video/ogg", otherMIMETypes: ["video/x-theora+ogg"],
        family: .video,
        fileExtensions: ["ogv", "ogx"])
    /// Flash video.
    public static let flv = MediaType(
        name: "flv", mimeType: "video/x-flv", family: .video, fileExtensions: ["flv"])
    /// MPEG transport stream of 188-byte packets (or 192 with time stamps).
    public static let mpegTS = MediaType(
        name: "mpegts", mimeType: "video/mp2t", family: .video,
        fileExtensions: ["ts", "m2ts", "mts", "m2t", "trp"])
    /// YUV4MPEG2.
    public static let y4m = MediaType(
        name: "y4m", mimeType: "video/x-yuv4mpeg", family: .video, fileExtensions: ["y4m"])
    /// IVF, the bare container of VP8, VP9 and AV1 test streams.
    public static let ivf = MediaType(
        name: "ivf", mimeType: "video/x-ivf", family: .video, fileExtensions: ["ivf"])
    /// MPEG program stream.
    public static let mpegPS = MediaType(
        name: "mpegps", mimeType: "video/mp2p", otherMIMETypes: ["video/mpeg"], family: .video,
        fileExtensions: ["mpg", "mpeg", "vob", "mod", "vro"])
    /// Advanced Systems Format (WMV).
    public static let asf = MediaType(
        name: "asf", mimeType: "video/x-ms-asf", otherMIMETypes: ["video/x-ms-wmv"], family: .video,
        fileExtensions: ["wmv", "asf"])

    /// Material Exchange Format.
    public static let mxf = MediaType(
        name: "mxf", mimeType: "application/mxf", family: .video, fileExtensions: ["mxf"])
    /// NUT, the container of FFmpeg and MPlayer.
    public static let nut = MediaType(
        name: "nut", mimeType: "video/x-nut", family: .video, fileExtensions: ["nut"])
    /// DHAV, the recordings of many security cameras.
    public static let dhav = MediaType(
        name: "dhav", title: "DHAV", mimeType: "video/x-dhav", family: .video,
        fileExtensions: ["dav"])
    /// RealMedia.
    public static let realMedia = MediaType(
        name: "realmedia", title: "RealMedia", mimeType: "application/vnd.rn-realmedia",
        otherMIMETypes: ["application/vnd.rn-realmedia-vbr", "video/vnd.rn-realvideo"],
        family: .video, fileExtensions: ["rm", "rmvb"])
    /// The video that a Flash movie has in it.
    public static let swf = MediaType(
        name: "swf", mimeType: "application/vnd.adobe.flash.movie",
        otherMIMETypes: ["application/x-shockwave-flash"], family: .video, fileExtensions: ["swf"])
    /// DV, as DIF blocks without a container.
    public static let dv = MediaType(
        name: "dv", mimeType: "video/dv", family: .video, fileExtensions: ["dv", "dif"])
    /// H.264 without a container (Annex B).
    public static let h264 = MediaType(
        name: "h264", title: "H.264", mimeType: "video/h264", family: .video,
        fileExtensions: ["h264", "264", "avc", "26l", "jvt"])
    /// HEVC without a container (Annex B).
    public static let hevc = MediaType(
        name: "hevc", mimeType: "video/h265", family: .video,
        fileExtensions: ["hevc", "h265", "265"])
    /// AV1 without a container, as OBUs that have their sizes.
    public static let av1 = MediaType(
        name: "av1", mimeType: "video/av1", family: .video, fileExtensions: ["obu"])
    /// AV1 without a container, with lengths before its units (Annex B).
    public static let av1AnnexB = MediaType(
        name: "av1-annexb", title: "AV1", mimeType: "video/av1", family: .video,
        fileExtensions: ["obu"])
    /// MPEG-1 or MPEG-2 video without a container.
    public static let mpegVideo = MediaType(
        name: "mpegvideo", title: "MPEG video", mimeType: "video/mpeg", family: .video,
        fileExtensions: ["m2v", "m1v", "mpv"])
    /// MPEG-4 video without a container.
    public static let mpeg4Video = MediaType(
        name: "mpeg4video", title: "MPEG-4 video", mimeType: "video/mp4v-es", family: .video,
        fileExtensions: ["m4e", "cmp"])
    /// Motion JPEG without a container: one picture after the other.
    public static let mjpeg = MediaType(
        name: "mjpeg", title: "Motion JPEG", mimeType: "video/x-mjpeg", family: .video,
        fileExtensions: ["mjpeg", "mjpg"])

    /// MPEG audio of layer 2 or 3, with ID3 tags or without.
    public static let mp3 = MediaType(
        name: "mp3", mimeType: "audio/mpeg",
        otherMIMETypes: ["audio/mp3", "audio/x-mp3", "audio/mp2", "audio/x-mp2"], family: .audio,
        fileExtensions: ["mp3", "mp2", "mpga"])
    /// AAC as an ADTS stream.
    public static let aac = MediaType(
        name: "aac", mimeType: "audio/aac", family: .audio, fileExtensions: ["aac"])
    /// FLAC.
    public static let flac = MediaType(
        name: "flac", mimeType: "audio/flac", otherMIMETypes: ["audio/x-flac"], family: .audio,
        fileExtensions: ["flac"])
    /// Ogg with sound alone: Vorbis, Opus, FLAC or Speex.
    public static let oggAudio = MediaType(
        name: "ogg-audio", title: "Ogg", mimeType: "audio/ogg",
        otherMIMETypes: [
            "audio/x-vorbis+ogg", "audio/x-opus+ogg", "audio/x-flac+ogg", "audio/x-speex+ogg",
            "audio/opus",
        ], family: .audio, fileExtensions: ["oga", "ogg", "opus", "spx"])
    /// MPEG-4 with sound alone.
    public static let m4a = MediaType(
        name: "m4a", mimeType: "audio/mp4", otherMIMETypes: ["audio/x-m4a", "audio/x-m4b"],
        family: .audio, fileExtensions: ["m4a", "m4b"])
    /// Matroska with sound alone.
    public static let matroskaAudio = MediaType(
        name: "matroska-audio", title: "Matroska", mimeType: "audio/x-matroska",
        otherMIMETypes: ["audio/matroska"], family: .audio, fileExtensions: ["mka"])
    /// Advanced Systems Format with sound alone (WMA).
    public static let wma = MediaType(
        name: "wma", mimeType: "audio/x-ms-wma", family: .audio, fileExtensions: ["wma"])
    /// WAVE, with 64-bit sizes or without.
    public static let wav = MediaType(
        name: "wav", mimeType: "audio/wav",
        otherMIMETypes: ["audio/x-wav", "audio/vnd.wave"], family: .audio, fileExtensions: ["wav"])
    /// AIFF and AIFF-C.
    public static let aiff = MediaType(
        name: "aiff", mimeType: "audio/aiff",
        otherMIMETypes: ["audio/x-aiff", "audio/x-aifc"], family: .audio,
        fileExtensions: ["aiff", "aif", "aifc"])
    /// Monkey's Audio.
    public static let ape = MediaType(
        name: "ape", title: "Monkey's Audio", mimeType: "audio/x-ape", family: .audio,
        fileExtensions: ["ape"])
    /// WavPack.
    public static let wavPack = MediaType(
        name: "wavpack", title: "WavPack", mimeType: "audio/x-wavpack", family: .audio,
        fileExtensions: ["wv"])
    /// True Audio.
    public static let trueAudio = MediaType(
        name: "tta", title: "True Audio", mimeType: "audio/x-tta", family: .audio,
        fileExtensions: ["tta"])
    /// A stream of HTTP Live Streaming, by its playlist; the segments have types of their own.
    public static let hls = MediaType(
        name: "hls", mimeType: "application/vnd.apple.mpegurl",
        otherMIMETypes: ["application/x-mpegurl", "audio/mpegurl"], family: .video,
        fileExtensions: ["m3u8"])
    /// A stream of MPEG-DASH, by its manifest.
    public static let dash = MediaType(
        name: "dash", title: "MPEG-DASH", mimeType: "application/dash+xml", family: .video,
        fileExtensions: ["mpd"])
}

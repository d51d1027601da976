internal import CFFmpeg
package import LazyMedia

/// Opens video, and the animations and stills that FFmpeg reads.
///
/// FFmpeg's libraries are loaded when the first file is opened; where they are missing or have an
/// unsupported version, opening throws `.environment`.
package struct VideoDecoder: MediaDecoding {
    /// Makes a decoder; costs nothing.
    package init() {}

    package let name = "ffmpeg"

    /// Whether FFmpeg reads this type here; GIF and animated WebP have their own decoders.
    package func canOpen(_ type: MediaType) -> Bool { Container(type) != nil }

    package var loadsLibrary: Bool { true }

    /// Throws where FFmpeg is missing, or has no decoder for the one codec of a type.
    package func requireSupport(of type: MediaType) throws(MediaError) {
        try FFmpegLibrary.load()
        guard let codec = Container(type)?.onlyCodec(of: type), !VideoCodec.canDecode(codec) else {
            return
        }
        throw MediaError(
            .unsupported, "This FFmpeg has no decoder for the codec \(CodecName.of(codec)).")
    }

    /// Reads the header, and the first packet where the header is incomplete.
    package func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        guard let container = Container(type) else {
            throw MediaError(.unsupported, "FFmpeg cannot read \(type.name).")
        }
        try limits.check(input: bytes)
        try FFmpegLibrary.load(within: limits)
        if container.kind == .demuxer("matroska") { try MatroskaTables.check(bytes, limits) }
        let (prepared, end) = try Self.prepared(bytes, container, limits)
        var opening = VideoOpening(
            bytes: prepared, type: type, limits: limits, container: container)
        if end != nil { opening.warnings = [JoinedMovie.warning] }
        return try opening.open()
    }

    /// The bytes as FFmpeg is to see them, and where the first file of several ends, if only that is read.
    private static func prepared(
        _ bytes: any ByteSource, _ container: Container, _ limits: DecodingLimits
    ) throws(MediaError) -> (bytes: any ByteSource, end: Int?) {
        switch container.kind {
        case .demuxer("mov"):
            let movie = MovieBytes(bytes, limits)
            guard case .other(let end)? = try? JoinedMovie(movie) else { return (movie, nil) }
            return (MovieBytes(ByteSlice(bytes, 0..<end), limits), end)
        case .demuxer("matroska"):
            guard let parts = try MatroskaParts(bytes, limits) else { return (bytes, nil) }
            guard let clusters = parts.clusters else {
                return (ByteSlice(bytes, 0..<parts.end), parts.end)
            }
            return (JoinedParts(matroska: bytes, parts, clusters), nil)
        case .demuxer("asf"):
            let end = try ASFObjects.end(of: bytes, limits)
            return (end.map { ByteSlice(bytes, 0..<$0) } ?? bytes, end)
        case .demuxer("flv"): return (try JoinedParts(flv: bytes, limits) ?? bytes, nil)
        case .demuxer("nut"): return (try JoinedParts(nut: bytes, limits) ?? bytes, nil)
        default: return (bytes, nil)
        }
    }
}

internal import LazyMedia

/// An audio file with cover art: it has no frames, but a poster.
struct CoverArtOnly: OpenedMedia {
    let info: MediaInfo
    private let coverArt: CoverArt

    init(_ coverArt: CoverArt, _ streams: [StreamInfo], type: MediaType) throws(MediaError) {
        self.coverArt = coverArt
        guard let picture = streams.first(where: { $0.kind == .attachedPicture }),
            let size = picture.codedSize
        else { throw Self.noVideo }
        info = MediaInfo(
            type: type, codec: picture.codec, size: size, frameCount: 0,
            warnings: [
                MediaWarning(.note, "There is no video, only audio and cover art.")
            ],
            streams: streams)
    }

    /// The error for a file without video.
    static let noVideo = MediaError(
        .unsupported, "The file has no video stream that can be read.")

    func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex { FrameIndex([]) }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        throw MediaError(
            .coverOnly, "The file has audio and cover art, and no video.")
    }

    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        try coverArt.bitmap(options)
    }
}

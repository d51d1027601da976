internal import LazyMedia

/// A file with sound alone: it has no frames, and its cover, if it has one, is its poster.
struct OpenedSong: OpenedMedia {
    let info: MediaInfo
    private let coverArt: CoverArt?

    init(_ coverArt: CoverArt?, _ info: MediaInfo) {
        self.coverArt = coverArt
        self.info = info
    }

    /// The error for a file without video and sound.
    static let noVideo = MediaError(
        .unsupported, "The file has no video stream that can be read.")

    private static let noCover = MediaError(.noCover, "The song has no cover picture.")

    func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex { FrameIndex([]) }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        throw info.songRefusal ?? Self.noVideo
    }

    func videoTrack(
        _ number: Int, _ cancellation: CancellationFlag
    ) throws(MediaError) -> any OpenedMedia { throw .noTrack(number, of: 0) }

    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        guard let coverArt else { throw Self.noCover }
        return try coverArt.bitmap(options)
    }
}

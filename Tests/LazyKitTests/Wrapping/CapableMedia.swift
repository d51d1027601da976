import LazyBase
import LazyMedia

/// Media with every capability that opened media can have, and that counts what is asked of it.
struct CapableMedia: OpenedMedia {
    /// Counts the indexes and the pictures that are made.
    final class Calls: Sendable {
        private let counts = Locked((indexes: 0, pictures: 0))
        var indexes: Int { counts.withLock { $0.indexes } }
        var pictures: Int { counts.withLock { $0.pictures } }
        func addIndex() { counts.withLock { $0.indexes += 1 } }
        func addPicture() { counts.withLock { $0.pictures += 1 } }
    }

    /// What the samples of its frames mean.
    static let color = ColorDescription(primaries: .bt2020, transfer: .hlg, matrix: .bt2020)

    let calls = Calls()
    /// Whether its index costs much, as over a network.
    var isIndexCostly = false
    let info = MediaInfo(
        type: .mp4, codec: "capable", size: PixelSize(width: 40, height: 24), frameCount: 10,
        duration: .seconds(1), loop: .video)

    var index: FrameIndex {
        let base = Rational(1, 10)
        return FrameIndex(
            (0..<10).map {
                FrameTiming(
                    index: $0, presentation: MediaTime(ticks: Int64($0), base: base),
                    duration: MediaTime(ticks: 1, base: base), isKeyframe: $0 % 4 == 0)
            })
    }

    func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex {
        calls.addIndex()
        return index
    }

    func cheapFrameIndex(_ cancellation: CancellationFlag) -> FrameIndex? {
        isIndexCostly ? nil : index
    }

    func makeReader(_ options: ReaderOptions) -> any FrameReader { Reader(self, options) }

    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        try Self.picture(PixelSize(width: 30, height: 30), 200)
    }

    func motionFilm() throws(MediaError) -> any ByteSource { try MemoryBytes([1, 2, 3]) }

    func soundTrack(
        _ choice: TrackChoice, _ cancellation: CancellationFlag
    ) -> (any SoundTrack)? { Silence() }

    func subtitleTrack(
        _ choice: TrackChoice, _ cancellation: CancellationFlag
    ) -> SubtitleTrack {
        SubtitleTrack(header: "", lines: [.init(start: 0, duration: 1, text: "\(choice)")])
    }

    private struct Silence: SoundTrack {
        let format = SoundFormat(codec: .aac, header: [], sampleRate: 8000, channels: 1)

        func makeReader(_ cancellation: CancellationFlag) -> any SoundReader { NoPackets() }
    }

    private final class NoPackets: SoundReader {
        func next() -> SoundPacket? { nil }
    }

    /// A picture whose pixels tell their place and the frame.
    static func picture(_ size: PixelSize, _ frame: Int) throws(MediaError) -> Bitmap {
        try Bitmap(size: size, isOpaque: true) { rows in
            for place in 0..<size.pixelCount {
                let (x, y) = (place % size.width, place / size.width)
                rows.storeBytes(
                    of: SIMD4(UInt8(x * 6), UInt8(y * 8), UInt8(frame), 255),
                    toByteOffset: place * 4, as: SIMD4<UInt8>.self)
            }
        }
    }

    private final class Reader: FrameReader {
        private let media: CapableMedia
        private let options: ReaderOptions
        private var position = 0
        private(set) var warnings: [MediaWarning] = []

        init(_ media: CapableMedia, _ options: ReaderOptions) {
            self.media = media
            self.options = options
        }

        func nextFrame(
            where isWanted: (FrameTiming) -> Bool
        ) throws(MediaError) -> (timing: FrameTiming, frame: Frame?)? {
            guard position < media.index.count else { return nil }
            defer { position += 1 }
            if warnings.isEmpty { warnings = [MediaWarning(.note, "A frame was read.")] }
            let timing = media.index[position]
            guard isWanted(timing) else { return (timing, nil) }
            return (timing, try frame(position, options.size ?? media.info.size))
        }

        func lastFrame(at size: PixelSize) throws(MediaError) -> Frame? {
            position > 0 ? try frame(position - 1, size) : nil
        }

        private func frame(_ number: Int, _ size: PixelSize) throws(MediaError) -> Frame {
            media.calls.addPicture()
            let bitmap = try CapableMedia.picture(media.info.size, number * 20).scaled(to: size)
            let planes = try PlanarPicture(size: size, matrix: .bt709) { bytes in
                for place in bytes.indices { bytes[place] = UInt8(truncatingIfNeeded: place) }
            }
            return Frame(
                bitmap: bitmap, timing: media.index.timings[number],
                planes: options.planes ? planes : nil, color: CapableMedia.color)
        }

        func seek(toIndex index: Int) { position = min(max(0, index), media.index.count) }

        func seek(toTime time: Duration) { position = media.index.frame(at: time) ?? 0 }
    }
}

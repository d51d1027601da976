internal import LazyMedia

/// A JPEG XL whose headers have been read.
struct OpenedJXL: OpenedMedia {
    let bytes: any ByteSource
    let header: JXLHeader
    let info: MediaInfo
    private let index: FrameIndex

    init(_ bytes: any ByteSource, limits: DecodingLimits) throws(MediaError) {
        let header = try JXLHeader(bytes, limits: limits)
        // The rest of an animation's first frame may still arrive.
        if bytes.isPartial, header.isAnimated, !header.isFirstWhole {
            throw MediaError(.truncated, "The animation's first frame has not come whole.")
        }
        self.bytes = bytes
        self.header = header
        index = FrameIndex(Self.timings(header, .browsers))
        var info = MediaInfo(
            type: header.isAnimated ? .jpegXLAnimation : .jpegXL, codec: "jxl", size: header.size,
            frameCount: index.count, duration: index.duration,
            loop: header.isAnimated ? .plays(header.plays) : .still, hasAlpha: header.hasAlpha,
            rotation: header.orientation.quarterTurns * 90,
            isMirrored: header.orientation.isMirrored,
            isTruncated: header.damage?.code == .truncated,
            warnings: header.damage.map { [$0.warning] } ?? [],
            streams: [
                StreamInfo(
                    index: 0, kind: .video, codec: "jxl",
                    codedSize: header.orientation.turned(header.size), isChosen: true)
            ])
        info.color = header.color.original
        info.bitDepth = header.color.bitDepth
        info.pixelFormat = header.color.pixelFormat(hasAlpha: header.hasAlpha)
        info.hdrFormat = info.color.hdrFormat
        self.info = info
    }

    func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex { index }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        try JXLReader(self, options)
    }

    /// When each frame is shown, by a rule for short delays.
    func timings(_ rule: DelayRule) -> [FrameTiming] {
        rule == .browsers ? index.timings : Self.timings(header, rule)
    }

    private static func timings(_ header: JXLHeader, _ rule: DelayRule) -> [FrameTiming] {
        guard header.isAnimated else { return [.still] }
        let frames = header.frames
        let delays = frames.map { MediaTime(ticks: Int64($0.duration), base: header.timeBase) }
        guard delays.contains(where: { rule.effective($0) != $0 }) else {
            var start: Int64 = 0
            return frames.indices.map { index in
                defer { start += delays[index].ticks }
                return FrameTiming(
                    index: index, presentation: MediaTime(ticks: start, base: header.timeBase),
                    duration: delays[index], isKeyframe: frames[index].isKeyframe)
            }
        }
        // Both a tick and a tenth of a second are whole numbers of ticks of this base.
        let base = Rational(1, header.timeBase.denominator * 10)
        return FrameTiming.sequence(delays, base: base, rule) { frames[$0].isKeyframe }
    }
}

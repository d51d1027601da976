internal import CFFmpeg
internal import LazyMedia

extension VideoOpening {
    /// Opens a still picture, whose file is one packet.
    func openStill(_ codec: AVCodecID) throws(MediaError) -> OpenedVideo {
        let whole = try bytes.contiguous(within: limits)
        let end = StillEnd(type, whole)
        if end.isMissed, bytes.isPartial {
            throw MediaError(.truncated, "The picture has not arrived completely.")
        }
        let complete = try end.completed(whole, limits)
        let map = type == .pnm ? try ArbitraryMap.scaled(complete, limits) : nil
        let memory = map ?? complete
        let orientation =
            type == .jpeg
            ? memory.withBytes { Orientation(exif: EXIF.orientation(jpeg: $0)) } : .upright
        var setup = VideoCodec.Setup(pixels: limits.pixelsPerFrame, memory: limits.memory)
        setup.hasHighThroughput =
            type == .jpeg2000
            && memory.withBytes { JPEG2000Codestream($0)?.hasHighThroughput } == true
        let packet = try Packet()
        let source = StillSource(memory, cancellation: CancellationFlag())
        _ = try source.read(into: packet)
        var traits = try VideoCodec(codec, nil, setup).traits(reading: packet)
        if traits.size == nil || traits.format < 0 || end.isUnknown {
            traits = try decodedTraits(codec, memory, setup)
        }
        guard let coded = traits.size else {
            throw MediaError(.malformed, "The picture has no size.")
        }
        let description = VideoStream(
            container: container, index: 0, codec: codec, timeBase: Rational(1, 1_000_000),
            orientation: orientation, needsExamining: false, hasSeparateAlpha: false,
            isAlwaysOpaque: isPaletteOpaque(codec, traits.format), isReordering: false,
            isStill: true, colors: StreamColors(ofStills: codec),
            hasHighThroughput: setup.hasHighThroughput)
        var info = MediaInfo(
            type: type, codec: CodecName.of(codec), size: coded, frameCount: 1,
            isTruncated: end.isMissed, warnings: end.isMissed ? [StillEnd.warning] : [])
        // A still's pixels are square: its density describes paper.
        try shape(&info, coded, AVRational(num: 1, den: 1), description, traits.format)
        describe(&info, description, traits)
        return OpenedVideo(
            memory === whole ? bytes : memory, description, info, limits, spare: nil, coverArt: nil)
    }

    /// The properties of a still picture that FFmpeg cannot read from its header.
    private func decodedTraits(
        _ codec: AVCodecID, _ memory: MemoryBytes, _ setup: VideoCodec.Setup
    ) throws(MediaError) -> VideoCodec.Traits {
        let source = StillSource(memory, cancellation: CancellationFlag())
        let pictures = try PictureSource(source, id: codec, threads: 1) {
            (_, _, _) throws(MediaError) in
            try VideoCodec(codec, nil, setup)
        }
        guard let picture = try pictures.next() else {
            throw pictures.damage.firstFault
                ?? MediaError(.truncated, "The picture ends too early.")
        }
        return VideoCodec.Traits(picture)
    }
}

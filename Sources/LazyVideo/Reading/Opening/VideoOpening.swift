internal import CFFmpeg
internal import LazyMedia

/// Reads a header and finds the frames' properties; reads ahead only where that is needed.
struct VideoOpening {
    var bytes: any ByteSource
    let type: MediaType
    let limits: DecodingLimits
    let container: Container
    /// The number of the video track to read, from 1; nil for the best one.
    var track: Int?
    /// How much FFmpeg reads of the tables of movies with many samples; we read the rest.
    var extent = TrimmedTables.Extent()
    /// What is said of the file beside what its streams tell.
    var warnings: [MediaWarning] = []

    /// Opens a container or a still picture.
    func open() throws(MediaError) -> any OpenedMedia {
        // A message about another file must not explain this one.
        _ = FFmpegLog.takeLine()
        switch container.kind {
        case .demuxer(let name): return try openContainer(name)
        case .still(let codec): return try openStill(AVCodecID(codec))
        }
    }

    private func openContainer(
        _ name: String, without absent: Set<Int> = []
    ) throws(MediaError) -> any OpenedMedia {
        if absent.isEmpty, let movie = try openTrimmed(name) { return movie }
        try RecordingEnds.announce(bytes, format: name)
        let demuxer = try Demuxer(
            bytes, format: name, limits: limits, cancellation: CancellationFlag())
        (demuxer.facts.wanted, demuxer.facts.absent) = (track, absent)
        try demuxer.countFrames()
        if let stream = StreamChoice(demuxer).video {
            try refuseEncrypted(stream)
            demuxer.choose(Int(stream.pointee.index))
        }
        var traits = try traitsFromHeader(demuxer)
        if traits == nil {
            try demuxer.examine()
            try demuxer.countFrames()
            traits = try examinedTraits(demuxer)
        }
        let coverArt = CoverArt(demuxer, format: name, of: bytes)
        let choice = StreamChoice(demuxer)
        if let track, choice.video == nil { throw .noTrack(track, of: choice.videos.count) }
        guard let traits, let stream = choice.video else {
            return try openSong(demuxer, coverArt)
        }
        if track == nil, absent.isEmpty,
            let absent = try streamsInPlace(of: stream, demuxer, name)
        {
            return try openContainer(name, without: absent)
        }
        if track == nil, try isEmpty(stream, demuxer) { return try openSong(demuxer, coverArt) }
        return try finish(demuxer, stream, traits, coverArt)
    }

    /// Opens a movie of many samples, or of fragments, without FFmpeg reading all of its tables; nil where it has to.
    private func openTrimmed(_ name: String) throws(MediaError) -> OpenedVideo? {
        let cancellation = CancellationFlag()
        guard let movie = try shortened(cancellation),
            let demuxer = try? Demuxer(
                movie, format: name, limits: limits, cancellation: cancellation)
        else { return nil }
        demuxer.facts.wanted = track
        guard let stream = StreamChoice(demuxer).video, isHeaderEnough(stream) else { return nil }
        // The length of fragments is that of the frames that their tables list; the first one tells of all streams.
        let codec = stream.pointee.codecpar.pointee.codec_id
        guard
            !movie.isFragmented
                || VideoStream.listedCodecs.contains(codec)
                    && demuxer.played.allSatisfy({ lz_index_count($0) > 0 })
        else { return nil }
        try refuseEncrypted(stream)
        demuxer.choose(Int(stream.pointee.index))
        guard let packets = try demuxer.list(movie) else { return nil }
        demuxer.adopt(packets)
        guard let traits = try traitsFromHeader(demuxer) else { return nil }
        let ends = packets.parts.flatMap { _ in
            RecordingEnds(packets, demuxer, codec, isReordering: traits.isReordering)
        }
        guard packets.parts == nil || ends != nil else { return nil }
        return try finish(
            demuxer, stream, traits, CoverArt(demuxer, format: name, of: bytes),
            TrimmedMovie(bytes: movie, packets: packets), ends)
    }

    private func shortened(_ cancellation: CancellationFlag) throws(MediaError) -> MovieBytes? {
        guard let whole = bytes as? MovieBytes else { return nil }
        if let trimmed = try whole.trimmed(to: extent, cancellation) { return trimmed }
        guard !bytes.isRemote || type.family == .video else { return nil }
        return try whole.fragmented(behind: ClockSurvey.quickBytes, cancellation)
    }

    private var filmSetup: VideoCodec.Setup {
        VideoCodec.Setup(
            pixels: limits.pixelsPerFrame, memory: limits.filmMemory, film: limits)
    }

    private func refuseEncrypted(_ stream: UnsafeMutablePointer<AVStream>) throws(MediaError) {
        guard StreamChoice.isEncrypted(stream) else { return }
        throw MediaError(.encrypted, "The video is encrypted and there is no key.")
    }

    /// The properties from the header and the first packet, or nil where they do not suffice.
    ///
    /// Examining the streams decodes pictures and costs up to 20 ms.
    private func traitsFromHeader(_ demuxer: Demuxer) throws(MediaError) -> VideoCodec.Traits? {
        guard let stream = StreamChoice(demuxer).video, isHeaderEnough(stream) else { return nil }
        let parameters = stream.pointee.codecpar
        let codec = try VideoCodec(
            stream.pointee.codecpar.pointee.codec_id, parameters,
            filmSetup)
        let packet = try Packet()
        guard try demuxer.read(into: packet) else { return nil }
        if packet.isEncrypted {
            throw MediaError(.encrypted, "The video is encrypted and there is no key.")
        }
        let traits = try codec.traits(reading: packet)
        try demuxer.putBack(packet)
        return traits.size == nil || traits.isContradicted ? nil : traits
    }

    private func isHeaderEnough(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        let parameters = stream.pointee.codecpar.pointee
        guard parameters.width > 0, parameters.height > 0 else { return false }
        let selfContained = [AV_CODEC_ID_VP8, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1]
        switch container.kind {
        case .demuxer("matroska"): return selfContained.contains(parameters.codec_id)
        case .demuxer("dhav"): return true
        // In a fragmented file the header does not tell the reordering delay.
        case .demuxer("mov"):
            return lz_index_count(stream) > 0
                && (selfContained + [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC])
                    .contains(parameters.codec_id)
        default: return false
        }
    }

    private func examinedTraits(_ demuxer: Demuxer) throws(MediaError) -> VideoCodec.Traits? {
        guard let stream = StreamChoice(demuxer).video else { return nil }
        try refuseEncrypted(stream)
        demuxer.choose(Int(stream.pointee.index))
        let traits = VideoCodec.Traits(stream.pointee.codecpar.pointee)
        if let size = traits.size { try limits.check(canvas: size) }
        guard demuxer.wasRefusing else { return traits }
        return try decodedTraits(demuxer, stream) ?? traits
    }

    /// The properties of the first picture, decoded within the limits of memory, which FFmpeg's own
    /// examination does not apply.
    private func decodedTraits(
        _ demuxer: Demuxer, _ stream: UnsafeMutablePointer<AVStream>
    ) throws(MediaError) -> VideoCodec.Traits? {
        let id = stream.pointee.codecpar.pointee.codec_id
        let setup = filmSetup
        let pictures = try PictureSource(demuxer, id: id, threads: 1) {
            (source, _, _) throws(MediaError) in
            try VideoCodec(id, source.parameters, setup)
        }
        let picture = try pictures.next()
        if let fault = pictures.damage.firstFault, fault.code == .limitExceeded { throw fault }
        var traits = picture.map { VideoCodec.Traits($0) }
        traits?.isReordering = pictures.isReordering
        try demuxer.restart()
        return traits
    }

    private func finish(
        _ demuxer: Demuxer, _ stream: UnsafeMutablePointer<AVStream>, _ traits: VideoCodec.Traits,
        _ coverArt: CoverArt?, _ trimmed: TrimmedMovie? = nil, _ ends: RecordingEnds? = nil
    ) throws(MediaError) -> OpenedVideo {
        let parameters = stream.pointee.codecpar.pointee
        guard let coded = traits.size else {
            throw MediaError(
                .malformed,
                "The size of the \(CodecName.of(parameters.codec_id, tag: parameters.codec_tag)) video is not told."
            )
        }
        var aspect = demuxer.sampleAspect(stream)
        if aspect.num <= 0 || aspect.den <= 0 { aspect = traits.aspect }
        var description = VideoStream(
            container: container, index: Int(stream.pointee.index), codec: parameters.codec_id,
            timeBase: Rational(
                Int64(max(1, stream.pointee.time_base.num)),
                Int64(max(1, stream.pointee.time_base.den))),
            orientation: orientation(stream), needsExamining: demuxer.isExamined,
            hasSeparateAlpha: lz_dict_value(stream.pointee.metadata, "alpha_mode").map { atoi($0) }
                == 1,
            isAlwaysOpaque: isPaletteOpaque(parameters.codec_id, traits.format),
            isReordering: traits.isReordering, isStill: false,
            colors: try colors(demuxer, stream, traits, aspect),
            units: parameters.codec_id == AV_CODEC_ID_H264
                ? NALLayout(extradata: demuxer.extradata) : nil,
            isListed: demuxer.headerIndexCount > 0 && stream.pointee.nb_frames > 0,
            isJoined: demuxer.joining == .certain)
        var info = MediaInfo(
            type: Container.type(type, hasVideo: true),
            codec: CodecName.of(parameters.codec_id, tag: parameters.codec_tag),
            size: coded,
            loop: loop())
        info.warnings = warnings
        info.streams = StreamChoice(demuxer).report(chosen: description.index)
        info.tags = StreamChoice.tags(of: demuxer)
        try readLength(demuxer, stream, into: &info)
        let isFragmented = trimmed?.packets.table.isFragmented == true
        if let count = info.frameCount, stream.pointee.duration > 0, !isFragmented {
            description.declared = (count, stream.pointee.duration)
        }
        if parameters.codec_id == AV_CODEC_ID_THEORA, stream.pointee.duration > 0 {
            description.end = max(0, stream.pointee.start_time).adding(stream.pointee.duration)
        }
        try shape(&info, coded, aspect, description, traits.format)
        describe(&info, description, traits)
        description.ends = ends
        let survey = try applyClock(demuxer, stream, &description, &info)
        if info.frameCount == nil { description.bitRateLength = bitRateLength(demuxer) }
        let open = { [description] (info: MediaInfo, spare: Demuxer?) in
            OpenedVideo(
                bytes, description, info, limits, spare: spare, coverArt: coverArt,
                trimmed: trimmed)
        }
        if isFragmented, ends == nil {
            // FFmpeg knows the length of the fragments that it has read.
            info.count(try open(info, nil).containerIndex(CancellationFlag()))
        }
        let zero = MediaTime(ticks: description.zero ?? 0, base: description.timeBase).duration
        info.chapters = StreamChoice.chapters(of: demuxer, zero: zero, length: info.duration)
        info.bitRate = bitRate(demuxer, info.duration)
        if let length = try length(stream, description, by: { open(info, nil) }) {
            info.duration = length
        }
        let media = open(info, demuxer)
        if let survey { media.keep(survey) }
        return media
    }

    /// Sets size, rotation and alpha, and checks their limits.
    func shape(
        _ info: inout MediaInfo, _ coded: PixelSize, _ aspect: AVRational, _ stream: VideoStream,
        _ format: CInt
    ) throws(MediaError) {
        try limits.check(canvas: coded)
        info.pixelAspect = Self.pixelAspect(aspect)
        info.size = stream.orientation.turned(coded.squared(info.pixelAspect))
        try limits.check(canvas: info.size)
        info.rotation = stream.orientation.quarterTurns * 90
        info.isMirrored = stream.orientation.isMirrored
        info.hasAlpha =
            stream.hasSeparateAlpha || (!stream.isAlwaysOpaque && FrameConverter.hasAlpha(format))
        if let count = info.frameCount { try limits.check(entries: count) }
    }

    /// The width to height of a pixel; 1 where the file does not say.
    static func pixelAspect(_ aspect: AVRational) -> Rational {
        aspect.num > 0 && aspect.den > 0
            ? Rational(Int64(aspect.num), Int64(aspect.den)) : Rational(1, 1)
    }

    private func orientation(_ stream: UnsafeMutablePointer<AVStream>) -> Orientation {
        guard let matrix = lz_display_matrix(stream) else { return .upright }
        return Orientation(displayMatrix: (0..<9).map { matrix[$0] })
    }

    /// Only the palettes of PNG, TIFF and icons have transparent entries.
    func isPaletteOpaque(_ codec: AVCodecID, _ format: CInt) -> Bool {
        format == AV_PIX_FMT_PAL8.rawValue
            && ![AV_CODEC_ID_PNG, AV_CODEC_ID_APNG, AV_CODEC_ID_TIFF].contains(codec)
    }

    private func readLength(
        _ demuxer: Demuxer, _ stream: UnsafeMutablePointer<AVStream>, into info: inout MediaInfo
    ) throws(MediaError) {
        if let packets = demuxer.listing?.packets, packets.parts == nil {
            info.frameCount = packets.table.count
        }
        let count = Int(lz_index_count(stream))
        // Where the header counts no frames the file is fragmented, and its index has only the first.
        if container.kind == .demuxer("mov"), count > 0, count == demuxer.headerIndexCount,
            stream.pointee.nb_frames > 0
        {
            var shown = 0
            for i in 0..<count {
                guard let entry = lz_index_entry(stream, CInt(i)) else { continue }
                if lz_index_flags(entry) & AVINDEX_DISCARD_FRAME == 0 { shown += 1 }
                if entry.pointee.pos > Int64(bytes.count) - Int64(lz_index_size(entry)) {
                    info.isTruncated = true
                }
            }
            if !info.isTruncated { info.frameCount = shown }
        } else if case .demuxer(let name) = container.kind {
            info.isTruncated = try DeclaredEnd.isMissed(by: bytes, format: name, limits)
        }
        if info.isTruncated {
            info.warnings.append(
                MediaWarning(.truncated, "The file ends before its last frame does."))
        }
        let length = stream.pointee.duration
        if length != LZ_NOPTS, length > 0 {
            let base = Rational(
                Int64(max(1, stream.pointee.time_base.num)),
                Int64(max(1, stream.pointee.time_base.den)))
            info.duration = MediaTime(ticks: length, base: base).duration
        } else {
            info.duration = demuxer.duration.map { .microseconds($0) }
        }
    }

    private func loop() -> LoopCount { type.family == .still ? .still : .video }
}

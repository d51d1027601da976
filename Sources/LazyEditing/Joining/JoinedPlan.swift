internal import LazyMedia

/// Adds up sizes and times of the parts of joined media.
struct JoinedPlan {
    /// Clips that stay open; the others, and all pictures, are reopened.
    private static let maxKept = 64

    private(set) var pieces: [JoinedMedia.Piece] = []
    private(set) var timings: [FrameTiming] = []
    private var first: MediaInfo?
    private var types: Set<MediaType> = []
    private var sound: [StreamInfo] = []
    private var warnings: [MediaWarning]
    /// Whether pictures of parts have transparent pixels.
    private(set) var hasAlpha = false
    private var kept = 0
    private var otherSizes = 0
    private var firstOther = ""
    private var end = MediaTime.zero

    init(warnings: [MediaWarning]) { self.warnings = warnings }

    /// Adds a part after the others.
    mutating func add(
        _ part: JoinedPart, _ sequence: FrameSequence, _ index: FrameIndex,
        _ limits: DecodingLimits
    ) throws(MediaError) {
        guard index.count > 0 else { throw MediaError(.malformed, "The file has no frame.") }
        try limits.check(frames: timings.count + index.count)
        try limits.check(entries: timings.count + index.count)
        let isClip = index.count > 1 && kept < Self.maxKept
        if isClip { kept += 1 }
        pieces.append(.init(part: part, start: timings.count, kept: isClip ? sequence : nil))
        note(sequence.info, part.name)
        if index.count == 1 {
            append(part.duration ?? JoinedPart.usualDuration, isKeyframe: true)
        } else {
            for timing in index.timings { append(timing.duration, isKeyframe: timing.isKeyframe) }
        }
    }

    private mutating func append(_ duration: MediaTime, isKeyframe: Bool) {
        timings.append(
            FrameTiming(
                index: timings.count, presentation: end, duration: duration, isKeyframe: isKeyframe)
        )
        end = end + duration
    }

    private mutating func note(_ info: MediaInfo, _ name: String) {
        types.insert(info.type)
        hasAlpha = hasAlpha || info.hasAlpha
        if sound.isEmpty { sound = info.streams.filter { $0.kind == .audio } }
        // Damage of each of ten thousand pictures would not be read.
        if warnings.count < 10 {
            warnings += info.warnings.map {
                MediaWarning($0.code, name.isEmpty ? $0.message : "\(name): \($0.message)")
            }
        }
        guard let first else {
            first = info
            return
        }
        guard info.size != first.size else { return }
        if otherSizes == 0 { firstOther = name }
        otherSizes += 1
    }

    /// The description of the whole.
    func info(loop: LoopCount?) throws(MediaError) -> MediaInfo {
        guard let first else { throw .nothingToJoin }
        var info = MediaInfo(
            type: type, codec: first.codec, size: first.size, frameCount: timings.count,
            duration: FrameIndex(timings).duration,
            loop: loop ?? (isVideo ? .video : .plays(0)),
            hasAlpha: hasAlpha || otherSizes > 0 && !isVideo,
            warnings: (sizeWarning(first.size).map { [$0] } ?? []) + warnings,
            streams: first.streams.filter { $0.kind != .audio } + sound)
        info.color = first.color
        info.bitDepth = first.bitDepth
        return info
    }

    /// Whether all parts are video.
    var isVideo: Bool { types.allSatisfy { $0.family == .video } }

    /// The type of all parts, or that of pictures.
    private var type: MediaType {
        guard let one = types.first, one.family != .still else { return .pictures }
        if types.count == 1 { return one }
        return isVideo ? first?.type ?? one : .pictures
    }

    private func sizeWarning(_ size: PixelSize) -> MediaWarning? {
        guard otherSizes > 0 else { return nil }
        let name = firstOther.isEmpty ? "" : ", such as \(firstOther),"
        let count = otherSizes == 1 ? "1 input" : "\(otherSizes) inputs"
        return MediaWarning(
            .sizeChange,
            "\(count)\(name) of another size than the first (\(size)) fit into it with empty edges."
        )
    }
}

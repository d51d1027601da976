package import LazyMedia

/// Reads animated PNG: frames and canvas are composed here, libpng decodes pixels.
package struct APNGDecoder: MediaDecoding {
    /// Makes the decoder.
    package init() {}

    package let name = "libpng"

    /// Whether the bytes are an animated PNG.
    package func canOpen(_ type: MediaType) -> Bool { type == .apng }

    /// Reads the chunks; no pixel is decoded.
    ///
    /// What browsers show as one picture (one frame, two `acTL`) is a sequence of one, and where no
    /// frame is complete it is the default image. Throws `.truncated`, `.malformed`,
    /// `.limitExceeded` and what reading bytes throws.
    package func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        let isPartial = bytes.isPartial
        let bytes = try bytes.contiguous(within: limits)
        var structure = try bytes.withBytes { (memory) throws(MediaError) in
            try APNGStructure(memory, limits: limits)
        }
        try limits.check(canvas: structure.canvas)
        if isPartial, structure.isTruncated, structure.images.count < 2 {
            throw MediaError(.truncated, "The animation's first frame has not come whole.")
        }
        if structure.isTruncated, try !Self.isLastImageWhole(structure, bytes) {
            structure.dropLastImage()
        }
        guard structure.images.isEmpty else {
            return try OpenedAPNG(bytes, structure, limits: limits)
        }
        return try OpenedPNG(
            bytes, type: .apng, loop: LoopCount(raw: structure.plays, plays: 1),
            warnings: structure.warnings.filter { $0 != .pngEndsEarly }, limits: limits)
    }

    /// Decodes the last image, where the bytes end, to check whether it is complete.
    private static func isLastImageWhole(
        _ structure: APNGStructure, _ bytes: MemoryBytes
    ) throws(MediaError) -> Bool {
        guard structure.images.count > 1, let image = structure.images.last else { return true }
        var isWhole = false
        _ = try Bitmap(size: image.size, isOpaque: false) { (rgba) throws(MediaError) in
            do throws(MediaError) {
                isWhole = try structure.pixels(of: image, in: bytes, into: rgba, .init()).areWhole
            } catch  where [.truncated, .malformed].contains(error.code) {}
        }
        return isWhole
    }
}

/// An animated PNG whose chunks have been walked.
struct OpenedAPNG: OpenedMedia {
    let bytes: MemoryBytes
    let structure: APNGStructure
    private(set) var info: MediaInfo
    private let index: FrameIndex

    init(
        _ bytes: MemoryBytes, _ structure: APNGStructure, limits: DecodingLimits
    ) throws(MediaError) {
        self.bytes = bytes
        self.structure = structure
        index = FrameIndex(Self.timings(structure, .browsers))
        info = MediaInfo(
            type: .apng, codec: "apng",
            size: structure.header.orientation.turned(structure.canvas), frameCount: index.count,
            duration: index.duration,
            loop: structure.isStill
                ? LoopCount(raw: structure.plays, plays: 1) : .plays(structure.plays),
            hasAlpha: structure.hasAlpha,
            rotation: structure.header.orientation.quarterTurns * 90,
            isMirrored: structure.header.orientation.isMirrored,
            isTruncated: structure.isTruncated, warnings: structure.warnings,
            streams: [
                StreamInfo(
                    index: 0, kind: .video, codec: "apng", codedSize: structure.canvas,
                    isChosen: true)
            ])
        info.describe(structure.header)
    }

    func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex { index }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        try APNGReader(self, options)
    }

    /// When each frame is shown, by a rule for short delays.
    func timings(_ rule: DelayRule) -> [FrameTiming] {
        rule == .browsers ? index.timings : Self.timings(structure, rule)
    }

    private static func timings(_ structure: APNGStructure, _ rule: DelayRule) -> [FrameTiming] {
        if structure.isStill { return [.still] }
        let delays = structure.images.map(\.time)
        // Too short delays become a tenth of a second.
        let base = Rational(
            commonBaseOf: delays.map { rule.effective($0) == $0 ? $0.base.denominator : 10 })
        return FrameTiming.sequence(delays, base: base, rule) { structure.images[$0].isKeyframe }
    }
}

extension Rational {
    /// A time base in which multiples of all these fractions of a second are whole numbers.
    ///
    /// Nanoseconds, where that needs more than 10¹² ticks a second.
    fileprivate init(commonBaseOf denominators: [Int64]) {
        var least: UInt64 = 1
        for denominator in denominators.map(\.magnitude) {
            least = least / greatestDivisor(least, denominator) * denominator
            guard least <= 1_000_000_000_000 else {
                self.init(1, 1_000_000_000)
                return
            }
        }
        self.init(1, Int64(least))
    }
}

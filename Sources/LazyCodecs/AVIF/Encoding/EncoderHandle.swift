internal import CAVIF
internal import LazyMedia

/// Owns libavif's encoder.
final class EncoderHandle {
    /// The encoding settings of a file.
    struct Settings: Hashable {
        var hasAlpha = false
        /// Whether chroma has the resolution of luma.
        var isFull = false
        var isLossless = false
        /// The quantizer, 0 (best) to 63.
        var quantizer = 25
        /// libavif's speed, 0 (slow) to 10.
        var speed = 6
        var threads = 1
        /// The matrix and range of planes that are encoded without conversion.
        var matrix = PlanarPicture.Matrix.bt601
        var isFullRange = true
        var takesPlanes = false
        var isStill = false
        /// What the samples mean.
        var color = ColorDescription.sRGB
        /// The bits of a sample: 8, 10 or 12.
        var depth = 8

        /// Whether there is luma alone, as a profile for gray wants.
        var isGray: Bool { color.profile?.isGray == true }

        /// The most frames from one keyframe to the next.
        static let keyInterval = 240

        /// The number of frames encoded into one piece.
        ///
        /// The keyframe interval, so that there are no more keyframes; fewer for very large or very
        /// good pictures, to some dozen megabytes of coded data.
        func pieceLength(_ size: PixelSize) -> Int {
            let share = isLossless || quantizer < 12 ? 8 : 1
            return max(24, min(Self.keyInterval, 500_000_000 / size.pixelCount / share))
        }
    }

    /// From this speed on libavif uses libaom's realtime mode.
    static let realtimeSpeed = 7

    private let avif: UnsafePointer<CAVIFTable>
    private let encoder: UnsafeMutablePointer<avifEncoder>
    private let size: PixelSize
    private let settings: Settings
    private var image: UnsafeMutablePointer<avifImage>?

    /// Makes an encoder; throws `.environment` where there is no library or no codec.
    init(_ size: PixelSize, _ settings: Settings) throws(MediaError) {
        avif = try AVIFLibrary.loadForWriting()
        let choice = try Self.codec(avif, settings)
        guard let encoder = avif.pointee.avifEncoderCreate() else {
            throw MediaError(.environment, "There is no memory for encoding an AVIF.")
        }
        self.encoder = encoder
        self.size = size
        self.settings = settings
        LiveHandles.didOpen()
        encoder.pointee.codecChoice = choice
        encoder.pointee.maxThreads = CInt(clamping: settings.threads)
        encoder.pointee.speed = CInt(settings.speed)
        encoder.pointee.timescale = 1000
        encoder.pointee.keyframeInterval = CInt(Settings.keyInterval)
        encoder.pointee.autoTiling = settings.threads > 1 ? 1 : 0
        setQuality(isOfAOM: choice == AVIF_CODEC_CHOICE_AOM)
    }

    deinit {
        if let image { avif.pointee.avifImageDestroy(image) }
        avif.pointee.avifEncoderDestroy(encoder)
        LiveHandles.didClose()
    }

    /// The mutex to hold while encoding, where only one encoder of the kind may be open.
    static func mutex(_ settings: Settings) throws(MediaError) -> AsyncMutex? {
        let avif = try AVIFLibrary.loadForWriting()
        return try codec(avif, settings) == AVIF_CODEC_CHOICE_SVT
            ? .shared(named: "SVT-AV1") : nil
    }

    /// libaom supports everything; rav1e and SVT-AV1 are used where it is missing.
    private static func codec(
        _ avif: UnsafePointer<CAVIFTable>, _ settings: Settings
    ) throws(MediaError) -> avifCodecChoice {
        let choices = [
            AVIF_CODEC_CHOICE_AOM, AVIF_CODEC_CHOICE_RAV1E, AVIF_CODEC_CHOICE_SVT,
        ]
        let flags = UInt32(AVIF_CODEC_FLAG_CAN_ENCODE.rawValue)
        for choice in choices where avif.pointee.avifCodecName(choice, flags) != nil {
            let isLimited = choice == AVIF_CODEC_CHOICE_SVT
            if isLimited, settings.isFull || settings.isLossless { continue }
            return choice
        }
        throw MediaError(
            .environment, "libavif was built without an encoder that can write such an AVIF.")
    }

    private func setQuality(isOfAOM: Bool) {
        let quantizer = settings.isLossless ? 0 : settings.quantizer
        let spread = settings.isLossless ? 0 : 4
        encoder.pointee.minQuantizer = CInt(max(0, quantizer - spread))
        encoder.pointee.maxQuantizer = CInt(min(63, quantizer + spread))
        // Edges of alpha are visible and cheap.
        let alpha = quantizer / 2
        encoder.pointee.minQuantizerAlpha = CInt(max(0, alpha - spread))
        encoder.pointee.maxQuantizerAlpha = CInt(min(63, settings.isLossless ? 0 : alpha + spread))
        guard isOfAOM, !settings.isLossless else { return }
        // In its realtime mode libaom 3.6 skips chroma from cpu-used 7 on where little moves:
        // colors drift by up to 30 of 255 in a second. At 6 it does not; files are 15 to 22 %
        // smaller and take twice the time.
        if settings.speed >= Self.realtimeSpeed { set("cpu-used", "6") }
        set("end-usage", "q")
        set("color:cq-level", String(quantizer))
        set("alpha:cq-level", String(alpha))
    }

    private func set(_ key: String, _ value: String) {
        cavif_set_option(avif, encoder, key, value)
    }

    /// Encodes a frame; its duration is set later.
    func add(_ frame: Frame, isLast: Bool) throws(MediaError) {
        if settings.takesPlanes, let planes = frame.planes, planes.matrix == settings.matrix,
            planes.isFullRange == settings.isFullRange
        {
            try planes.withBytes { (bytes) throws(MediaError) in try add(planes, bytes) }
            return
        }
        if self.image == nil { self.image = try makeImage(planes: true) }
        guard let image else { return }
        if settings.depth > 8, let deep = frame.deep {
            try deep.withBytes { (bytes) throws(MediaError) in
                guard !settings.isGray || bytes.isDeepGray else { throw .coloredGray(.avif) }
                try convert(bytes, depth: 16, stride: deep.stride, to: image)
            }
        } else {
            try frame.bitmap.withBytes { (bytes) throws(MediaError) in
                guard !settings.isGray || bytes.isGray else { throw .coloredGray(.avif) }
                try convert(bytes, depth: 8, stride: frame.bitmap.stride, to: image)
            }
        }
        try add(image)
    }

    private func convert(
        _ bytes: UnsafeRawBufferPointer, depth: UInt32, stride: Int,
        to image: UnsafeMutablePointer<avifImage>
    ) throws(MediaError) {
        var rgb = avifRGBImage()
        avif.pointee.avifRGBImageSetDefaults(&rgb, image)
        rgb.depth = depth
        rgb.format = AVIF_RGB_FORMAT_RGBA
        rgb.ignoreAlpha = settings.hasAlpha ? 0 : 1
        rgb.rowBytes = UInt32(stride)
        // libavif only reads the pixels, though their type is mutable.
        rgb.pixels = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
        try check(avif.pointee.avifImageRGBToYUV(image, &rgb))
    }

    private func add(
        _ planes: PlanarPicture, _ bytes: UnsafeRawBufferPointer
    ) throws(MediaError) {
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        let image = try makeImage(planes: false)
        defer { avif.pointee.avifImageDestroy(image) }
        let layout = planes.layout
        let first = UnsafeMutablePointer(mutating: start)
        image.pointee.yuvPlanes = (first, first + layout.u, first + layout.v)
        let wide = UInt32(layout.chromaWidth)
        image.pointee.yuvRowBytes = (UInt32(size.width), wide, wide)
        image.pointee.imageOwnsYUVPlanes = 0
        try add(image)
    }

    private func add(_ image: UnsafeMutablePointer<avifImage>) throws(MediaError) {
        let flags = settings.isStill ? UInt32(AVIF_ADD_IMAGE_FLAG_SINGLE.rawValue) : 0
        try check(avif.pointee.avifEncoderAddImage(encoder, image, 1, flags))
    }

    private func makeImage(planes: Bool) throws(MediaError) -> UnsafeMutablePointer<avifImage> {
        let hasChroma = settings.isLossless || settings.isFull
        let format =
            settings.isGray
            ? AVIF_PIXEL_FORMAT_YUV400
            : hasChroma ? AVIF_PIXEL_FORMAT_YUV444 : AVIF_PIXEL_FORMAT_YUV420
        guard
            let image = avif.pointee.avifImageCreate(
                UInt32(size.width), UInt32(size.height), UInt32(settings.depth), format)
        else { throw MediaError(.environment, "There is no memory for encoding an AVIF.") }
        image.pointee.matrixCoefficients = UInt16(matrix)
        image.pointee.yuvRange =
            settings.isLossless || settings.isFullRange ? AVIF_RANGE_FULL : AVIF_RANGE_LIMITED
        do throws(MediaError) { try setColor(image) } catch {
            avif.pointee.avifImageDestroy(image)
            throw error
        }
        guard planes else { return image }
        let kinds = AVIF_PLANES_YUV.rawValue | (settings.hasAlpha ? AVIF_PLANES_A.rawValue : 0)
        guard avif.pointee.avifImageAllocatePlanes(image, UInt32(kinds)) == AVIF_RESULT_OK else {
            avif.pointee.avifImageDestroy(image)
            throw MediaError(.environment, "There is no memory for encoding an AVIF.")
        }
        return image
    }

    /// Says what samples mean: code points, or a profile where none names them.
    private func setColor(_ image: UnsafeMutablePointer<avifImage>) throws(MediaError) {
        let color = settings.color
        if let light = color.contentLight {
            cavif_set_light(
                image, UInt32(clamping: light.maximum), UInt32(clamping: light.maximumAverage))
        }
        if let (primaries, transfer) = color.codePoints {
            image.pointee.colorPrimaries = UInt16(primaries.rawValue)
            image.pointee.transferCharacteristics = UInt16(transfer.rawValue)
            return
        }
        image.pointee.colorPrimaries = UInt16(AVIF_COLOR_PRIMARIES_UNSPECIFIED)
        image.pointee.transferCharacteristics = UInt16(AVIF_TRANSFER_CHARACTERISTICS_UNSPECIFIED)
        guard let profile = try color.writtenProfile(in: .avif, hasGray: true) else { return }
        _ = avif.pointee.avifImageSetProfileICC(image, profile.bytes, profile.bytes.count)
        if image.pointee.icc.size != profile.bytes.count {
            throw MediaError(.environment, "There is no memory for encoding an AVIF.")
        }
    }

    private var matrix: Int {
        // Of luma alone it is the identity whatever the matrix is.
        if settings.isLossless, !settings.isGray { return AVIF_MATRIX_COEFFICIENTS_IDENTITY }
        return switch settings.matrix {
        case .bt601: AVIF_MATRIX_COEFFICIENTS_BT601
        case .bt709: AVIF_MATRIX_COEFFICIENTS_BT709
        case .bt2020: AVIF_MATRIX_COEFFICIENTS_BT2020_NCL
        }
    }

    /// Ends the encoding and returns the file.
    func finish() throws(MediaError) -> EncodedBytes {
        let output = EncodedBytes(avif)
        try check(output.fill { avif.pointee.avifEncoderFinish(encoder, &$0) })
        return output
    }

    private func check(_ result: avifResult) throws(MediaError) {
        guard result != AVIF_RESULT_OK else { return }
        var words = String(cString: cavif_encoder_message(encoder))
        // libavif prints a detail of libaom that there may not be.
        if words.hasSuffix(": (null)") { words.removeLast(": (null)".count) }
        let name = avif.pointee.avifResultToString(result).map { String(cString: $0) }
        let why = words.isEmpty ? name ?? "for no reason given" : words
        throw MediaError(
            result == AVIF_RESULT_OUT_OF_MEMORY ? .environment : .notWritable,
            "Cannot encode the AVIF: \(why).")
    }
}

/// A file written by libavif; owns its memory.
///
/// Unchecked: the memory is written by `fill` before the object is shared, and then immutable.
final class EncodedBytes: ByteSource, @unchecked Sendable {
    private let avif: UnsafePointer<CAVIFTable>
    private var data = avifRWData(data: nil, size: 0)

    init(_ avif: UnsafePointer<CAVIFTable>) { self.avif = avif }

    deinit { avif.pointee.avifRWDataFree(&data) }

    fileprivate func fill(_ body: (inout avifRWData) -> avifResult) -> avifResult { body(&data) }

    var count: Int { data.size }

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard offset >= 0, offset < count, let start = data.data else { return 0 }
        let length = min(buffer.count, count - offset)
        buffer.copyMemory(from: UnsafeRawBufferPointer(start: start + offset, count: length))
        return length
    }

    func contiguous() throws(MediaError) -> MemoryBytes {
        try memory(0..<count)
    }

    /// Lends so many bytes from an offset on; they must be there.
    func withBytes(
        _ offset: Int, _ length: Int,
        _ use: (UnsafeRawBufferPointer) throws(MediaError) -> Void
    ) throws(MediaError) {
        precondition(offset >= 0 && length >= 0 && offset + length <= count, "behind the end")
        guard let start = data.data else { return }
        try use(UnsafeRawBufferPointer(start: start + offset, count: length))
    }
}

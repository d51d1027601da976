internal import CAVIF
internal import LazyMedia

/// Owns libavif's decoder and its input.
final class AVIFDecoderHandle {
    private let avif: UnsafePointer<CAVIFTable>
    private let decoder: UnsafeMutablePointer<avifDecoder>
    private let input: Input

    /// The callback's source, and the error it met.
    private final class Input {
        let bytes: any ByteSource
        let cancellation: CancellationFlag
        let replaced: [ReplacedWord]
        var failure: MediaError?

        init(_ bytes: any ByteSource, _ cancellation: CancellationFlag, _ replaced: [ReplacedWord])
        {
            self.bytes = bytes
            self.cancellation = cancellation
            self.replaced = replaced
        }

        func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
            do throws(MediaError) {
                let filled = try bytes.fill(buffer, at: offset, cancellation: cancellation)
                for word in replaced
                where word.offset >= offset && word.offset + 4 <= offset + filled {
                    buffer.storeBytes(
                        of: word.word.bigEndian, toByteOffset: word.offset - offset,
                        as: UInt32.self)
                }
                return filled
            } catch {
                failure = error
                return -1
            }
        }
    }

    /// Reads the boxes of a file with some words replaced; decodes nothing.
    init(
        _ bytes: any ByteSource, replacing replaced: [ReplacedWord], limits: DecodingLimits,
        threads: Int, cancellation: CancellationFlag
    ) throws(MediaError) {
        avif = try AVIFLibrary.load()
        guard let decoder = avif.pointee.avifDecoderCreate() else {
            throw MediaError(.environment, "There is no memory for decoding an AVIF.")
        }
        self.decoder = decoder
        input = Input(bytes, cancellation, replaced)
        LiveHandles.didOpen()
        decoder.pointee.maxThreads = CInt(clamping: threads)
        decoder.pointee.ignoreExif = 1
        decoder.pointee.ignoreXMP = 1
        // Browsers show files that lack descriptive boxes.
        decoder.pointee.strictFlags = UInt32(AVIF_STRICT_DISABLED.rawValue)
        // The size in the header is checked against the limits after parsing.
        decoder.pointee.imageSizeLimit = UInt32(AVIF_DEFAULT_IMAGE_SIZE_LIMIT)
        decoder.pointee.imageDimensionLimit = 65_536
        if let memory = limits.memory {
            let most = memory / DecodingLimits.bytesPerEntry + 1
            decoder.pointee.imageCountLimit = UInt32(clamping: min(most, 1_000_000))
        }
        let context = Unmanaged.passUnretained(input).toOpaque()
        guard
            cavif_set_reader(
                decoder, context, UInt64(bytes.count),
                { context, offset, out, size in
                    let input = Unmanaged<Input>.fromOpaque(context).takeUnretainedValue()
                    return input.read(
                        at: Int(offset),
                        into: UnsafeMutableRawBufferPointer(start: out, count: size))
                }) != 0
        else { throw MediaError(.environment, "There is no memory for decoding an AVIF.") }
        try check(avif.pointee.avifDecoderParse(decoder), "read")
        // No coded picture may be larger than the header's size, which dav1d enforces.
        if let coded = shape()?.coded {
            decoder.pointee.imageSizeLimit = min(
                UInt32(AVIF_DEFAULT_IMAGE_SIZE_LIMIT), UInt32(clamping: coded.pixelCount))
        }
    }

    /// The memory for pictures during decoding, in bytes.
    var decodedBytes: Int {
        guard let image = decoder.pointee.image, let coded = shape()?.coded else { return 0 }
        let samples =
            switch image.pointee.yuvFormat {
            case AVIF_PIXEL_FORMAT_YUV444: 6
            case AVIF_PIXEL_FORMAT_YUV422: 4
            default: 3
            }
        let one = coded.pixelCount * samples / 2 * (image.pointee.depth > 8 ? 2 : 1)
        let planes = one + (hasAlpha ? coded.pixelCount * (image.pointee.depth > 8 ? 2 : 1) : 0)
        // A still refers to no other picture; those of a sequence to up to eight.
        return planes * (frameCount > 1 ? 9 : 1) + coded.rgbaByteCount
    }

    deinit {
        avif.pointee.avifDecoderDestroy(decoder)
        LiveHandles.didClose()
    }

    var frameCount: Int { Int(decoder.pointee.imageCount) }
    var hasAlpha: Bool { decoder.pointee.alphaPresent != 0 }
    var timescale: UInt64 { decoder.pointee.timescale }
    var bitDepth: Int { Int(decoder.pointee.image.pointee.depth) }

    /// Whether samples are luma alone.
    var isGray: Bool { decoder.pointee.image.pointee.yuvFormat == AVIF_PIXEL_FORMAT_YUV400 }

    /// The layout of samples in FFmpeg's terms.
    var pixelFormat: String {
        let image = decoder.pointee.image.pointee
        let name =
            switch image.yuvFormat {
            case AVIF_PIXEL_FORMAT_YUV444: image.matrixCoefficients == 0 ? "gbrp" : "yuv444p"
            case AVIF_PIXEL_FORMAT_YUV422: "yuv422p"
            case AVIF_PIXEL_FORMAT_YUV400: "gray"
            default: "yuv420p"
            }
        return image.depth > 8 ? "\(name)\(image.depth)le" : name
    }

    /// What the samples mean; before a frame is decoded only what its container says.
    func color(_ tables: AVIFTables) -> ColorDescription {
        let image = decoder.pointee.image.pointee
        let profile = image.icc.data.flatMap { start in
            ICCProfile(Array(UnsafeBufferPointer(start: start, count: image.icc.size)))
        }
        return ColorDescription(
            primaries: ColorPrimaries(rawValue: UInt8(truncatingIfNeeded: image.colorPrimaries)),
            transfer: TransferCharacteristics(
                rawValue: UInt8(truncatingIfNeeded: image.transferCharacteristics)),
            matrix: MatrixCoefficients(
                rawValue: UInt8(truncatingIfNeeded: image.matrixCoefficients)),
            isFullRange: image.yuvRange == AVIF_RANGE_FULL, profile: profile,
            masteringDisplay: tables.masteringDisplay, contentLight: tables.contentLight)
    }

    /// The coded size, crop and orientation.
    func shape() -> AVIFShape? { AVIFShape(decoder.pointee.image.pointee, avif) }

    func isKeyframe(_ index: Int) -> Bool {
        avif.pointee.avifDecoderIsKeyframe(decoder, UInt32(index)) != 0
    }

    /// The duration of a frame in ticks of `timescale`; costs O(index).
    func ticks(of index: Int) -> UInt64 {
        var timing = avifImageTiming()
        let result = avif.pointee.avifDecoderNthImageTiming(decoder, UInt32(index), &timing)
        return result == AVIF_RESULT_OK ? timing.durationInTimescales : 0
    }

    /// Decodes a frame by its index; fast for the next one.
    func decode(_ index: Int) throws(MediaError) {
        try check(avif.pointee.avifDecoderNthImage(decoder, UInt32(index)), "decode")
    }

    /// Converts the last decoded frame to RGBA8 rows of its coded size.
    func convert(
        into rows: UnsafeMutableRawBufferPointer, size: PixelSize, by converter: ColorConverter?
    ) throws(MediaError) {
        let image = try image(of: size)
        if let converter { return try convert(image, size, by: converter, into: rows) }
        try convertByLibrary(image, size, depth: 8, into: rows)
    }

    /// Converts to RGBA of 16 bits by libavif, whose alpha is straight, and then its colors.
    private func convert(
        _ image: UnsafeMutablePointer<avifImage>, _ size: PixelSize, by converter: ColorConverter,
        into rows: UnsafeMutableRawBufferPointer
    ) throws(MediaError) {
        if let planes = SamplePlanes(image.pointee, size), let start = rows.baseAddress {
            return planes.convert(
                by: converter, blendsChroma: true, into: start, stride: size.width * 4)
        }
        let deep = UnsafeMutableRawBufferPointer.allocate(
            byteCount: size.deepByteCount, alignment: 64)
        defer { deep.deallocate() }
        try convertByLibrary(image, size, depth: 16, into: deep)
        guard let from = deep.bindMemory(to: UInt16.self).baseAddress,
            let to = rows.bindMemory(to: UInt32.self).baseAddress
        else { return }
        for row in 0..<size.height {
            converter.convert(
                deep: from + row * size.width * 4, into: to + row * size.width, count: size.width)
        }
    }

    /// Converts the last decoded frame to RGBA16 rows of its coded size, keeping its colors.
    func convert(
        deep rows: UnsafeMutableRawBufferPointer, size: PixelSize
    ) throws(MediaError) {
        try convertByLibrary(try image(of: size), size, depth: 16, into: rows)
    }

    /// Converts to RGBA of 8 or 16 bits by libavif, keeping the colors.
    private func convertByLibrary(
        _ image: UnsafeMutablePointer<avifImage>, _ size: PixelSize, depth: Int,
        into rows: UnsafeMutableRawBufferPointer
    ) throws(MediaError) {
        var rgb = avifRGBImage()
        avif.pointee.avifRGBImageSetDefaults(&rgb, image)
        rgb.depth = UInt32(depth)
        rgb.format = AVIF_RGB_FORMAT_RGBA
        rgb.pixels = rows.bindMemory(to: UInt8.self).baseAddress
        rgb.rowBytes = UInt32(size.width * depth / 2)
        try check(avif.pointee.avifImageYUVToRGB(image, &rgb), "convert")
    }

    /// The last decoded frame, whose size must be that of the header.
    private func image(
        of size: PixelSize
    ) throws(MediaError) -> UnsafeMutablePointer<avifImage> {
        guard let image = decoder.pointee.image,
            Int(image.pointee.width) == size.width, Int(image.pointee.height) == size.height
        else { throw MediaError(.malformed, "The AVIF changes its size on the way.") }
        return image
    }

    private func check(_ result: avifResult, _ verb: String) throws(MediaError) {
        guard result != AVIF_RESULT_OK else { return }
        if let failure = input.failure {
            input.failure = nil
            throw failure
        }
        if verb == "decode", Self.code(result) == .truncated {
            throw MediaError(.truncated, "The AVIF ends before the data of a picture.")
        }
        let words = String(cString: cavif_decoder_message(decoder))
        let name = avif.pointee.avifResultToString(result).map { String(cString: $0) }
        let why = words.isEmpty ? name ?? "for no reason given" : words
        throw MediaError(Self.code(result), "Cannot \(verb) the AVIF: \(why).")
    }

    private static func code(_ result: avifResult) -> MediaError.Code {
        switch result {
        case AVIF_RESULT_TRUNCATED_DATA, AVIF_RESULT_WAITING_ON_IO: .truncated
        case AVIF_RESULT_OUT_OF_MEMORY: .environment
        // Errors of reading are kept apart; this is an offset past the end.
        case AVIF_RESULT_IO_ERROR: .truncated
        case AVIF_RESULT_NOT_IMPLEMENTED, AVIF_RESULT_NO_CODEC_AVAILABLE,
            AVIF_RESULT_UNSUPPORTED_DEPTH, AVIF_RESULT_REFORMAT_FAILED,
            AVIF_RESULT_NO_AV1_ITEMS_FOUND, AVIF_RESULT_INVALID_FTYP:
            .unsupported
        default: .malformed
        }
    }
}

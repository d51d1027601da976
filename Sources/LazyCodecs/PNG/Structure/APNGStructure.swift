internal import LazyMedia

/// The structure of an animated PNG, read from its chunks without pixels (PNG specification, 3rd
/// ed., 11.3.6).
///
/// A sequence number out of order, a rectangle outside the canvas or an early end ends the
/// animation; the complete frames before that are kept, as in Chromium.
struct APNGStructure {
    /// One frame's control chunk, and where its pixels are.
    struct Image {
        var rect: PixelRect
        /// The delay in the file, a fraction of a second.
        var delay: (numerator: UInt16, denominator: UInt16)
        var disposal: LayeredCanvas.Disposal
        /// Whether it is blended over the canvas.
        var isBlended: Bool
        /// The range of its chunks of pixels.
        var chunks = 0..<0
        /// Whether its chunks are `fdAT`, with sequence numbers.
        var isNumbered = false
        /// Whether it can be composed without the frames before it.
        var isKeyframe = false
    }

    let header: PNGHeader
    private(set) var canvas = PixelSize(width: 1, height: 1)
    /// Whether pixels of the coded pictures can be transparent.
    private(set) var hasCodedAlpha = false
    /// The number of plays in `acTL`, 0 for forever.
    private(set) var plays = 0
    private(set) var images: [Image] = []
    private(set) var warnings: [MediaWarning] = []
    private(set) var isTruncated = false
    /// Whether browsers show one picture instead of an animation.
    private(set) var isStill = false
    /// The bytes that libpng needs before the pixels: signature, `IHDR`, `PLTE`, `tRNS`.
    private(set) var head: [UInt8] = []

    /// Reads the chunks; throws where there is no usable header.
    init(_ bytes: UnsafeRawBufferPointer, limits: DecodingLimits) throws(MediaError) {
        header = try PNGHeader(bytes)
        guard bytes.count >= 33 else {
            throw MediaError(.truncated, MediaWarning.pngEndsEarly.message)
        }
        canvas = header.size
        hasCodedAlpha = header.hasAlpha
        head = Array(bytes[0..<33])
        var walk = Walk()
        var chunks = PNGChunks(bytes, at: 33)
        while !walk.isOver, let chunk = chunks.next() {
            try take(chunk, bytes, &walk, limits)
        }
        if !walk.isOver {
            isTruncated = true
            warnings.append(.pngEndsEarly)
        }
        if walk.isDamagedInside { dropLastImage() }
        images.removeAll { $0.chunks.isEmpty }
        isStill = walk.controls != 1 || walk.frames < 2
        if !isStill, !images.isEmpty, warnings.isEmpty,
            images.count != Int(walk.frames) || walk.hasMore
        {
            warnings.append(
                MediaWarning(
                    .malformed,
                    walk.hasMore
                        ? "The animation has more frames than the \(walk.frames) that it announces; they are left out."
                        : "The animation announces \(walk.frames) frames and has \(images.count)."))
        }
        if isStill { images.removeLast(max(0, images.count - 1)) }
        findKeyframes()
    }

    /// The state of reading chunks.
    private struct Walk {
        var sequence: UInt32 = 0
        var controls = 0
        var frames: UInt32 = 0
        var hasPixels = false
        /// Whether a frame follows those that `acTL` announces.
        var hasMore = false
        var isOver = false
        /// Whether the last image has pixels out of order.
        var isDamagedInside = false
    }

    private mutating func take(
        _ chunk: PNGChunks.Chunk, _ bytes: UnsafeRawBufferPointer, _ walk: inout Walk,
        _ limits: DecodingLimits
    ) throws(MediaError) {
        let data = UnsafeRawBufferPointer(rebasing: bytes[chunk.data])
        switch chunk.name {
        case PNGChunks.name("acTL") where data.count >= 8 && !walk.hasPixels:
            walk.controls += 1
            walk.frames = data.bigEndian(at: 0)
            plays = Int(data.bigEndian(at: 4))
        case PNGChunks.name("PLTE") where !walk.hasPixels,
            PNGChunks.name("tRNS") where !walk.hasPixels:
            head += bytes[chunk.range]
        case PNGChunks.name("fcTL"):
            guard data.count >= 26, follows(data, &walk), let image = Image(data, in: canvas) else {
                return close(&walk)
            }
            // A frame without pixels is dropped.
            if images.last?.chunks.isEmpty == true { images.removeLast() }
            guard images.count < max(1, Int(walk.frames)) else {
                walk.hasMore = true
                return walk.isOver = true
            }
            images.append(image)
            try limits.check(entries: images.count)
        case PNGChunks.name("IDAT"):
            walk.hasPixels = true
            extend(chunk, isNumbered: false)
        case PNGChunks.name("fdAT"):
            guard walk.hasPixels, data.count >= 4, !images.isEmpty, follows(data, &walk) else {
                walk.isDamagedInside = true
                return close(&walk)
            }
            extend(chunk, isNumbered: true)
        case PNGChunks.name("IEND"):
            walk.isOver = true
        default: break
        }
    }

    private func follows(_ data: UnsafeRawBufferPointer, _ walk: inout Walk) -> Bool {
        guard data.bigEndian(at: 0) == walk.sequence else { return false }
        walk.sequence &+= 1
        return true
    }

    private mutating func close(_ walk: inout Walk) {
        walk.isOver = true
        warnings.append(
            MediaWarning(.malformed, "The animation's chunks are out of order; it ends there."))
    }

    private mutating func extend(_ chunk: PNGChunks.Chunk, isNumbered: Bool) {
        guard let last = images.indices.last else { return }
        // `IDAT` after a frame's `fdAT`, or the reverse, is a mistake.
        guard images[last].chunks.isEmpty || images[last].isNumbered == isNumbered else { return }
        images[last].isNumbered = isNumbered
        let start =
            images[last].chunks.isEmpty ? chunk.range.lowerBound : images[last].chunks.lowerBound
        images[last].chunks = start..<chunk.range.upperBound
    }

    /// Removes the last image, unless it is the only one.
    mutating func dropLastImage() {
        if images.count > 1 { images.removeLast() }
    }

    private mutating func findKeyframes() {
        var isEmpty = true
        for i in images.indices {
            let image = images[i]
            let covers = image.rect == PixelRect(canvas)
            let replaces = covers && (!image.isBlended || !hasCodedAlpha)
            images[i].isKeyframe = isEmpty || (replaces && image.disposal != .restore)
            switch image.disposal {
            case .keep: isEmpty = false
            case .clear: isEmpty = isEmpty || covers
            case .restore: break
            }
        }
    }

    /// Whether any composed pixel can be transparent: of colors with alpha, or of a canvas that is not covered.
    var hasAlpha: Bool {
        guard !hasCodedAlpha else { return true }
        var isCovered = false
        for image in images {
            let wasCovered = isCovered
            isCovered = isCovered || image.rect == PixelRect(canvas)
            guard isCovered else { return true }
            switch image.disposal {
            case .keep: break
            case .clear: isCovered = false
            case .restore: isCovered = wasCovered
            }
        }
        return false
    }
}

extension LayeredCanvas.Disposal {
    /// The meaning of `dispose_op`; nil for an unknown number.
    init?(apng number: UInt8) {
        guard number < 3 else { return nil }
        self = [.keep, .clear, .restore][Int(number)]
    }

    /// The number in `dispose_op`.
    var apngNumber: UInt8 {
        switch self {
        case .keep: 0
        case .clear: 1
        case .restore: 2
        }
    }
}

extension APNGStructure.Image {
    /// The size of its pixels.
    var size: PixelSize { PixelSize(width: rect.width, height: rect.height) }

    /// Reads `fcTL`; nil where the rectangle leaves the canvas.
    fileprivate init?(_ data: UnsafeRawBufferPointer, in canvas: PixelSize) {
        let numbers = (0..<4).map { Int(data.bigEndian(at: 4 + 4 * $0)) }
        guard let size = PixelSize(checking: numbers[0], numbers[1]),
            numbers[2] + size.width <= canvas.width, numbers[3] + size.height <= canvas.height,
            let disposal = LayeredCanvas.Disposal(apng: data[24]), data[25] <= 1
        else { return nil }
        self.init(
            rect: PixelRect(x: numbers[2], y: numbers[3], width: size.width, height: size.height),
            delay: (
                UInt16(data[20]) << 8 | UInt16(data[21]), UInt16(data[22]) << 8 | UInt16(data[23])
            ),
            disposal: disposal, isBlended: data[25] == 1)
    }

    /// The delay as a time; a denominator of 0 means hundredths.
    var time: MediaTime {
        MediaTime(
            ticks: Int64(delay.numerator),
            base: Rational(1, delay.denominator == 0 ? 100 : Int64(delay.denominator)))
    }
}

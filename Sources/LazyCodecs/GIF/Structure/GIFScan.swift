internal import LazyMedia

/// The structure of a GIF: what all blocks say, without pixels.
///
/// Skips from block to block, so it costs little more than one memory access each.
struct GIFScan: Sendable {
    /// Where and how the structure is broken.
    enum Damage: Hashable, Sendable {
        /// The data ends inside a block.
        case truncated
        /// All blocks are whole, but the trailer is missing.
        case noTrailer
        /// An image holds a code that means nothing.
        case badCode(image: Int)
        /// A block begins with an unknown byte.
        case unknownBlock(UInt8, offset: Int)
    }

    /// A loop extension: its block, where the number is in the file, and the number.
    struct Loop: Sendable {
        let block: Range<Int>
        let numberOffset: Int
        let number: Int
    }

    /// The logical screen's sides in the file; either may be 0.
    var screen = (width: 0, height: 0)
    var globalColorCount: Int?
    var images: [GIFImage] = []
    /// The loop extensions; browsers use the last one.
    var loops: [Loop] = []
    var damage: Damage?
    /// The size of the canvas, or nil where there is none.
    private(set) var size: PixelSize?

    /// The structure of nothing yet.
    init() {}

    /// Scans a source; nil where it does not begin with a GIF's signature and screen descriptor.
    ///
    /// Throws where the source cannot be read, and as soon as there are too many images.
    init?(_ source: any ByteSource, limits: DecodingLimits) throws(MediaError) {
        var reader = GIFStructureReader(source, limits)
        guard let scan = try reader.read() else { return nil }
        self = scan
    }

    /// Derives what all blocks together say.
    mutating func didReadBlocks() {
        settleSize()
        markKeyframes()
    }

    /// The canvas is the screen, enlarged to hold the first image where that is larger.
    ///
    /// As in Gecko and Blink. Where the image is no larger but crosses the edge, Blink enlarges the
    /// canvas; Gecko and most others clip the image, as here.
    private mutating func settleSize() {
        guard let first = images.first?.rect else { return }
        let isLarger = first.width > screen.width || first.height > screen.height
        size = PixelSize(
            checking: isLarger ? max(screen.width, first.right) : screen.width,
            isLarger ? max(screen.height, first.bottom) : screen.height)
    }

    private mutating func markKeyframes() {
        guard let size else { return }
        let canvas = PixelRect(size)
        var isBlank = true
        for index in images.indices {
            let image = images[index]
            // Indices beyond the palette are opaque, too.
            let isCover = image.rect.covers(canvas) && image.transparentIndex == nil
            images[index].startsBlank = isBlank
            images[index].isKeyframe = isBlank || (isCover && image.disposal != .restore)
            switch image.disposal {
            case .keep: isBlank = isBlank && image.rect.clipped(to: size) == nil
            case .clear: isBlank = isBlank || image.rect.covers(canvas)
            case .restore: break
            }
        }
    }
}

extension GIFScan {
    /// The images without whose transparent pixels no composed canvas has one; nil where one has anyway.
    ///
    /// The first image must cover the canvas, and what is cleared must be covered by the next image. An image between
    /// may be transparent where the picture stays.
    var coveringImages: [Int]? {
        guard let size else { return nil }
        var hole: PixelRect? = PixelRect(size)
        var covering: [Int] = []
        for (index, image) in images.enumerated() {
            let before = hole
            if let hole {
                guard image.rect.covers(hole) else { return nil }
                if image.transparentIndex != nil { covering.append(index) }
            }
            switch image.disposal {
            case .keep: hole = nil
            case .clear: hole = image.rect.clipped(to: size)
            case .restore: hole = before
            }
        }
        return images.isEmpty ? nil : covering
    }

    /// The offset of the first block, after screen descriptor and palette.
    var bodyOffset: Int { 13 + (globalColorCount ?? 0) * 3 }

    /// Removes the last image, which is incomplete.
    mutating func dropLastImage() { images.removeLast() }

    /// Removes an image that cannot be decoded, and all that follow it.
    mutating func end(before index: Int) {
        if images[index].isTerminated { damage = .badCode(image: index) }
        images.removeSubrange(index...)
    }
}

extension GIFScan.Damage {
    var isEarlyEnd: Bool {
        switch self {
        case .truncated, .noTrailer: true
        case .badCode, .unknownBlock: false
        }
    }

    var warning: MediaWarning { MediaWarning(isEarlyEnd ? .truncated : .malformed, message) }

    var error: MediaError { MediaError(isEarlyEnd ? .truncated : .malformed, message) }

    private var message: String {
        switch self {
        case .truncated: "The GIF ends inside a block."
        case .noTrailer: "The GIF ends without a trailer."
        case .badCode(let image): "Image \(image) of the GIF holds a code that means nothing."
        case .unknownBlock(let byte, let offset):
            "The GIF holds a block of unknown kind 0x\(String(byte, radix: 16)) at \(offset)."
        }
    }
}

extension MediaError {
    /// The file is shorter than a screen descriptor, or does not begin with one.
    static func noScreenDescriptor(_ bytes: any ByteSource) -> MediaError {
        MediaError(
            bytes.count < 13 ? .truncated : .malformed, "The GIF has no whole screen descriptor.")
    }
}

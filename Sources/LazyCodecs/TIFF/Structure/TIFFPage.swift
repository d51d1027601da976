internal import CTIFF
import Glibc
internal import LazyMedia

/// One picture of a TIFF, as its directory describes it (TIFF 6.0, section 8).
struct TIFFPage: Sendable {
    /// The offset of the directory.
    let offset: UInt64
    /// The size before rotation, or nil where the numbers are no size.
    let size: PixelSize?
    let orientation: Orientation
    /// Whether it is a smaller version of another page.
    let isReduced: Bool
    /// Whether it says which pixels of another page count.
    let isMask: Bool
    let kind: ctiff_kind
    let hasAlpha: Bool
    let bitDepth: Int
    /// Whether samples are floating-point numbers, or longer than 16 bits.
    let isUnusual: Bool
    /// Samples of a pixel.
    let samples: Int
    let isPlanar: Bool
    /// The columns and rows of a strip or tile.
    let piece: (width: Int, height: Int)
    /// The bytes of a decoded strip or tile.
    let pieceBytes: Int
    /// The number of strips or tiles of a plane.
    let pieces: Int
    /// Whether the file ends before some pieces, or before all of them.
    let isCut: Bool
    let isAbsent: Bool
    let profile: ICCProfile?
    /// Why it is not read, or nil.
    let refusal: String?

    init(_ page: ctiff_page, knowing known: ICCProfile?) {
        offset = page.offset
        size = PixelSize(checking: Int(page.width), Int(page.height))
        orientation = Orientation(exif: Int(page.orientation))
        isReduced = page.subfile & 1 != 0
        isMask = page.subfile & 4 != 0
        kind = page.kind
        hasAlpha = page.alpha != CInt(CTIFF_NO_ALPHA)
        bitDepth = Int(page.bits)
        isUnusual = page.bits > 16 || page.numbers == CTIFF_FLOATING
        samples = Int(page.samples)
        isPlanar = page.is_planar != 0
        piece = (Int(page.piece_width), Int(page.piece_height))
        pieceBytes = Int(clamping: page.piece_bytes)
        pieces = Int(page.pieces)
        isCut = page.missing > 0
        isAbsent = page.is_absent != 0
        refusal = page.words.map { String(cString: $0) }
        // A long profile is not copied for nothing: the limit is that of `ICCProfile`.
        // L*a*b* needs none.
        profile = page.profile.flatMap { start in
            guard page.profile_size <= 16 << 20, page.kind != CTIFF_LAB, page.kind != CTIFF_ICC_LAB
            else { return nil }
            let bytes = UnsafeRawBufferPointer(start: start, count: Int(page.profile_size))
            if let known, known.bytes.isBeginning(of: bytes) { return known }
            return ICCProfile(Array(bytes))
        }
    }

    /// What the samples mean.
    var color: ColorDescription {
        ColorDescription(matrix: .identity, isFullRange: true, profile: profile)
    }

    /// The samples, as far as profiles differ.
    var sampleKind: SampleKind {
        switch kind {
        case CTIFF_CMYK: .cmyk
        case CTIFF_GRAY, CTIFF_WHITE_IS_ZERO: .gray
        default: .rgb
        }
    }

    /// Whether its pixels have more than 8 bits a sample; inks are mixed in 8.
    var isDeep: Bool {
        bitDepth > 8 && [CTIFF_GRAY, CTIFF_WHITE_IS_ZERO, CTIFF_RGB].contains(kind)
    }

    /// The layout of samples in FFmpeg's terms, as far as it has one.
    var pixelFormat: String? {
        if isUnusual { return nil }
        let isDeep = bitDepth > 8
        switch kind {
        case CTIFF_GRAY, CTIFF_WHITE_IS_ZERO:
            if bitDepth == 1 { return kind == CTIFF_GRAY ? "monob" : "monow" }
            return hasAlpha ? (isDeep ? "ya16le" : "ya8") : (isDeep ? "gray16le" : "gray")
        case CTIFF_RGB:
            return hasAlpha ? (isDeep ? "rgba64le" : "rgba") : (isDeep ? "rgb48le" : "rgb24")
        case CTIFF_PALETTE: return "pal8"
        default: return nil
        }
    }

    /// The bytes that decoding it takes beside the picture.
    var workBytes: Int {
        let (bytes, isTooMuch) = pieceBytes.multipliedReportingOverflow(by: isPlanar ? samples : 1)
        return isTooMuch ? .max : bytes
    }

    /// Throws where the page is not read, or costs more than a limit.
    func check(_ limits: DecodingLimits) throws(MediaError) -> PixelSize {
        if let refusal { throw MediaError(.unsupported, "The TIFF is not read: \(refusal).") }
        guard let size else {
            throw MediaError(.malformed, "The TIFF has a page without a usable size.")
        }
        try limits.check(canvas: size)
        try limits.remaining(beside: size.rgbaByteCount).check(memory: workBytes)
        return size
    }
}

extension [UInt8] {
    /// A profile begins with its size, so what begins with one is the same profile.
    fileprivate func isBeginning(of other: UnsafeRawBufferPointer) -> Bool {
        guard count <= other.count, let start = other.baseAddress else { return false }
        return withUnsafeBytes {
            $0.baseAddress.map { memcmp($0, start, count) == 0 } ?? false
        }
    }
}

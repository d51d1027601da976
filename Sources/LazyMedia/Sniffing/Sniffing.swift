extension MediaType {
    /// What a prefix of the bytes reveals.
    public enum Sniffed: Hashable, Sendable {
        /// The type is certain.
        case known(MediaType)
        /// This many bytes from the start are needed to decide.
        case needsBytes(Int)
    }

    /// Finds the type from a prefix of the bytes, or how long a prefix it needs.
    ///
    /// Never returns `.needsBytes` when `isWhole`: a truncated file is judged by the bytes it has.
    /// O(number of boxes or chunks before the decision).
    public static func sniff(_ prefix: RawSpan, isWhole: Bool = false) -> Sniffed {
        let answer = sniffBytes(prefix)
        guard case .needsBytes(let count) = answer, isWhole || count <= prefix.byteCount else {
            return answer
        }
        return .known(fallback(prefix))
    }

    /// Finds the type of a source, reading no more of it than needed.
    ///
    /// Throws what reading the source throws.
    public static func sniffing(_ bytes: any ByteSource) throws(MediaError) -> MediaType {
        var length = min(bytes.count, 64)
        while true {
            let prefix = try MemoryBytes(capacity: length) { (buffer) throws(MediaError) in
                try bytes.read(at: 0, into: buffer)
            }
            let isWhole = length == bytes.count || length >= longestPrefix
            switch prefix.withBytes({ sniff($0.bytes, isWhole: isWhole) }) {
            case .known(let type): return type
            case .needsBytes(let count):
                length = min(bytes.count, max(count, length * 4), longestPrefix)
            }
        }
    }

    /// A picture file whose deciding chunk comes after more metadata than this counts as a still.
    private static let longestPrefix = 1 << 24

    private static func sniffBytes(_ bytes: RawSpan) -> Sniffed {
        guard bytes.byteCount >= 12 else {
            return shortMagic(bytes).map { .known($0) } ?? .needsBytes(12)
        }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            return sniffPNG(bytes)
        }
        if bytes.hasWord("RIFF", at: 0) { return sniffRIFF(bytes) }
        if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return sniffEBML(bytes) }
        if let box = sniffBoxes(bytes) { return box }
        if let type = shortMagic(bytes) ?? longMagic(bytes) { return .known(type) }
        return sniffTransportStream(bytes)
    }

    /// The type when no more bytes are available.
    private static func fallback(_ bytes: RawSpan) -> MediaType {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return .png }
        if bytes.hasWord("RIFF", at: 0), bytes.hasWord("WEBP", at: 8) { return .webp }
        if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return .matroska }
        if bytes.hasWord("ftyp", at: 4) { return brandedType(bytes, end: bytes.byteCount) }
        return shortMagic(bytes) ?? .unknown
    }

    /// Magic numbers of up to six bytes.
    private static func shortMagic(_ bytes: RawSpan) -> MediaType? {
        if bytes.hasWord("GIF87a", at: 0) || bytes.hasWord("GIF89a", at: 0) { return .gif }
        for (magic, type) in shortMagics where bytes.starts(with: magic) { return type }
        return nil
    }

    private static let shortMagics: [([UInt8], MediaType)] = [
        ([0xFF, 0xD8, 0xFF], .jpeg),
        ([0x49, 0x49, 0x2A, 0x00], .tiff), ([0x4D, 0x4D, 0x00, 0x2A], .tiff),
        ([0x49, 0x49, 0x2B, 0x00], .tiff), ([0x4D, 0x4D, 0x00, 0x2B], .tiff),
        ([0xFF, 0x4F, 0xFF, 0x51], .jpeg2000), ([0xFF, 0x0A], .jpegXL),
        ([0x4F, 0x67, 0x67, 0x53], .ogg), ([0x46, 0x4C, 0x56, 0x01], .flv),
        ([0x44, 0x4B, 0x49, 0x46], .ivf), ([0x00, 0x00, 0x01, 0xBA], .mpegPS),
        ([0x30, 0x26, 0xB2, 0x75], .asf), ([0x00, 0x00, 0x01, 0x00], .ico),
        ([0x42, 0x4D], .bmp),
    ]

    private static func longMagic(_ bytes: RawSpan) -> MediaType? {
        if bytes.hasWord("YUV4MPEG2", at: 0) { return .y4m }
        let box: [UInt8] = [0, 0, 0, 12]
        guard bytes.starts(with: box), bytes.byte(at: 8) == 0x0D, bytes.byte(at: 9) == 0x0A else {
            return nil
        }
        if bytes.hasWord("JXL ", at: 4) { return .jpegXL }
        return bytes.hasWord("jP  ", at: 4) ? .jpeg2000 : nil
    }

    /// Sync bytes 188 bytes apart, or 192 in an M2TS with time stamps; ISO/IEC 13818-1, 2.4.3.2.
    private static func sniffTransportStream(_ bytes: RawSpan) -> Sniffed {
        for (first, step) in [(0, 188), (4, 192)] where bytes.byte(at: first) == 0x47 {
            let needed = first + 2 * step + 1
            guard bytes.byteCount >= needed else { return .needsBytes(needed) }
            let isStream = bytes.byte(at: first + step) == 0x47
            if isStream && bytes.byte(at: first + 2 * step) == 0x47 { return .known(.mpegTS) }
        }
        return .known(.unknown)
    }
}

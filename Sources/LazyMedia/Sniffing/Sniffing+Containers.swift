extension MediaType {
    /// Reads PNG chunks: `acTL` before the first `IDAT` makes an animation (PNG 3rd ed., 11.3.6).
    static func sniffPNG(_ bytes: RawSpan) -> Sniffed {
        var offset = 8
        while let length = bytes.bigEndian32(at: offset), bytes.byteCount >= offset + 8 {
            if bytes.hasWord("acTL", at: offset + 4) { return .known(.apng) }
            if bytes.hasWord("IDAT", at: offset + 4) || bytes.hasWord("IEND", at: offset + 4) {
                return .known(.png)
            }
            offset += 12 + Int(length)
        }
        return .needsBytes(offset + 8)
    }

    /// WebP by its `VP8X` flags (animation is bit 1), AVI by its form type.
    static func sniffRIFF(_ bytes: RawSpan) -> Sniffed {
        if bytes.hasWord("AVI ", at: 8) || bytes.hasWord("AVIX", at: 8) { return .known(.avi) }
        guard bytes.hasWord("WEBP", at: 8) else { return .known(.unknown) }
        guard bytes.byteCount >= 21 else { return .needsBytes(21) }
        let isExtended = bytes.hasWord("VP8X", at: 12)
        let isAnimated = isExtended && (bytes.byte(at: 20) ?? 0) & 0x02 != 0
        return .known(isAnimated ? .webpAnimation : .webp)
    }

    /// The `DocType` of an EBML header (RFC 8794, 11.2.4); without one Matroska's default.
    static func sniffEBML(_ bytes: RawSpan) -> Sniffed {
        guard let (size, start) = bytes.ebmlSize(at: 4) else { return .needsBytes(12) }
        let end = start + min(size, 4096)
        var offset = start
        while offset < end {
            guard let (id, afterID) = bytes.ebmlID(at: offset),
                let (length, content) = bytes.ebmlSize(at: afterID)
            else { break }
            if id == 0x4282 {
                guard bytes.byteCount >= content + min(length, 64) else {
                    return .needsBytes(content + min(length, 64))
                }
                return .known(bytes.hasWord("webm", at: content) ? .webm : .matroska)
            }
            offset = content + length
        }
        return bytes.byteCount < end ? .needsBytes(end) : .known(.matroska)
    }

    /// ISO base media and QuickTime by their first box, or nil for anything else.
    static func sniffBoxes(_ bytes: RawSpan) -> Sniffed? {
        if bytes.hasWord("ftyp", at: 4) {
            guard let size = bytes.bigEndian32(at: 0), size >= 8 else { return .known(.mp4) }
            let end = Int(min(size, 4096))
            guard bytes.byteCount >= end else { return .needsBytes(end) }
            return .known(brandedType(bytes, end: end))
        }
        if bytes.hasWord("styp", at: 4) || bytes.hasWord("moof", at: 4)
            || bytes.hasWord("sidx", at: 4)
        {
            return .known(.mp4)
        }
        // QuickTime before `ftyp` (QuickTime File Format, "Movie atoms") is known by its first atom.
        let atoms = ["moov", "mdat", "wide", "free", "skip", "pnot"]
        return atoms.contains { bytes.hasWord($0, at: 4) } ? .known(.mov) : nil
    }

    /// The type named by the major and compatible brands of an `ftyp` box.
    static func brandedType(_ bytes: RawSpan, end: Int) -> MediaType {
        var brands: [String] = []
        for offset in [8] + Array(stride(from: 16, to: max(16, end - 3), by: 4)) {
            if let word = bytes.word(at: offset) { brands.append(word) }
        }
        // The major brand decides where it is known; `mif1` and `msf1` say only that it is HEIF.
        let isPicture = ["mif1", "msf1"].contains(brands.first)
        for brand in brands {
            guard let type = brandTypes[brand], !isPicture || type.family != .video else {
                continue
            }
            return type
        }
        if brands.contains("msf1") { return .heicSequence }
        return brands.contains("mif1") ? .heic : .mp4
    }

    private static let brandTypes: [String: MediaType] = {
        var types: [String: MediaType] = ["avif": .avif, "avis": .avifSequence, "qt  ": .mov]
        for brand in ["heic", "heix", "heim", "heis"] { types[brand] = .heic }
        for brand in ["hevc", "hevx", "hevm", "hevs"] { types[brand] = .heicSequence }
        for brand in ["M4V ", "M4VH", "M4VP"] { types[brand] = .m4v }
        for brand in ["isom", "avc1", "dash", "mmp4", "mp41", "mp42", "M4A ", "f4v ", "MSNV"] {
            types[brand] = .mp4
        }
        for number in 2...9 { types["iso\(number)"] = .mp4 }
        for brand in ["3gp4", "3gp5", "3gp6", "3gp7", "3g2a", "3g2b", "3g2c", "cmfc", "av01"] {
            types[brand] = .mp4
        }
        return types
    }()
}

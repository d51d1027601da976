internal import LazyBase
internal import LazyMedia

/// Finds out whether a file has nothing but the pixels of a picture, as results do.
///
/// Only what is known to be harmless counts as that: no metadata, no orientation, no colors but sRGB, nothing behind
/// the end.
enum PlainFile {
    /// The most bytes that are looked through; larger files are not plain.
    private static let most = 32 << 20

    /// Whether a file is plain; may block.
    static func isPlain(_ file: Blob, as format: ServiceFormat?) -> Bool {
        guard file.count <= most, let bytes = try? file.bytes() else { return false }
        return isPlain(bytes, as: format)
    }

    static func isPlain(_ bytes: [UInt8], as format: ServiceFormat?) -> Bool {
        switch format {
        case .png, .apng: isPNG(bytes)
        case .jpeg: isJPEG(bytes)
        case .webp: isWebP(bytes)
        case .gif: isGIF(bytes)
        case .avif: isAVIF(bytes)
        default: false
        }
    }

    /// The four letters at an offset that has them.
    private static func word(_ bytes: [UInt8], _ place: Int) -> String {
        String(decoding: bytes[place..<place + 4], as: UTF8.self)
    }

    // MARK: - PNG and WebP

    private static let chunksOfPNG: Set<String> = [
        "IHDR", "PLTE", "tRNS", "IDAT", "IEND", "acTL", "fcTL", "fdAT", "sRGB", "sBIT", "bKGD",
    ]

    private static func isPNG(_ bytes: [UInt8]) -> Bool {
        var names: Set<String> = []
        var place = 8
        while place + 12 <= bytes.count {
            names.insert(word(bytes, place + 4))
            place += 12 + Int(bytes.bigEndian32(at: place))
        }
        // Beside sRGB they say the same in other words (PNG, 11.3.2.5).
        if names.contains("sRGB") { names.subtract(["gAMA", "cHRM"]) }
        return place == bytes.count && names.isSubset(of: chunksOfPNG)
    }

    private static let chunksOfWebP: Set<String> = ["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF"]

    private static func isWebP(_ bytes: [UInt8]) -> Bool {
        var place = 12
        while place + 8 <= bytes.count {
            guard chunksOfWebP.contains(word(bytes, place)) else { return false }
            let length = Int(bytes.bigEndian32(at: place + 4).byteSwapped)
            place += 8 + length + length % 2
        }
        return place == bytes.count
    }

    // MARK: - JPEG

    private static func isJPEG(_ bytes: [UInt8]) -> Bool {
        var place = 2
        while place + 1 < bytes.count, bytes[place] == 0xFF {
            let marker = bytes[place + 1]
            if marker == 0xD9 { return place + 2 == bytes.count }
            // Fill bytes before a marker (ITU-T T.81, B.1.1.2).
            guard marker != 0xFF else {
                place += 1
                continue
            }
            guard place + 10 <= bytes.count, isPlain(marker, bytes, place) else { return false }
            place += 2 + (Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]))
            if marker == 0xDA { place = end(ofScan: bytes, place) }
        }
        return false
    }

    /// Whether a segment is a table, a frame of up to three colors, or what JFIF and Adobe say of those.
    private static func isPlain(_ marker: UInt8, _ bytes: [UInt8], _ place: Int) -> Bool {
        let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
        return switch marker {
        case 0xC4, 0xCC, 0xDA, 0xDB, 0xDD: length >= 2
        case 0xC0...0xCF: length >= 8 && bytes[place + 9] <= 3
        // Without a thumbnail.
        case 0xE0: length == 16 && word(bytes, place + 4) == "JFIF"
        case 0xEE: length == 14 && word(bytes, place + 4) == "Adob"
        default: false
        }
    }

    /// The next marker that is none of the scan's own.
    private static func end(ofScan bytes: [UInt8], _ start: Int) -> Int {
        var place = start
        while place + 1 < bytes.count {
            let next = bytes[place + 1]
            if bytes[place] == 0xFF, next != 0, !(0xD0...0xD7).contains(next) { return place }
            place += 1
        }
        return bytes.count
    }

    // MARK: - GIF

    private static func isGIF(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 13 else { return false }
        var place = 13 + paletteLength(bytes[10])
        while place + 1 < bytes.count {
            switch (bytes[place], bytes[place + 1]) {
            case (0x2C, _):
                guard place + 10 < bytes.count else { return false }
                place += 11 + paletteLength(bytes[place + 9])
            case (0x21, 0xF9): place += 2
            case (0x21, 0xFF):
                // The number of plays.
                guard place + 14 < bytes.count, bytes[place + 2] == 11,
                    ["NETS", "ANIM"].contains(word(bytes, place + 3))
                else { return false }
                place += 14
            default: return false
            }
            // Blocks of data, up to an empty one.
            while place < bytes.count, bytes[place] > 0 { place += 1 + Int(bytes[place]) }
            place += 1
        }
        return place + 1 == bytes.count && bytes[place] == 0x3B
    }

    private static func paletteLength(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }

    // MARK: - AVIF

    private static let boxesOfAVIF = Set(
        (["ftyp", "meta", "moov", "mdat"] as [StaticString]).map { ISOBox.kind($0) })
    /// What a file says beside its pixels: metadata, profiles, rotations, gain maps.
    private static let marksOfAVIF = Set(
        (["Exif", "mime", "uri ", "prof", "rICC", "irot", "imir", "tmap", "udta", "uuid"]
            as [StaticString]).map { ISOBox.kind($0) })
    private static let nclx = ISOBox.kind("nclx")

    private static func isAVIF(_ bytes: [UInt8]) -> Bool {
        let boxes = ISOBox.boxes(bytes, in: 0..<bytes.count)
        guard boxes.last?.range.upperBound == bytes.count else { return false }
        return boxes.allSatisfy { box in
            guard boxesOfAVIF.contains(box.kind) else { return false }
            guard box.kind != ISOBox.kind("mdat") else { return true }
            var word: UInt32 = 0
            return box.content.allSatisfy { place in
                word = word << 8 | UInt32(bytes[place])
                // BT.709's primaries, and its curve or that of sRGB, or none that is named (ITU-T H.273).
                if word == nclx {
                    let color = bytes.bigEndian32(at: place + 1)
                    return [1, 2].contains(color >> 16) && [1, 2, 6, 13].contains(color & 0xFFFF)
                }
                return !marksOfAVIF.contains(word)
            }
        }
    }
}

import Glibc

/// Motion JPEG without a container, which begins as one JPEG does.
enum JPEGFilm {
    /// The first picture of a film ends before this.
    private static let mostBytes = 1 << 22
    /// Cameras fill up their pictures with a few zeros.
    private static let mostZeros = 64

    /// Whether another picture of the same size follows the first one.
    ///
    /// Photos with another picture behind them, such as a gain map or a stereo pair, have metadata (EXIF, XMP or
    /// CIPA DC-007) in the first one, and films have none.
    static let isFilm: MediaSignature.Whole = { (bytes) throws(MediaError) in
        guard let first = try Head(bytes, at: 0), !first.isPhoto,
            let end = try endOfPicture(bytes, from: first.scan)
        else { return false }
        let zeros = try bytes.bytes(mostZeros, at: end).prefix { $0 == 0 }.count
        return try Head(bytes, at: end + zeros)?.size == first.size
    }

    /// The end of the first picture whose scan begins at an offset.
    private static func endOfPicture(
        _ bytes: any ByteSource, from scan: Int
    ) throws(MediaError) -> Int? {
        var start = scan
        let limit = min(bytes.count, mostBytes)
        while start < limit {
            let piece = try bytes.bytes(min(1 << 16, limit - start), at: start)
            if let found = piece.withUnsafeBytes(endOfScan) { return start + found }
            guard piece.count > 1 else { return nil }
            start += piece.count - 1
        }
        return nil
    }

    /// The offset behind the first marker of an end, which no entropy-coded data contains.
    private static func endOfScan(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var place = 0
        while let found = memchr(base + place, 0xFF, bytes.count - place) {
            place = UnsafeRawPointer(found) - base + 1
            guard place < bytes.count else { return nil }
            if bytes[place] == 0xD9 { return place + 1 }
        }
        return nil
    }

    /// What a picture says before its scan.
    private struct Head {
        /// Height and width as in its frame header.
        private(set) var size: [UInt8] = []
        /// Whether it has metadata as photos have.
        private(set) var isPhoto = false
        /// The offset of its scan.
        private(set) var scan = 0

        /// Reads the segments from an offset on; nil where no picture begins there.
        init?(_ bytes: any ByteSource, at start: Int) throws(MediaError) {
            var place = start + 2
            guard try bytes.bytes(2, at: start) == [0xFF, 0xD8] else { return nil }
            for _ in 0..<64 {
                let head = try bytes.bytes(9, at: place)
                guard head.count == 9, head[0] == 0xFF else { return nil }
                let length = Int(head[2]) << 8 | Int(head[3])
                switch head[1] {
                // Fill bytes may come before a marker.
                case 0xFF:
                    place += 1
                    continue
                case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: size = Array(head[5..<9])
                case 0xE1: isPhoto = true
                // "MPF"
                case 0xE2 where head[4...6].elementsEqual("MPF".utf8): isPhoto = true
                case 0xDA:
                    scan = place + 2 + length
                    return
                default: break
                }
                guard length >= 2 else { return nil }
                place += 2 + length
            }
            return nil
        }
    }
}

import Glibc
internal import LazyMedia

/// A JPEG somewhere in a file.
struct FoundJPEG {
    let offset: Int
    let size: PixelSize
    /// The offset of its first scan.
    let scan: Int

    /// Reads the segments before the first scan; nil where no JPEG begins that is shown, such as a lossless one.
    init?(_ bytes: any ByteSource, at start: Int) throws(MediaError) {
        guard try bytes.bytes(2, at: start) == [0xFF, 0xD8] else { return nil }
        var place = start + 2
        var found: PixelSize?
        for _ in 0..<Self.maxSegments {
            let head = try bytes.bytes(9, at: place)
            guard head.count == 9, head[0] == 0xFF else { return nil }
            if head[1] == 0xFF {
                place += 1
                continue
            }
            let length = Int(head[2]) << 8 | Int(head[3])
            guard head[1] >= 0xC0, length >= 2 else { return nil }
            switch head[1] {
            case 0xC0, 0xC1, 0xC2:
                // Eight bits a sample.
                guard head[4] == 8 else { return nil }
                found = PixelSize(
                    checking: Int(head[7]) << 8 | Int(head[8]), Int(head[5]) << 8 | Int(head[6]))
            case 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF, 0xD0...0xD9: return nil
            case 0xDA:
                guard let found else { return nil }
                (offset, size, scan) = (start, found, place + 2 + length)
                return
            default: break
            }
            place += 2 + length
        }
        return nil
    }

    private static let maxSegments = 256

    /// The offset behind its last marker before a limit, or nil where the bytes end before.
    func end(in bytes: any ByteSource, before limit: Int) throws(MediaError) -> Int? {
        var place = scan
        while place < limit {
            let piece = try bytes.bytes(min(1 << 18, limit - place), at: place)
            guard piece.count > 1 else { return nil }
            if let found = piece.withUnsafeBytes({ $0.firstIndex(of: [0xFF, 0xD9]) }) {
                return place + found + 2
            }
            place += piece.count - 1
        }
        return nil
    }

    /// All in a file, in their order.
    ///
    /// Reads it whole. No entropy-coded data has the bytes of a beginning, and samples that have them are followed by
    /// no segments.
    static func all(
        in bytes: any ByteSource, _ limits: DecodingLimits
    ) throws(MediaError) -> [FoundJPEG] {
        let time = limits.opening
        var found: [FoundJPEG] = []
        var start = 0
        while start + 4 < bytes.count, found.count < maxFound {
            try time.check()
            let piece = try bytes.bytes(min(1 << 20, bytes.count - start), at: start)
            guard piece.count > 4 else { break }
            var place = 0
            while let next = piece.withUnsafeBytes({
                UnsafeRawBufferPointer(rebasing: $0[place...]).firstIndex(of: [0xFF, 0xD8, 0xFF])
            }) {
                try time.check()
                if let jpeg = try FoundJPEG(bytes, at: start + place + next) { found.append(jpeg) }
                place += next + 1
            }
            start += piece.count - 2
        }
        return found
    }

    private static let maxFound = 256
}

extension UnsafeRawBufferPointer {
    /// Where a few bytes come first; the second of them is looked for, as 0xFF is frequent in samples.
    fileprivate func firstIndex(of bytes: [UInt8]) -> Int? {
        guard let base = baseAddress else { return nil }
        var place = 1
        while place < count, let found = memchr(base + place, CInt(bytes[1]), count - place) {
            let start = UnsafeRawPointer(found) - base - 1
            if start + bytes.count <= count, self[start..<start + bytes.count].elementsEqual(bytes)
            {
                return start
            }
            place = start + 2
        }
        return nil
    }
}

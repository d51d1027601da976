internal import LazyMedia

/// The first track of pictures in a file, as far as it says whether the track or an item is shown.
struct SequenceTrack {
    /// The size that its samples are declared with.
    let size: PixelSize?
    /// Whether its first sample refers to no other one.
    let beginsWhole: Bool

    /// The most bytes of `moov` that are read.
    private static let maxBytes = 1 << 24

    /// Reads the track; nil where there is none.
    init?(_ bytes: any ByteSource, _ limits: DecodingLimits) throws(MediaError) {
        guard let range = try HEIFItems.find("moov", bytes, 0..<bytes.count, limits.opening),
            range.count <= Self.maxBytes, range.upperBound <= bytes.count
        else { return nil }
        try limits.check(memory: range.count)
        let movie = try bytes.bytes(range.count, at: range.lowerBound)
        let track = ISOBox.boxes(movie, in: movie.indices).first { box in
            box.kind == ISOBox.kind("trak") && Self.handler(box, movie) == ISOBox.kind("pict")
        }
        guard let track, let tables = track.child("mdia", "minf", "stbl", in: movie) else {
            return nil
        }
        guard let description = tables.child("stsd", in: movie),
            let entry = ISOBox(
                movie, at: description.content.lowerBound + 8, end: description.content.upperBound),
            entry.content.count >= 78
        else { return nil }
        // A visual sample entry (ISO/IEC 14496-12, 12.1.3).
        let sides = movie.bigEndian32(at: entry.content.lowerBound + 24)
        size = PixelSize(checking: Int(sides >> 16), Int(sides & 0xFFFF))
        let layout = ISOBox.boxes(movie, in: entry.content.dropFirst(78)).first {
            $0.kind == ISOBox.kind("hvcC") && $0.content.count > 21
        }
        guard let layout, let start = Self.firstOffset(tables, movie) else {
            beginsWhole = true
            return
        }
        let width = Int(movie[layout.content.lowerBound + 21] & 3) + 1
        beginsWhole = try Self.isWhole(bytes, at: start, width)
    }

    private static func handler(_ track: ISOBox, _ movie: [UInt8]) -> UInt32? {
        track.child("mdia", "hdlr", in: movie).flatMap { box in
            box.content.count >= 12 ? movie.bigEndian32(at: box.content.lowerBound + 8) : nil
        }
    }

    /// The offset of the first chunk, which the first sample begins.
    private static func firstOffset(_ tables: ISOBox, _ movie: [UInt8]) -> Int? {
        if let box = tables.child("stco", in: movie), box.content.count >= 12 {
            return Int(movie.bigEndian32(at: box.content.lowerBound + 8))
        }
        guard let box = tables.child("co64", in: movie), box.content.count >= 16 else { return nil }
        return Int(exactly: movie.bigEndian64(at: box.content.lowerBound + 8))
    }

    /// Whether the first slice at an offset is of a picture that begins a sequence (H.265, table 7-1).
    ///
    /// What cannot be told counts as whole: the decoder will tell.
    private static func isWhole(
        _ bytes: any ByteSource, at start: Int, _ width: Int
    ) throws(MediaError) -> Bool {
        var offset = start
        // Parameter sets and messages may precede it.
        for _ in 0..<32 {
            guard let head = try bytes.exactly(width + 1, at: offset) else { return true }
            let kind = head[width] >> 1 & 0x3F
            if kind < 32 { return (16...23).contains(kind) }
            offset += width + head.prefix(width).reduce(0) { $0 << 8 | Int($1) }
        }
        return true
    }
}

internal import LazyMedia

/// Moves the offsets of samples and items when a box before them grows.
enum MovieOffsets {
    /// Moves the chunk offsets of a `moov` box from a place on.
    static func move(
        _ movie: inout [UInt8], from place: Int, by distance: Int
    ) throws(MediaError) {
        guard distance != 0, let box = ISOBox.boxes(movie, in: movie.indices).first else { return }
        for track in box.children(movie) where track.kind == ISOBox.kind("trak") {
            guard let table = track.child("mdia", "minf", "stbl", in: movie)
            else { continue }
            for list in table.children(movie) {
                let isWide = list.kind == ISOBox.kind("co64")
                guard isWide || list.kind == ISOBox.kind("stco") else { continue }
                let width = isWide ? 8 : 4
                let count = Int(movie.bigEndian32(at: list.content.lowerBound + 4))
                guard count <= (list.content.count - 8) / width else { throw .unreadableMovie }
                for i in 0..<count {
                    try move(
                        &movie, at: list.content.lowerBound + 8 + i * width, width: width,
                        from: place, by: distance)
                }
            }
        }
    }

    /// Moves the items of a `meta` box (ISO/IEC 14496-12, 8.11.3).
    static func moveItems(
        _ meta: inout [UInt8], from place: Int, by distance: Int
    ) throws(MediaError) {
        // `meta` is a full box: four bytes precede its boxes.
        guard distance != 0, let box = ISOBox.boxes(meta, in: meta.indices).first,
            box.content.count > 4
        else { return }
        let boxes = ISOBox.boxes(meta, in: (box.content.lowerBound + 4)..<box.content.upperBound)
        for list in boxes where list.kind == ISOBox.kind("iloc") {
            try moveItems(&meta, list, from: place, by: distance)
        }
    }

    private static func moveItems(
        _ meta: inout [UInt8], _ list: ISOBox, from place: Int, by distance: Int
    ) throws(MediaError) {
        var at = list.content.lowerBound
        let version = Int(meta.bigEndian32(at: at) >> 24)
        let sizes = Int(meta.bigEndian32(at: at + 4) >> 16)
        let (offsetWidth, lengthWidth) = (sizes >> 12 & 15, sizes >> 8 & 15)
        let (baseWidth, indexWidth) = (sizes >> 4 & 15, version > 0 ? sizes & 15 : 0)
        at += 6
        let countWidth = version < 2 ? 2 : 4
        guard version <= 2,
            [offsetWidth, lengthWidth, baseWidth, indexWidth].allSatisfy({ [0, 4, 8].contains($0) })
        else { throw .unreadableMovie }
        let count = number(meta, at, countWidth)
        at += countWidth
        for _ in 0..<count {
            guard at + 10 <= list.content.upperBound else { throw .unreadableMovie }
            at += version < 2 ? 2 : 4
            let method = version > 0 ? number(meta, at, 2) & 15 : 0
            at += version > 0 ? 4 : 2
            let base = number(meta, at, baseWidth)
            let baseAt = at
            at += baseWidth
            let extents = number(meta, at, 2)
            at += 2
            var isMoved = false
            for _ in 0..<extents {
                at += indexWidth
                let end = at + offsetWidth + lengthWidth
                guard end <= list.content.upperBound else { throw .unreadableMovie }
                // Only offsets from the beginning of the file move.
                if method == 0, base + number(meta, at, offsetWidth) >= place {
                    if offsetWidth > 0, base == 0 {
                        try move(&meta, at: at, width: offsetWidth, from: place, by: distance)
                    } else if !isMoved {
                        try move(&meta, at: baseAt, width: baseWidth, from: 0, by: distance)
                        isMoved = true
                    }
                }
                at = end
            }
        }
    }

    private static func number(_ bytes: [UInt8], _ at: Int, _ width: Int) -> Int {
        guard at >= 0, at + width <= bytes.count else { return 0 }
        return bytes[at..<(at + width)].reduce(0) { ($0 & (.max >> 9)) << 8 | Int($1) }
    }

    private static func move(
        _ bytes: inout [UInt8], at: Int, width: Int, from place: Int, by distance: Int
    ) throws(MediaError) {
        let old = number(bytes, at, width)
        guard old >= place else { return }
        let new = old + distance
        guard width == 8 || (width == 4 && new <= UInt32.max), new >= 0 else {
            throw MediaError(.notWritable, "The AVIF's offsets have no room for another loop.")
        }
        let digits = UInt64(new).bigEndianBytes.suffix(width)
        bytes.replaceSubrange(at..<(at + width), with: digits)
    }
}

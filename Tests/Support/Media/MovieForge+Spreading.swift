extension MovieForge {
    /// The pictures of a movie without its sound, with so many bytes before each keyframe.
    ///
    /// Spreads the samples like those of a long clip: groups of pictures are far apart.
    public static func spread(_ bytes: [UInt8], room: Int, tablesFirst: Bool) -> [UInt8] {
        let outer = boxes(bytes, in: 0..<bytes.count)
        guard let movie = outer.first(where: { $0.type == "moov" }), let first = outer.first
        else { return bytes }
        let inner = boxes(bytes, in: content(movie))
        let tracks = inner.filter { $0.type == "trak" }
        let isVideo = { (track: Box) in find("vmhd", bytes, track) != nil }
        guard let track = tracks.first(where: isVideo) else { return bytes }
        let samples = samples(bytes, track)
        let keys = Set(table(bytes, track, "stss", from: 8))
        var media: [UInt8] = []
        var places: [Int] = []
        for (number, sample) in samples.enumerated() {
            if keys.contains(number + 1) { media += [UInt8](repeating: 0, count: room) }
            places.append(media.count)
            media += bytes[sample]
        }
        let make = { (start: Int) in
            box(
                "moov",
                inner.filter { $0.type != "trak" || isVideo($0) }.flatMap {
                    rebuilt(bytes, $0, places.map { $0 + start + 8 })
                })
        }
        let head = Array(bytes[first.range])
        let length = make(0).count
        return tablesFirst
            ? head + make(head.count + length) + box("mdat", media)
            : head + box("mdat", media) + make(head.count)
    }

    private static func rebuilt(_ bytes: [UInt8], _ old: Box, _ places: [Int]) -> [UInt8] {
        switch old.type {
        case "trak", "mdia", "minf", "stbl":
            let inner = boxes(bytes, in: content(old))
            return box(old.type, inner.flatMap { rebuilt(bytes, $0, places) })
        case "stsc": return box("stsc", [0, 1, 1, 1, 1].flatMap(words) + words(1))
        case "stco": return box("stco", words(0) + words(places.count) + places.flatMap(words))
        default: return Array(bytes[old.range])
        }
    }

    private static func samples(_ bytes: [UInt8], _ track: Box) -> [Range<Int>] {
        let sizes = table(bytes, track, "stsz", from: 12)
        let chunks = table(bytes, track, "stco", from: 8)
        let runs = table(bytes, track, "stsc", from: 8)
        var samples: [Range<Int>] = []
        for (number, place) in chunks.enumerated() {
            let starts = Array(stride(from: 0, to: runs.count - 2, by: 3))
            let run = starts.last { runs[$0] <= number + 1 }
            var place = place
            for _ in 0..<(run.map { runs[$0 + 1] } ?? 0) where samples.count < sizes.count {
                let size = sizes[samples.count]
                samples.append(place..<place + size)
                place += size
            }
        }
        return samples
    }

    /// The numbers of a table, which begin so many bytes behind the start of its content.
    private static func table(
        _ bytes: [UInt8], _ track: Box, _ type: String, from start: Int
    ) -> [Int] {
        guard let table = find(type, bytes, track) else { return [] }
        return stride(
            from: table.range.lowerBound + 8 + start, to: table.range.upperBound, by: 4
        ).map { number(bytes, at: $0) }
    }

    private static func find(_ type: String, _ bytes: [UInt8], _ box: Box) -> Box? {
        for inner in boxes(bytes, in: content(box)) {
            if inner.type == type { return inner }
            if ["mdia", "minf", "stbl"].contains(inner.type),
                let found = find(type, bytes, inner)
            {
                return found
            }
        }
        return nil
    }

    /// The box of the tables of a movie, and its content.
    public static func tables(of bytes: [UInt8]) -> (box: Range<Int>, content: Range<Int>)? {
        boxes(bytes, in: 0..<bytes.count).first { $0.type == "moov" }.map {
            ($0.range, content($0))
        }
    }

    private static func content(_ box: Box) -> Range<Int> {
        box.range.lowerBound + 8..<box.range.upperBound
    }

    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        words(8 + content.count) + Array(type.utf8) + content
    }
}

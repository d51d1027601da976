/// Puts movies (ISO/IEC 14496-12) together anew without touching a sample.
public enum MovieForge {
    /// A box: its type and its place.
    struct Box {
        let type: String
        let range: Range<Int>
    }

    /// The boxes of a stretch of bytes.
    static func boxes(_ bytes: [UInt8], in range: Range<Int>) -> [Box] {
        var boxes: [Box] = []
        var position = range.lowerBound
        while position + 8 <= range.upperBound {
            let size = number(bytes, at: position)
            guard size >= 8 else { break }
            let type = String(decoding: bytes[position + 4..<position + 8], as: UTF8.self)
            boxes.append(Box(type: type, range: position..<min(position + size, range.upperBound)))
            position += size
        }
        return boxes
    }

    /// The same movie with its tables before its samples; anything else as it is.
    public static func tablesFirst(_ bytes: [UInt8]) -> [UInt8] {
        let outer = boxes(bytes, in: 0..<bytes.count)
        guard let movie = outer.last, movie.type == "moov",
            let media = outer.first(where: { $0.type == "mdat" })
        else { return bytes }
        let start = media.range.lowerBound
        let tables = shifted(Array(bytes[movie.range]), by: movie.range.count)
        return Array(bytes[..<start]) + tables + Array(bytes[start..<movie.range.lowerBound])
    }

    /// The tables with all places of chunks so much later.
    static func shifted(_ tables: [UInt8], by distance: Int) -> [UInt8] {
        var tables = tables
        var waiting = [0..<tables.count]
        while let range = waiting.popLast() {
            for box in boxes(tables, in: range) {
                let content = box.range.lowerBound + 8
                switch box.type {
                case "moov", "trak", "mdia", "minf", "stbl":
                    waiting.append(content..<box.range.upperBound)
                case "stco":
                    for i in 0..<number(tables, at: content + 4) {
                        let place = content + 8 + 4 * i
                        let moved = number(tables, at: place) + distance
                        tables.replaceSubrange(place..<place + 4, with: words(moved))
                    }
                default: break
                }
            }
        }
        return tables
    }

    static func number(_ bytes: [UInt8], at place: Int) -> Int {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    static func words(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

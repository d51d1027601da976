/// Makes small files that ask their readers for much.
public enum HostileForge {
    /// H.264 units with start codes: flat pictures of any size, depth and number of references.
    ///
    /// Full color where the depth is above 8 bits. Each picture refers to what was before it.
    public static func h264(
        width: Int, height: Int, depth: Int, references: Int, pictures: Int
    ) -> [UInt8] {
        var bytes = unit(0x67, sequence(width / 16, height / 16, depth, references))
        bytes += unit(0x68, pictureSet())
        let blocks = width / 16 * (height / 16)
        let first = Bits()
        first.ue(0).ue(7).ue(0).u(0, 8).ue(0).u(0, 2).se(0).ue(1)
        // Each block: flat, predicted from its neighbors, without a residue.
        let block = depth > 8 ? "00100" + "1" + "1" + "11" : "00100" + "1" + "1" + "1"
        for _ in 0..<blocks { first.text(block) }
        bytes += unit(0x65, first.ended())
        for number in 1..<max(1, pictures) {
            let next = Bits()
            next.ue(0).ue(5).ue(0).u(number & 255, 8).u(0, 3).se(0).ue(1).ue(blocks)
            bytes += unit(0x61, next.ended())
        }
        return bytes
    }

    private static func sequence(
        _ columns: Int, _ rows: Int, _ depth: Int, _ references: Int
    ) -> [UInt8] {
        let bits = Bits()
        bits.u(244, 8).u(0, 8).u(62, 8).ue(0).ue(depth > 8 ? 3 : 1)
        if depth > 8 { bits.u(0, 1) }
        bits.ue(depth - 8).ue(depth - 8).u(0, 2).ue(4).ue(2).ue(references).u(0, 1)
        bits.ue(columns - 1).ue(rows - 1).u(3, 2).u(0, 2)
        return bits.ended()
    }

    private static func pictureSet() -> [UInt8] {
        let bits = Bits()
        bits.ue(0).ue(0).u(0, 2).ue(0).ue(0).ue(0).u(0, 3).se(0).se(0).se(0).u(1, 1).u(0, 2)
        return bits.ended()
    }

    private static func unit(_ head: UInt8, _ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, 0, 1, head]
        var zeros = 0
        for byte in content {
            if zeros >= 2, byte <= 3 {
                bytes.append(3)
                zeros = 0
            }
            bytes.append(byte)
            zeros = byte == 0 ? zeros + 1 : 0
        }
        return bytes
    }

    /// A transport stream (ISO/IEC 13818-1) of one H.264 stream, one packet of it all.
    public static func transport(_ units: [UInt8]) -> [UInt8] {
        let programs = section([0x00, 0xB0, 13, 0, 1, 0xC1, 0, 0, 0, 1, 0xE1, 0x00])
        let streams = section(
            [0x02, 0xB0, 18, 0, 1, 0xC1, 0, 0, 0xE1, 0x01, 0xF0, 0, 0x1B, 0xE1, 0x01, 0xF0, 0])
        let head: [UInt8] = [0, 0, 1, 0xE0, 0, 0, 0x80, 0x80, 5, 0x21, 0, 1, 0, 1]
        return packets(0, programs) + packets(0x100, streams) + packets(0x101, head + units)
    }

    private static func section(_ body: [UInt8]) -> [UInt8] {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in body {
            sum ^= UInt32(byte) << 24
            for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
        }
        return [0] + body + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
    }

    private static func packets(_ stream: Int, _ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = content[...]
        var number = 0
        while !rest.isEmpty {
            let part = rest.prefix(rest.count < 184 ? max(0, min(rest.count, 182)) : 184)
            rest = rest.dropFirst(part.count)
            let isFirst: UInt8 = number == 0 ? 0x40 : 0
            let filling = 184 - part.count
            let kind: UInt8 = filling > 0 ? 0x30 : 0x10
            bytes += [
                0x47, isFirst | UInt8(stream >> 8), UInt8(stream & 255), kind | UInt8(number & 15),
            ]
            if filling > 0 {
                bytes += [UInt8(filling - 1), 0] + Array(repeating: 0xFF, count: filling - 2)
            }
            bytes += part
            number += 1
        }
        return bytes
    }

    /// VP9 in IVF: key frames whose header names a size in 12 bits and full color, with hardly any
    /// data behind it.
    public static func vp9(width: Int, height: Int, told: (Int, Int) = (64, 64)) -> [UInt8] {
        let bits = Bits()
        bits.u(2, 2).u(1, 1).u(1, 1).u(0, 1).u(0, 1).u(0, 1).u(1, 1).u(0, 1).u(0x49_8342, 24)
        bits.u(1, 1).u(2, 3).u(0, 1).u(0, 3)
        bits.u(width - 1, 16).u(height - 1, 16).u(0, 1)
        bits.u(0, 1).u(1, 1).u(0, 2).u(0, 6).u(0, 3).u(0, 1).u(60, 8).u(0, 3).u(0, 1)
        // As few columns of tiles as the width allows, one row of them.
        bits.u(0, 1).u(0, 1).u(32, 16)
        let frame = bits.ended() + Array(repeating: 0x55, count: 200)
        func low(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        var file = Array("DKIF".utf8) + low(0, 2) + low(32, 2) + Array("VP90".utf8)
        file += low(told.0, 2) + low(told.1, 2) + low(1, 4) + low(1, 4) + low(2, 4) + low(0, 4)
        for number in 0..<2 { file += low(frame.count, 4) + low(number, 8) + frame }
        return file
    }

    /// A Matroska file whose header has empty tracks.
    public static func matroska(tracks: Int) -> [UInt8] {
        let type = [0x42, 0x82, 0x84] + Array("webm".utf8)
        let list = (0..<tracks).flatMap { _ in [0xAE, 0x80] as [UInt8] }
        let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: list.count >> $0) }
        return [0x1A, 0x45, 0xDF, 0xA3, 0x80 | UInt8(type.count)] + type
            + [0x18, 0x53, 0x80, 0x67, 0x01] + Array(repeating: 0xFF, count: 7)
            + [0x16, 0x54, 0xAE, 0x6B, 0x01, 0, 0, 0] + length + list + [
                0x1F, 0x43, 0xB6, 0x75, 0x80,
            ]
    }
}

extension HostileForge {
    /// A movie with other tables: its tracks several times, or with edits.
    ///
    /// `more` goes behind the last box of `moov`. The samples stay where they are.
    public static func movie(
        _ bytes: [UInt8], appending more: [UInt8] = [], copiesOfTrack: Int = 1, edits: Int = 0
    ) -> [UInt8] {
        let outer = MovieForge.boxes(bytes, in: 0..<bytes.count)
        guard let movie = outer.first(where: { $0.type == "moov" }) else { return bytes }
        var content: [UInt8] = []
        for box in MovieForge.boxes(bytes, in: movie.range.lowerBound + 8..<movie.range.upperBound)
        {
            var whole = Array(bytes[box.range])
            if box.type == "trak", edits > 0 { whole = edited(whole, edits) }
            for _ in 0..<(box.type == "trak" ? copiesOfTrack : 1) { content += whole }
        }
        // The old tables become a hole, so that places of samples hold.
        var file = bytes
        file.replaceSubrange(
            movie.range.lowerBound + 4..<movie.range.lowerBound + 8, with: Array("free".utf8))
        return file + box("moov", content + more)
    }

    /// A track with so many edits that each show all of it.
    private static func edited(_ track: [UInt8], _ count: Int) -> [UInt8] {
        var content: [UInt8] = []
        for part in MovieForge.boxes(track, in: 8..<track.count) where part.type != "edts" {
            content += track[part.range]
            guard part.type == "tkhd" else { continue }
            var list = MovieForge.words(0) + MovieForge.words(count)
            for _ in 0..<count {
                list += MovieForge.words(2000) + MovieForge.words(0) + MovieForge.words(0x10000)
            }
            content += box("edts", box("elst", list))
        }
        return box("trak", content)
    }

    /// A box of a type.
    public static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        MovieForge.words(8 + content.count) + Array(type.utf8) + content
    }

    /// So many boxes without content.
    public static func emptyBoxes(_ count: Int) -> [UInt8] {
        let one = box("free", [])
        var all: [UInt8] = []
        all.reserveCapacity(one.count * count)
        for _ in 0..<count { all += one }
        return all
    }
}

/// Bits put together from the highest of each byte to the lowest.
private final class Bits {
    private var digits: [Bool] = []

    @discardableResult
    func u(_ value: Int, _ count: Int) -> Bits {
        for place in (0..<count).reversed() { digits.append(value >> place & 1 == 1) }
        return self
    }

    /// A number with as many zeros before it as it has further digits (H.264, 9.1).
    @discardableResult
    func ue(_ value: Int) -> Bits {
        let length = Int.bitWidth - (value + 1).leadingZeroBitCount
        return u(0, length - 1).u(value + 1, length)
    }

    @discardableResult
    func se(_ value: Int) -> Bits { ue(value > 0 ? 2 * value - 1 : -2 * value) }

    func text(_ digits: String) { self.digits += digits.map { $0 == "1" } }

    /// The bytes, closed by a one and zeros.
    func ended() -> [UInt8] {
        var all = digits + [true]
        while all.count % 8 != 0 { all.append(false) }
        return stride(from: 0, to: all.count, by: 8).map { start in
            all[start..<start + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        }
    }
}

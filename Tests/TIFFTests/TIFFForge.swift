/// A little-endian TIFF of uncompressed RGB whose directory precedes the pixels.
struct TIFFForge {
    var width: Int
    var height: Int
    var rowsPerStrip: Int
    /// The offset of the next directory.
    var next = 0
    var photometric = 2
    var samples = 3
    var sampleFormat = 1
    /// An ICC profile.
    var profile: [UInt8] = []

    var bytes: [UInt8] {
        // The strips are those of 8 × 8 pixels, whatever the directory says.
        let strips = 4
        // One number counts for all samples.
        let isUsual = samples == 3
        let tables = 8 + 2 + (profile.isEmpty ? 12 : 13) * 12 + 4
        let pixels = tables + 6 + 6 + strips * 8
        var entries: [(tag: Int, type: Int, count: Int, value: Int)] = [
            (256, 4, 1, width), (257, 4, 1, height),
            (258, 3, isUsual ? 3 : 1, isUsual ? tables : 8), (259, 3, 1, 1),
            (262, 3, 1, photometric), (273, 4, strips, tables + 12), (274, 3, 1, 1),
            (277, 3, 1, samples), (278, 4, 1, rowsPerStrip),
            (279, 4, strips, tables + 12 + strips * 4),
            (284, 3, 1, 1), (339, 3, isUsual ? 3 : 1, isUsual ? tables + 6 : 1),
        ]
        if !profile.isEmpty { entries.append((34675, 7, profile.count, pixels + 8 * 8 * 3)) }
        var file: [UInt8] = [0x49, 0x49, 42, 0] + little(8, 4) + little(entries.count, 2)
        for entry in entries {
            file += little(entry.tag, 2) + little(entry.type, 2) + little(entry.count, 4)
            file += little(entry.value, 4)
        }
        file += little(next, 4)
        for depth in [8, 8, 8, sampleFormat, sampleFormat, sampleFormat] {
            file += little(depth, 2)
        }
        for strip in 0..<strips { file += little(pixels + strip * 48, 4) }
        for _ in 0..<strips { file += little(48, 4) }
        file += (0..<64).flatMap { [UInt8($0 * 3), UInt8($0), 255 - UInt8($0)] }
        return file + profile
    }

    /// A chain of pages of 4 × 4 gray pixels, which share their pixels and a profile.
    static func chain(_ pages: Int, profile: [UInt8] = []) -> [UInt8] {
        let pixels = 8
        let start = pixels + 16 + profile.count + profile.count % 2
        let entries = profile.isEmpty ? 9 : 10
        var file: [UInt8] = [0x49, 0x49, 42, 0] + little(start, 4)
        file += Array(repeating: 128, count: 16) + profile
        file += Array(repeating: 0, count: profile.count % 2)
        for page in 1...pages {
            file += little(entries, 2)
            for (tag, value) in [
                (256, 4), (257, 4), (258, 8), (259, 1), (262, 1), (273, pixels), (277, 1),
                (278, 4), (279, 16),
            ] {
                file += little(tag, 2) + little(4, 2) + little(1, 4) + little(value, 4)
            }
            if !profile.isEmpty {
                file += little(34675, 2) + little(7, 2) + little(profile.count, 4)
                file += little(pixels + 16, 4)
            }
            file += little(page < pages ? start + page * (entries * 12 + 6) : 0, 4)
        }
        return file
    }

    private func little(_ value: Int, _ width: Int) -> [UInt8] { Self.little(value, width) }

    static func little(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// A profile of sRGB's primaries whose samples are proportional to light (ICC.1:2010, 8.3).
    static var linearProfile: [UInt8] {
        func big(_ value: Int) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
        func xyz(_ numbers: [Double]) -> [UInt8] {
            Array("XYZ ".utf8) + big(0) + numbers.flatMap { big(Int(($0 * 65536).rounded())) }
        }
        let curve = Array("curv".utf8) + big(0) + big(0)
        let tags: [(name: String, data: [UInt8])] = [
            ("rXYZ", xyz([0.43607, 0.22249, 0.01392])), ("gXYZ", xyz([0.38515, 0.71687, 0.09708])),
            ("bXYZ", xyz([0.14307, 0.06061, 0.71410])), ("rTRC", curve), ("gTRC", curve),
            ("bTRC", curve),
        ]
        var table = big(tags.count)
        var data: [UInt8] = []
        for tag in tags {
            table += Array(tag.name.utf8) + big(128 + 4 + tags.count * 12 + data.count)
            table += big(tag.data.count)
            data += tag.data
        }
        var head = [UInt8](repeating: 0, count: 128)
        head.replaceSubrange(0..<4, with: big(128 + table.count + data.count))
        head.replaceSubrange(8..<10, with: [2, 0x10])
        head.replaceSubrange(12..<24, with: Array("mntrRGB XYZ ".utf8))
        head.replaceSubrange(36..<40, with: Array("acsp".utf8))
        return head + table + data
    }
}

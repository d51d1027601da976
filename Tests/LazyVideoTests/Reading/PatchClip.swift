import LazyMedia
import Support

/// A clip of flat patches in BT.2020 of 10 bits, with the colors that Chromium 156 draws of them.
struct PatchClip {
    /// R'G'B' of 10 bits, and sRGB.
    typealias Patch = (code: SIMD3<Int>, color: SIMD3<Int>)

    static let pq: [Patch] = [
        gray(64, 1), gray(128, 5), gray(256, 30), gray(384, 70), gray(512, 131), gray(575, 173),
        gray(703, 235), gray(767, 254), gray(1023, 255), ([545, 335, 225], [188, 0, 0]),
        ([296, 201, 582], [0, 0, 187]), ([564, 301, 0], [205, 0, 0]), ([594, 0, 0], [235, 0, 0]),
        ([0, 594, 0], [0, 198, 0]), ([0, 0, 594], [0, 0, 197]), ([510, 476, 444], [142, 109, 93]),
        ([533, 553, 615], [127, 155, 205]), ([728, 707, 575], [255, 222, 110]),
    ]
    static let hlg: [Patch] = [
        gray(64, 3), gray(128, 14), gray(256, 43), gray(384, 71), gray(512, 99), gray(639, 134),
        gray(767, 187), gray(895, 227), gray(1023, 255), ([725, 273, 133], [187, 0, 0]),
        ([537, 761, 278], [3, 187, 0]), ([236, 121, 832], [0, 0, 187]),
        ([760, 220, 0], [205, 0, 0]),
        ([811, 0, 0], [234, 0, 0]), ([0, 780, 0], [0, 198, 0]), ([637, 559, 477], [142, 109, 92]),
        ([661, 701, 819], [127, 155, 206]), ([971, 935, 695], [255, 222, 110]),
    ]

    private static func gray(_ code: Int, _ level: Int) -> Patch {
        (SIMD3(repeating: code), SIMD3(repeating: level))
    }

    /// The side of a patch.
    static let side = 32
    private static let columns = 6

    let patches: [Patch]
    private let scratch = Scratch()

    init(_ patches: [Patch]) { self.patches = patches }

    /// Encodes the patches with ffmpeg; `arguments` name the codec and the colors.
    func encoded(_ arguments: String, as name: String) -> [UInt8] {
        let rows = patches.count / Self.columns
        let (width, height) = (Self.columns * Self.side, rows * Self.side)
        let path = scratch.write(yuv(width, height), "in.yuv")
        _ = Peer.output(
            of: "ffmpeg -v error -y -f rawvideo -pix_fmt yuv420p10le -s \(width)x\(height)"
                + " -stream_loop 2 -i \(path) \(arguments) \(scratch.path(name)) </dev/null 2>&1")
        return scratch[name]
    }

    /// Runs a command of ffmpeg on bytes.
    func remuxed(_ bytes: [UInt8], from name: String, to other: String) -> [UInt8] {
        let path = scratch.write(bytes, name)
        _ = Peer.output(
            of: "ffmpeg -v error -y -i \(path) -c copy \(scratch.path(other)) </dev/null 2>&1")
        return scratch[other]
    }

    /// What ffprobe tells about bytes, without names, separated by commas.
    func probed(_ bytes: [UInt8], _ entries: String) -> String {
        let path = scratch.write(bytes, "probed")
        let text = Peer.output(
            of: "ffprobe -v error -select_streams v -show_entries \(entries) -of csv=p=0 \(path)")
        return String(decoding: text, as: UTF8.self).split(separator: "\n").joined()
    }

    /// The largest difference of a bitmap to the browser's colors, in the middle of each patch.
    func worst(_ bitmap: Bitmap, side: Int = Self.side) -> Int {
        var worst = 0
        for (number, patch) in patches.enumerated() {
            let x = number % Self.columns * side + side / 2
            let pixel = bitmap[x, number / Self.columns * side + side / 2]
            for channel in 0..<3 {
                worst = max(worst, abs(Int(pixel[channel]) - patch.color[channel]))
            }
        }
        return worst
    }

    private func yuv(_ width: Int, _ height: Int) -> [UInt8] {
        let samples = patches.map { patch -> SIMD3<Int> in
            let (r, g, b) = (
                Double(patch.code.x) / 1023, Double(patch.code.y) / 1023,
                Double(patch.code.z) / 1023
            )
            let y = 0.2627 * r + 0.6780 * g + 0.0593 * b
            return SIMD3(
                Int((64 + 876 * y).rounded()), Int((512 + 896 * (b - y) / 1.8814).rounded()),
                Int((512 + 896 * (r - y) / 1.4746).rounded()))
        }
        var bytes: [UInt8] = []
        for (plane, side) in [Self.side, Self.side / 2, Self.side / 2].enumerated() {
            for row in 0..<height * side / Self.side {
                for column in 0..<width * side / Self.side {
                    let sample = samples[row / side * Self.columns + column / side][plane]
                    bytes += [UInt8(sample & 255), UInt8(sample >> 8)]
                }
            }
        }
        return bytes
    }
}

/// A movie with a box added at the end of its sample entry.
///
/// The movie's header must follow the data, as in what ffmpeg writes: offsets do not change then.
func movie(_ bytes: [UInt8], adding box: [UInt8]) -> [UInt8] {
    var bytes = bytes
    var range = 0..<bytes.count
    var ancestors: [Int] = []
    for (kind, header) in [
        ("moov", 0), ("trak", 0), ("mdia", 0), ("minf", 0), ("stbl", 0), ("stsd", 8),
    ] {
        guard let found = ISOBox.boxes(bytes, in: range).first(where: { $0.kind == code(kind) })
        else { return [] }
        ancestors.append(found.range.lowerBound)
        range = (found.content.lowerBound + header)..<found.content.upperBound
    }
    guard let entry = ISOBox.boxes(bytes, in: range).first else { return [] }
    bytes.insert(contentsOf: box, at: entry.range.upperBound)
    for start in ancestors + [entry.range.lowerBound] {
        let size = bytes.bigEndian32(at: start) + UInt32(box.count)
        for place in 0..<4 { bytes[start + place] = UInt8(size >> (24 - 8 * UInt32(place)) & 255) }
    }
    return bytes
}

private func code(_ kind: String) -> UInt32 { kind.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

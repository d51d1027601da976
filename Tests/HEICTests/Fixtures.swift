import Glibc
import LazyMedia
import LazyVideo
import Support

@testable import LazyCodecs

/// Pictures that x265 encoded, each once, and files made of them.
enum Fixtures {
    /// Six different tiles of 64 by 64 pixels.
    static let tiles = (0..<6).map { tile($0) }
    /// The same in 10 bits.
    static let deepTiles = (0..<6).map { tile($0, format: "yuv420p10le") }
    /// A ramp from black to white, as alpha is coded.
    static let ramp = HEVCPicture.encoded(
        "gradients=s=192x128:c0=black:c1=white:x0=0:y0=0:x1=191:y1=127:n=2", width: 192,
        height: 128, format: "gray", tags: "range=pc")
    /// A smaller picture, as thumbnails are.
    static let small = tile(7, width: 48, height: 32)

    /// A frame of FFmpeg's test pattern.
    static func tile(
        _ number: Int, width: Int = 64, height: Int = 64, format: String = "yuv420p",
        tags: String = "range=unknown"
    ) -> HEVCPicture {
        .encoded(
            "testsrc2=s=\(width)x\(height):d=9,trim=start=\(number)", width: width,
            height: height, format: format, tags: tags)
    }

    /// A file of three by two tiles; `extra` are more properties of the grid.
    static func grid(
        _ tiles: [HEVCPicture] = tiles, width: Int = 180, height: Int = 120,
        extra: [[UInt8]] = [], isLarge: Bool = false, isInTables: Bool = true
    ) -> HEICForge {
        var forge = HEICForge()
        forge.primary = 100
        for (index, tile) in tiles.enumerated() {
            // In one extent, in two, in three.
            forge.add(index + 1, "hvc1", tile.data, tile.properties, pieces: index % 3 + 1)
        }
        forge.add(
            100, "grid",
            HEICForge.grid(columns: 3, rows: 2, width: width, height: height, isLarge: isLarge),
            [HEICForge.size(width, height)] + extra, isInTables: isInTables)
        forge.refer("dimg", from: 100, to: Array(1...tiles.count))
        return forge
    }

    /// A file of one picture.
    static func single(_ picture: HEVCPicture, extra: [[UInt8]] = []) -> HEICForge {
        var forge = HEICForge()
        forge.add(1, "hvc1", picture.data, picture.properties + extra)
        return forge
    }

    /// What a phone with iOS 18 writes: a rotated grid, a thumbnail, a gain map that two items refer
    /// to, and a tone-mapped picture in a group of alternatives.
    static var phone: HEICForge {
        var forge = grid(extra: [HEICForge.rotation(3)])
        forge.brands = ["heic", "mif1", "MiHB", "MiHE", "MiPr", "miaf", "heix", "tmap"]
        let name = Array("urn:com:apple:photo:2020:aux:hdrgainmap".utf8) + [0]
        forge.add(
            200, "hvc1", ramp.data,
            ramp.properties + [HEICForge.full("auxC", name), HEICForge.rotation(3)])
        forge.add(
            201, "tmap", Array(repeating: 0, count: 62), [HEICForge.size(180, 120)],
            isInTables: true)
        forge.add(202, "hvc1", small.data, small.properties + [HEICForge.rotation(3)])
        forge.add(203, "Exif", Array("\0\0\0\u{6}Exif\0\0".utf8) + sideways, [])
        forge.refer("dimg", from: 201, to: [100, 200])
        forge.refer("auxl", from: 200, to: [100, 201])
        forge.refer("thmb", from: 202, to: [100])
        forge.refer("cdsc", from: 203, to: [100])
        let group = HEICForge.number(900, 4) + HEICForge.number(2, 4)
        forge.others = [
            HEICForge.box(
                "grpl",
                HEICForge.full(
                    "altr", group + HEICForge.number(201, 4) + HEICForge.number(100, 4)))
        ]
        return forge
    }

    /// EXIF with orientation 6, which does not apply to HEIC.
    private static let sideways: [UInt8] =
        Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
        + [0, 0, 0, 0]

    // MARK: - Reading

    /// Opens a file.
    static func open(
        _ bytes: [UInt8], limits: DecodingLimits = .web
    ) throws -> any OpenedMedia {
        try HEICDecoder(PictureDecoders()).open(MemoryBytes(bytes), type: .heic, limits: limits)
    }

    /// Reads the picture of a file, in its own colors.
    static func picture(
        _ bytes: [UInt8], _ options: ReaderOptions = ReaderOptions(threads: 2)
    ) throws -> Bitmap {
        var options = options
        options.color = .source
        let reader = try open(bytes, limits: options.limits).makeReader(options)
        guard let frame = try reader.nextFrame() else {
            throw MediaError(.notFound, "There is no frame.")
        }
        return frame.bitmap
    }

    /// What heif-convert makes of a file, or nil where it refuses it.
    static func reference(_ bytes: [UInt8]) throws -> Bitmap? {
        let scratch = Scratch()
        let input = scratch.write(bytes, "a.heic")
        _ = Peer.output(of: "heif-convert \(input) \(scratch.path("a.png")) 2>&1 </dev/null")
        guard scratch.files.contains("a.png") else { return nil }
        var options = ReaderOptions()
        options.color = .source
        return try PNGDecoder().open(
            FileBytes(path: scratch.path("a.png")), type: .png, limits: .local
        ).makeReader(options).nextFrame()?.bitmap
    }
}

extension Bitmap {
    /// The peak signal-to-noise ratio of all four channels in dB; 0 for another size.
    func psnr(to other: Bitmap) -> Double {
        guard size == other.size else { return 0 }
        let error = withBytes { left in
            other.withBytes { right in
                zip(left, right).reduce(0) {
                    $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1))
                }
            }
        }
        guard error > 0 else { return 99 }
        return -10 * log10(Double(error) / Double(byteCount) / 65025)
    }
}

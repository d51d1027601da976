import LazyMedia

/// PNGs and bitmaps made by hand, so that no test leans on what it tests.
enum PNGForge {
    /// A PNG of given raw scanlines (each with its filter byte), with `zlib` data of stored blocks.
    static func png(
        width: Int, height: Int, depth: UInt8, color: UInt8, scanlines: [UInt8],
        chunks: [(String, [UInt8])] = []
    ) -> [UInt8] {
        let header = be(width) + be(height) + [depth, color, 0, 0, 0]
        var out: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
        for (name, data) in chunks { out += chunk(name, data) }
        return out + chunk("IDAT", stored(scanlines)) + chunk("IEND", [])
    }

    static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return be(data.count) + body + be(Int(crc(body)))
    }

    static func be(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    /// The CRC of the PNG specification, Annex D, bit by bit.
    static func crc(_ bytes: [UInt8]) -> UInt32 {
        var crc = UInt32.max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
        }
        return ~crc
    }

    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        precondition(bytes.count < 65536, "one stored block")
        var out: [UInt8] = [0x78, 0x01, 1]
        for value in [UInt16(bytes.count), ~UInt16(bytes.count)] {
            out += [UInt8(value & 255), UInt8(value >> 8)]
        }
        var a = 1
        var b = 0
        for byte in bytes {
            a = (a + Int(byte)) % 65521
            b = (b + a) % 65521
        }
        return out + bytes + be(b << 16 | a)
    }

    /// A bitmap whose pixel (x, y) a closure gives as red, green, blue, alpha.
    static func bitmap(
        _ width: Int, _ height: Int, isOpaque: Bool = false,
        _ pixel: (Int, Int) -> SIMD4<UInt8>
    ) throws -> Bitmap {
        try Bitmap(size: PixelSize(width: width, height: height), isOpaque: isOpaque) { rows in
            let pixels = rows.bindMemory(to: SIMD4<UInt8>.self)
            for y in 0..<height { for x in 0..<width { pixels[y * width + x] = pixel(x, y) } }
        }
    }

    /// Noise that is the same each time.
    static func noise(_ x: Int, _ y: Int) -> SIMD4<UInt8> {
        var state = UInt64(truncatingIfNeeded: x &* 0x9E37_79B9 &+ y &* 0x85EB_CA6B &+ 1)
        state = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        state = (state ^ state >> 27) &* 0x94D0_49BB_1331_11EB
        state ^= state >> 31
        return SIMD4(
            UInt8(truncatingIfNeeded: state), UInt8(truncatingIfNeeded: state >> 16),
            UInt8(truncatingIfNeeded: state >> 32), UInt8(truncatingIfNeeded: state >> 48))
    }
}

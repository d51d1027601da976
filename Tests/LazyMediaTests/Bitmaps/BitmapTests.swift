import Testing

@testable import LazyMedia

@Suite struct BitmapTests {
    @Test(arguments: [
        (0, 5), (5, 0), (-1, 5), (Int(Int32.max), 1), (65535, 1 << 40),
    ]) func `invalid sizes are rejected`(width: Int, height: Int) {
        #expect(PixelSize(checking: width, height) == nil)
    }

    @Test func `a size gives its byte count`() {
        #expect(PixelSize(checking: 65535, 65535)?.rgbaByteCount == 65535 * 65535 * 4)
        #expect(PixelSize(width: 3, height: 2).transposed == PixelSize(width: 2, height: 3))
    }

    @Test func `a bitmap keeps what was written, in rows without padding`() throws {
        let bitmap = try Bitmap(size: PixelSize(width: 3, height: 2), isOpaque: false) { bytes in
            for index in bytes.indices { bytes[index] = UInt8(index) }
        }
        #expect(bitmap.stride == 12)
        #expect(bitmap[2, 1] == SIMD4(20, 21, 22, 23))
        #expect(bitmap.withBytes { Array($0) } == Array(0..<24))
    }

    @Test func `freed memory is reused from the pool`() throws {
        let pool = BitmapPool(byteLimit: 1 << 20)
        let size = PixelSize(width: 300, height: 300)
        func address() throws -> UInt {
            try Bitmap(size: size, isOpaque: true, pool: pool) {
                _ = $0.initializeMemory(as: UInt8.self, repeating: 1)
            }
            .withBytes { UInt(bitPattern: $0.baseAddress) }
        }
        #expect(try address() == address())
    }

    @Test func `a full pool frees other sizes for the newest`() throws {
        let pool = BitmapPool(byteLimit: 1 << 20)
        func recycle(_ height: Int) throws {
            pool.recycle(try pool.block(byteCount: 1024 * height))
        }
        for height in [256, 300, 400] { try recycle(height) }
        #expect(pool.unusedSizes == [256 << 10, 300 << 10, 400 << 10])
        try recycle(500)
        #expect(pool.unusedSizes == [500 << 10])
        // What never fits leaves the rest.
        try recycle(2000)
        #expect(pool.unusedSizes == [500 << 10])
    }

    @Test func `small bitmaps of many sizes fill no pool`() throws {
        let pool = BitmapPool(byteLimit: 1 << 20)
        for width in 1..<100 {
            _ = try Bitmap(size: PixelSize(width: width, height: 200), isOpaque: true, pool: pool) {
                _ = $0.initializeMemory(as: UInt8.self, repeating: 1)
            }
        }
        #expect(pool.unusedSizes == [])
    }

    @Test func `a copy outlives the original unchanged`() throws {
        let pool = BitmapPool(byteLimit: 1 << 20)
        let size = PixelSize(width: 4, height: 4)
        var kept: [Bitmap] = []
        for value in 0..<10 {
            kept.append(
                try Bitmap(size: size, isOpaque: true, pool: pool) {
                    _ = $0.initializeMemory(as: UInt8.self, repeating: UInt8(value))
                })
        }
        for value in 0..<10 { #expect(kept[value][3, 3].x == UInt8(value)) }
    }
}

@Suite struct BitmapScalerTests {
    @Test func `scaling to the same size returns the same picture`() throws {
        let picture = try noise(17, 9)
        #expect(try scaled(picture, 17, 9) == picture)
    }

    @Test func `halving averages four pixels`() throws {
        let picture = try bitmap(2, 2, [10, 20, 30, 41])
        #expect(try scaled(picture, 1, 1)[0, 0] == SIMD4(25, 25, 25, 255))
    }

    @Test func `partly covered pixels are weighted`() throws {
        let picture = try bitmap(3, 1, [0, 90, 240])
        #expect(try scaled(picture, 2, 1)[0, 0].x == 30)
        #expect(try scaled(picture, 2, 1)[1, 0].x == 190)
    }

    @Test func `a flat color is the same at every size`() throws {
        let picture = try bitmap(5, 7, Array(repeating: 137, count: 35))
        for (width, height) in [(1, 1), (3, 2), (5, 14), (64, 3), (200, 200)] {
            let result = try scaled(picture, width, height)
            for y in 0..<height { for x in 0..<width { #expect(result[x, y].x == 137) } }
        }
    }

    @Test func `transparent pixels contribute no color`() throws {
        let picture = try Bitmap(size: PixelSize(width: 2, height: 1), isOpaque: false) { bytes in
            bytes.copyBytes(from: [200, 100, 50, 255, 0, 0, 0, 0])
        }
        #expect(try scaled(picture, 1, 1)[0, 0] == SIMD4(200, 100, 50, 128))
    }

    @Test func `the opaque and alpha paths agree on opaque pictures`() throws {
        let picture = try noise(50, 40)
        for (width, height) in [(20, 16), (33, 41), (7, 40), (120, 11)] {
            let slow = try scaled(picture, width, height, isOpaque: false)
            let fast = try scaled(picture, width, height, isOpaque: true)
            // The division by alpha may round the other way at a half.
            let furthest = slow.withBytes { a in
                fast.withBytes { b in zip(a, b).map { abs(Int($0) - Int($1)) }.max() }
            }
            #expect(furthest ?? 0 <= 1)
        }
    }

    @Test func `shrinking keeps the brightness`() throws {
        let picture = try noise(97, 61)
        let small = try scaled(picture, 13, 8)
        #expect(abs(mean(picture) - mean(small)) < 1)
    }

    private func mean(_ bitmap: Bitmap) -> Double {
        bitmap.withBytes { bytes in
            Double(bytes.reduce(0) { $0 + Int($1) }) / Double(bytes.count)
        }
    }

    private func scaled(
        _ bitmap: Bitmap, _ width: Int, _ height: Int, isOpaque: Bool = false
    ) throws -> Bitmap {
        let target = PixelSize(width: width, height: height)
        let scaler = BitmapScaler(from: bitmap.size, to: target)
        return try Bitmap(size: target, isOpaque: isOpaque) { output in
            bitmap.withBytes {
                scaler.scale($0, stride: bitmap.stride, isOpaque: isOpaque, into: output)
            }
        }
    }

    private func bitmap(_ width: Int, _ height: Int, _ grays: [UInt8]) throws -> Bitmap {
        try Bitmap(size: PixelSize(width: width, height: height), isOpaque: true) { bytes in
            bytes.copyBytes(from: grays.flatMap { [$0, $0, $0, 255] })
        }
    }

    private func noise(_ width: Int, _ height: Int) throws -> Bitmap {
        var state: UInt32 = 1
        return try bitmap(
            width, height,
            (0..<width * height).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt8(state >> 24)
            })
    }
}

import Glibc
import LazyCodecs
import LazyMedia
import LazyRenditions
import Support
import Testing

@Suite struct UnditherTests {
    static let size = PixelSize(width: 96, height: 64)

    /// Draws a picture of colors given by column and row.
    static func draw(
        _ size: PixelSize = size, _ color: (Int, Int) -> SIMD4<UInt8>
    ) throws -> Bitmap {
        try Bitmap(size: size, isOpaque: true) { rows in
            for y in 0..<size.height {
                for x in 0..<size.width {
                    rows.storeBytes(
                        of: color(x, y), toByteOffset: (y * size.width + x) * 4,
                        as: SIMD4<UInt8>.self)
                }
            }
        }
    }

    /// A smooth picture with an edge in it.
    static func smooth(_ x: Int, _ y: Int) -> SIMD3<Double> {
        let isRight = x > 60
        return SIMD3(
            Double(x) + (isRight ? 120 : 0), Double(y) * 2 + 20, isRight ? 40 : 90)
    }

    static func clean() throws -> Bitmap {
        try draw { x, y in
            let color = smooth(x, y)
            return SIMD4(UInt8(color.x), UInt8(color.y), UInt8(color.z), 255)
        }
    }

    /// The smooth picture in steps of 32, by a pattern.
    static func ordered() throws -> Bitmap {
        let pattern = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]
        return try draw { x, y in
            let level = (Double(pattern[y % 4 * 4 + x % 4]) + 0.5) / 16
            let steps = (smooth(x, y) / 32 + SIMD3(repeating: level)).rounded(.down) * 32
            return SIMD4(UInt8(min(steps.x, 255)), UInt8(min(steps.y, 255)), UInt8(steps.z), 255)
        }
    }

    /// The smooth picture in steps of 32, by error diffusion.
    static func diffused() throws -> Bitmap {
        var errors = [SIMD3<Double>](repeating: .zero, count: (size.width + 2) * (size.height + 1))
        let pitch = size.width + 2
        return try draw { x, y in
            let place = y * pitch + x + 1
            let wanted = smooth(x, y) + errors[place]
            let steps = ((wanted / 32).rounded(.toNearestOrEven) * 32).clamped(
                lowerBound: .zero, upperBound: SIMD3(repeating: 255))
            let error = (wanted - steps) / 16
            errors[place + 1] += error * 7
            errors[place + pitch - 1] += error * 3
            errors[place + pitch] += error * 5
            errors[place + pitch + 1] += error
            return SIMD4(UInt8(min(steps.x, 255)), UInt8(min(steps.y, 255)), UInt8(steps.z), 255)
        }
    }

    static func psnr(_ one: Bitmap, _ other: Bitmap) -> Double {
        let (a, b) = (one.withBytes { Array($0) }, other.withBytes { Array($0) })
        let sum = zip(a, b).reduce(0.0) { sum, pair in
            let difference = Double(pair.0) - Double(pair.1)
            return sum + difference * difference
        }
        return 10 * log10(255 * 255 / (sum / Double(a.count / 4 * 3)))
    }

    @Test(arguments: [false, true])
    func `shades come back from dots`(isDiffused: Bool) throws {
        let dithered = isDiffused ? try Self.diffused() : try Self.ordered()
        let clean = try Self.clean()
        let filter = try #require(Undither(for: dithered))
        #expect(filter.strength > 0.5)
        let filtered = try filter.filtered(dithered)
        #expect(Self.psnr(filtered, clean) > Self.psnr(dithered, clean) + 5)
    }

    @Test func `an edge stays where it is`() throws {
        let filtered = try Undither().filtered(Self.ordered())
        for y in 2..<62 {
            let (left, right) = (filtered[60, y], filtered[61, y])
            #expect(Int(right.x) - Int(left.x) > 50, "row \(y)")
        }
    }

    /// Pictures that were drawn, and are to stay as they are to the last bit.
    static let drawings: [@Sendable (Int, Int) -> SIMD4<UInt8>] = [
        // Flat areas.
        { x, y in x / 16 % 2 == y / 16 % 2 ? SIMD4(40, 60, 80, 255) : SIMD4(200, 60, 80, 255) },
        // A chessboard of pixels.
        { x, y in (x + y) % 2 == 0 ? SIMD4(0, 0, 0, 255) : SIMD4(255, 255, 255, 255) },
        // Lines of one pixel, as in letters.
        { x, y in x % 5 == 0 || y % 7 == 0 ? SIMD4(20, 20, 20, 255) : SIMD4(240, 240, 220, 255) },
        // Small figures in strong colors.
        { x, y in SIMD4(UInt8((x / 3 * 97) % 4 * 80), UInt8((y / 3 * 61) % 4 * 80), 128, 255) },
    ]

    @Test(arguments: drawings.indices)
    func `drawings are not touched`(number: Int) throws {
        let drawing = try Self.draw(Self.size, Self.drawings[number])
        #expect(Undither.detect(drawing) == 0)
        #expect(try Undither().filtered(drawing) == drawing)
    }

    @Test func `smooth shades and photographs are not dithered`() throws {
        #expect(Undither.detect(try Self.clean()) == 0)
        var random = SplitMix(3)
        let noisy = try Self.draw(PixelSize(width: 160, height: 120)) { x, y in
            SIMD4(
                UInt8(x / 2 + Int.random(in: 0..<60, using: &random)),
                UInt8(y / 2 + Int.random(in: 0..<60, using: &random)),
                UInt8.random(in: 80..<140, using: &random), 255)
        }
        #expect(Undither.detect(noisy) == 0)
    }

    @Test func `what does not change comes out the same beside what does`() throws {
        let still = try Self.ordered()
        let moved = try Self.draw { x, y in x < 20 ? SIMD4(9, 9, 9, 255) : still[x, y] }
        let (one, other) = (try Undither().filtered(still), try Undither().filtered(moved))
        for y in 0..<64 { for x in 23..<96 { #expect(one[x, y] == other[x, y]) } }
    }

    @Test func `transparent pixels keep their bytes`() throws {
        let dithered = try Self.ordered()
        let masked = try Bitmap(size: Self.size, isOpaque: false) { rows in
            dithered.withBytes { rows.copyMemory(from: $0) }
            for place in stride(from: 3, to: rows.count, by: 20) { rows[place] = 90 }
        }
        let filtered = try Undither().filtered(masked)
        for y in 0..<64 {
            for x in 0..<96 {
                #expect(filtered[x, y].w == masked[x, y].w)
                if masked[x, y].w < 255 { #expect(filtered[x, y] == masked[x, y]) }
            }
        }
    }

    @Test(arguments: [(1, 1), (1, 9), (9, 1), (2, 2), (3, 17), (33, 8)])
    func `any size is filtered within its bounds`(width: Int, height: Int) throws {
        let size = PixelSize(width: width, height: height)
        let picture = try Self.draw(size) { x, y in
            SIMD4(UInt8((x * 37 + y * 11) % 40), UInt8((x + y) % 2 * 16), 99, 255)
        }
        #expect(try Undither().filtered(picture).size == size)
        #expect(Undither.detect(picture) >= 0)
    }

    @Test func `a sequence keeps its timing and is scaled afterwards`() async throws {
        let bytes = try Media.bytes("counter.gif")
        let plain = FrameSequence(
            try GIFDecoder().open(bytes, type: .gif, limits: .local), limits: .local)
        let size = TargetSize(width: 40)
        var frames: [Frame] = []
        for try await frame in plain.undithered(strength: 1).frames(size: size) {
            frames.append(frame)
        }
        let index = try await plain.frameIndex()
        #expect(frames.map(\.timing) == index.timings)
        #expect(frames.allSatisfy { $0.bitmap.size == plain.decodedSize(size) })
        let seventh = try await plain.undithered(strength: 1).frame(7, size: size)
        #expect(seventh.bitmap == frames[7].bitmap)
    }
}

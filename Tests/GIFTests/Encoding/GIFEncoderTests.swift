import LazyMedia
import Support
import Testing

@testable import LazyCodecs

@Suite struct GIFEncoderTests {
    /// Frames of few colors in which some pixels change, some are transparent.
    static func random(
        _ seed: UInt64, colors: Int, frames: Int, width: Int, height: Int, isOpaque: Bool
    ) throws -> [Bitmap] {
        var random = SplitMix(seed)
        var palette = (0..<colors).map { _ in
            0xFF00_0000 | UInt32.random(in: 0...0xFFFFFF, using: &random)
        }
        if !isOpaque { palette[0] = 0 }
        var pixels = (0..<width * height).map { _ in
            palette[Int.random(in: 0..<colors, using: &random)]
        }
        return try (0..<frames).map { _ in
            for _ in 0..<Int.random(in: 1...width * height, using: &random) {
                let place = Int.random(in: 0..<pixels.count, using: &random)
                pixels[place] = palette[Int.random(in: 0..<colors, using: &random)]
            }
            return try picture(width, height) { x, y in pixels[y * width + x] }
        }
    }

    /// A moving gradient with noise: more colors than a palette has.
    static func moving(_ count: Int, width: Int = 64, height: Int = 48) throws -> [Bitmap] {
        var random = SplitMix(7)
        return try (0..<count).map { frame in
            try picture(width, height) { x, y in
                let noise = UInt32.random(in: 0..<6, using: &random)
                let red = UInt32((x + frame) * 200 / width) + noise
                let green = UInt32(y * 230 / height) + noise
                let blue = UInt32(x + y < 40 + frame ? 200 : 30) + noise
                return 0xFF00_0000 | min(red, 255) << 16 | min(green, 255) << 8 | blue
            }
        }
    }

    @Test(arguments: 0..<24 as Range<UInt64>)
    func `frames of few colors are reproduced exactly`(seed: UInt64) async throws {
        var random = SplitMix(seed)
        let colors = [2, 3, 5, 17, 200, 255, 256][Int(seed % 7)]
        let (width, height) = (
            Int.random(in: 1...40, using: &random), Int.random(in: 1...30, using: &random)
        )
        let pictures = try Self.random(
            seed, colors: colors, frames: 6, width: width, height: height,
            isOpaque: seed % 2 == 0)
        let reading = readGIF(try await writeGIF(pictures))
        #expect(reading.error == nil && reading.warnings.isEmpty)
        try expectSame(reading.frames, pictures)
    }

    /// Frames that are alike are one frame; the others follow each other in order.
    private func expectSame(_ frames: [Frame], _ pictures: [Bitmap]) throws {
        var wanted: [[UInt8]] = []
        for picture in pictures where picture.visibleBytes != wanted.last {
            wanted.append(picture.visibleBytes)
        }
        #expect(frames.map(\.bitmap.visibleBytes) == wanted)
    }

    @Test func `frames with local palettes are reproduced exactly`() async throws {
        let pictures = try (0..<5).map { frame in
            try picture(40, 20) { x, y in
                0xFF00_0000 | UInt32(frame * 40) << 16 | UInt32(x * 6) << 8 | UInt32(y / 5 * 60)
            }
        }
        try expectSame(readGIF(try await writeGIF(pictures)).frames, pictures)
    }

    @Test(
        arguments: [
            "counter", "disposal-background", "disposal-keep", "disposal-mixed",
            "disposal-previous", "interlaced", "local-palettes", "delays",
        ])
    func `a GIF is reproduced exactly`(name: String) async throws {
        let source = try Media.array("\(name).gif")
        let original = readGIF(source).frames
        let sequence = FrameSequence(try openGIF(source), limits: .local)
        let frames = readGIF(try await writeGIF(sequence)).frames
        try expectSame(frames, original.map(\.bitmap))
        #expect(
            frames.reduce(.zero) { $0 + $1.duration }
                == original.reduce(.zero) { $0 + $1.duration })
    }

    @Test func `one color too many costs only the rarest`() async throws {
        // All 256 colors are new in the second frame, beside a hole that must stay one.
        let pictures = try [0, 1].map { frame in
            try picture(40, 17) { x, y in
                if y == 16 { return 0 }
                let shade = UInt32(min(x, 15) * 16 + y) ^ UInt32(frame * 0x80)
                return y == 0 && x == 39 ? 0 : 0xFF00_0000 | shade << 8 | UInt32(frame * 9)
            }
        }
        let frames = readGIF(try await writeGIF(pictures)).frames
        #expect(frames.count == 2)
        for (frame, picture) in zip(frames, pictures) {
            let same = (0..<40 * 17).count {
                frame.bitmap[$0 % 40, $0 / 40] == picture[$0 % 40, $0 / 40]
            }
            #expect(same >= 40 * 17 - 26)
            #expect(frame.bitmap.psnr(to: picture) > 45)
        }
    }

    @Test(arguments: Dither.allCases)
    func `many colors are approximated closely`(dither: Dither) async throws {
        let pictures = try Self.moving(8)
        var options = EncodingOptions()
        options.dither = dither
        let frames = readGIF(try await writeGIF(pictures, options)).frames
        #expect(frames.count == pictures.count)
        for (frame, picture) in zip(frames, pictures) {
            #expect(frame.bitmap.psnr(to: picture) > (dither == .ordered ? 27 : 30))
        }
    }

    @Test(arguments: [2, 3, 4, 16, 100])
    func `no more colors than requested are used`(colors: Int) async throws {
        let pictures = try Self.moving(4)
        let bytes = try await writeGIF(pictures, EncodingOptions(colors: colors, palettes: .clip))
        var seen: Set<SIMD4<UInt8>> = []
        for frame in readGIF(bytes).frames {
            for y in 0..<48 { for x in 0..<64 { seen.insert(frame.bitmap[x, y]) } }
        }
        #expect(seen.count <= colors)
        #expect(seen.count > colors / 2)
    }

    @Test func `diffusion does not change still areas`() async throws {
        let pictures = try (0..<4).map { frame in
            try picture(64, 32) { x, y in
                let isMoving = x < 16
                let level = UInt32(isMoving ? (x * 9 + y * 3 + frame * 31) % 256 : x * 2 + y * 3)
                return 0xFF00_0000 | level << 16 | (level / 2 + UInt32(y)) << 8 | level / 3
            }
        }
        let options = EncodingOptions(colors: 16, dither: .diffusion)
        let frames = readGIF(try await writeGIF(pictures, options)).frames
        let first = try #require(frames.first)
        for frame in frames {
            for y in 0..<32 {
                for x in 16..<64 { #expect(frame.bitmap[x, y] == first.bitmap[x, y]) }
            }
        }
    }

    @Test func `scenes that differ have palettes of their own`() async throws {
        let pictures = try (0..<6).map { frame in
            try picture(64, 64) { x, y in
                let level = UInt32(x * 2 + y * 2)
                let other = UInt32((x * 7 + y * 5 + frame) % 64)
                return frame < 3
                    ? 0xFF00_0000 | level << 16 | other << 8
                    : 0xFF00_0000 | level | (other + 190) << 8
            }
        }
        func quality(_ scope: PaletteScope) async throws -> Double {
            let frames = readGIF(
                try await writeGIF(pictures, EncodingOptions(colors: 32, palettes: scope))
            ).frames
            return zip(frames, pictures).map { $0.bitmap.psnr(to: $1) }.reduce(0, +)
        }
        #expect(try await quality(.scene) > quality(.clip) + 3)
    }

    @Test func `the smallest pictures are written`() async throws {
        for pixel in [0xFF12_3456 as UInt32, 0] {
            let one = try picture(1, 1) { _, _ in pixel }
            let frames = readGIF(try await writeGIF([one])).frames
            #expect(frames.map(\.bitmap.visibleBytes) == [one.visibleBytes])
        }
    }

    @Test func `alpha of at least half is opaque`() async throws {
        let one = try picture(4, 1) { x, _ in UInt32([0, 127, 128, 255][x]) << 24 | 0x406080 }
        let frame = try #require(readGIF(try await writeGIF([one])).frames.first)
        #expect((0..<4).map { frame.bitmap[$0, 0].w } == [0, 0, 255, 255])
        let over = try await writeGIF([one], EncodingOptions(background: .white))
        let blended = try #require(readGIF(over).frames.first)
        #expect(blended.bitmap[2, 0] == SIMD4(159, 175, 191, 255))
    }

    @Test func `other sizes and too large ones are refused`() async throws {
        let one = try picture(4, 4) { _, _ in 0xFF00_0000 }
        let other = try picture(4, 5) { _, _ in 0xFF00_0000 }
        let wide = try picture(65_536, 1) { _, _ in 0xFF00_0000 }
        for pictures in [[one, other], [wide], []] {
            let error = await #expect(throws: MediaError.self) { try await writeGIF(pictures) }
            #expect(error?.code == .notWritable)
        }
        for colors in [1, 257] {
            #expect(throws: MediaError.self) {
                try MediaFormat.gif.encoders[0].makeEncoder(EncodingOptions(colors: colors))
            }
        }
    }

    @Test func `an error of the output ends the encoding`() async throws {
        let pictures = try Self.moving(3)
        let sequence = FrameSequence(
            PictureMedia(pictures, durations: pictures.map { _ in .milliseconds(40) }))
        let error = await #expect(throws: MediaError.self) {
            try await GIFEncoder().encode(
                sequence.frames(), info: sequence.info, loop: .gif(0)
            ) { (_) throws(MediaError) in throw MediaError(.environment, "The disk is full.") }
        }
        #expect(error?.message == "The disk is full.")
    }

    @Test(arguments: [1, 2, 5])
    func `the number of threads does not change a byte`(threads: Int) async throws {
        let pictures = try Self.moving(9)
        let alone = try await writeGIF(pictures, threads: 1)
        #expect(try await writeGIF(pictures, threads: threads) == alone)
    }
}

import LazyCodecs
import LazyMedia
import Testing

/// PNG of 16 bits a sample, and what samples mean in a file.
@Suite struct DeepPNGTests {
    /// Noise; the higher byte of each sample differs from the lower one.
    private static func picture(
        _ width: Int, _ height: Int, isOpaque: Bool = false, isGray: Bool = false
    ) throws -> DeepBitmap {
        try DeepBitmap(
            size: PixelSize(width: width, height: height), isOpaque: isOpaque
        ) { rows in
            let pixels = rows.bindMemory(to: SIMD4<UInt16>.self)
            for y in 0..<height {
                for x in 0..<width {
                    let (a, b) = (PNGForge.noise(x, y), PNGForge.noise(y + 9, x + 1000))
                    var pixel =
                        SIMD4<UInt16>(truncatingIfNeeded: a) &* 256
                        &+ SIMD4<UInt16>(truncatingIfNeeded: b)
                    if isOpaque { pixel.w = 65535 }
                    if isGray { (pixel.y, pixel.z) = (pixel.x, pixel.x) }
                    pixels[y * width + x] = pixel
                }
            }
        }
    }

    private static func file(
        _ bitmap: DeepBitmap, _ color: ColorDescription = ColorDescription(),
        level: PNGEncoder.Level = .fast
    ) throws -> [UInt8] {
        try PNGEncoder(level: level).encode(deep: bitmap, color: color) { Array($0) }
    }

    private static func frame(_ file: [UInt8]) throws -> Frame {
        let media = try PNGDecoder().open(MemoryBytes(file), type: .png, limits: .web)
        var options = ReaderOptions()
        (options.color, options.samples) = (.source, .sixteen)
        return try #require(try media.makeReader(options).nextFrame())
    }

    private static let gray = ColorDescription(profile: profile("GRAY"))

    /// The head of a profile with nothing in it.
    private static func profile(_ space: String) -> ICCProfile? {
        var bytes = [UInt8](repeating: 0, count: 132)
        bytes.replaceSubrange(0..<4, with: PNGForge.be(132))
        bytes.replaceSubrange(16..<20, with: Array(space.utf8) + (space.count == 3 ? [32] : []))
        bytes.replaceSubrange(36..<40, with: Array("acsp".utf8))
        return ICCProfile(bytes)
    }

    private static func chunks(_ file: [UInt8]) -> [(name: String, data: [UInt8])] {
        var chunks: [(String, [UInt8])] = []
        var offset = 8
        while offset + 12 <= file.count {
            let count = file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            chunks.append(
                (
                    String(decoding: file[offset + 4..<offset + 8], as: UTF8.self),
                    Array(file[offset + 8..<offset + 8 + count])
                ))
            offset += 12 + count
        }
        return chunks
    }

    @Test(arguments: [(1, 1), (1, 300), (301, 1), (251, 97), (700, 200)], [true, false])
    func `libpng reads back the same samples`(_ sides: (Int, Int), _ isOpaque: Bool) throws {
        let bitmap = try Self.picture(sides.0, sides.1, isOpaque: isOpaque)
        for level in [PNGEncoder.Level.fast, .small] {
            let file = try Self.file(bitmap, level: level)
            #expect(file[24] == 16 && file[25] == (isOpaque ? 2 : 6))
            let isSame = try Self.frame(file).deep == bitmap
            #expect(isSame, "\(level)")
        }
    }

    @Test func `A picture that is opaque throughout has no alpha in its file`() throws {
        let file = try Self.file(try Self.picture(20, 10, isOpaque: true).notOpaque)
        #expect(file[25] == 2)
    }

    @Test(arguments: [true, false])
    func `A profile for gray makes a file of gray`(_ isOpaque: Bool) throws {
        let bitmap = try Self.picture(150, 70, isOpaque: isOpaque, isGray: true)
        let file = try Self.file(bitmap, Self.gray)
        #expect(file[24] == 16 && file[25] == (isOpaque ? 0 : 4))
        let frame = try Self.frame(file)
        let isSame = frame.deep == bitmap
        #expect(isSame)
        #expect(frame.color.profile == Self.gray.profile)
        let small = try bitmap.bitmap()
        let shallow = try PNGEncoder().encode(small, color: Self.gray) { Array($0) }
        #expect(shallow[24] == 8 && shallow[25] == (isOpaque ? 0 : 4))
        let back = try Self.frame(shallow)
        let isSameIn8 = back.bitmap == small
        #expect(isSameIn8)
        #expect(back.deep == nil && back.color.profile == Self.gray.profile)
        // Colored pixels cannot have such a profile.
        let colored = try Self.file(try Self.picture(9, 9), Self.gray)
        #expect(colored[25] == 6 && !Self.chunks(colored).contains { $0.name == "iCCP" })
    }

    @Test func `The options decide whether samples of 16 bits stay`() throws {
        let file = try Self.file(try Self.picture(9, 5))
        let media = try PNGDecoder().open(MemoryBytes(file), type: .png, limits: .web)
        for (color, samples, isKept) in [
            (ColorOutput.source, SampleDepth.sixteen, true), (.source, .eight, false),
            (.sRGB(), .sixteen, false), (.sRGB(), .eight, false),
        ] {
            var options = ReaderOptions()
            (options.color, options.samples) = (color, samples)
            let frame = try #require(try media.makeReader(options).nextFrame())
            #expect((frame.deep != nil) == isKept)
        }
        let whole = try Self.frame(file)
        var options = ReaderOptions(size: PixelSize(width: 3, height: 2))
        (options.color, options.samples) = (.source, .sixteen)
        let small = try media.makeReader(options).nextFrame()
        #expect(try small?.deep == whole.deep?.scaled(to: PixelSize(width: 3, height: 2)))
    }

    /// Meanings, and the chunks that say them.
    @Test(arguments: [
        (ColorDescription.sRGB, ["sRGB"]), (ColorDescription(), []),
        (ColorDescription(primaries: .bt2020, transfer: .pq), ["cICP"]),
        (ColorDescription(primaries: .displayP3, transfer: .sRGB), ["cICP"]),
        (ColorDescription(primaries: .bt2020), []),
        (
            ColorDescription(
                primaries: .bt2020, transfer: .pq,
                masteringDisplay: MasteringDisplay(
                    chromaticities: Chromaticities(
                        red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06],
                        white: [0.3127, 0.329]), maximumLuminance: 4000, minimumLuminance: 0.005),
                contentLight: ContentLight(maximum: 1205, maximumAverage: 400)),
            ["cICP", "mDCV", "cLLI"]
        ),
        (
            ColorDescription(
                primaries: .bt2020, transfer: .hlg,
                masteringDisplay: MasteringDisplay(maximumLuminance: 1000)), ["cICP"]
        ),
        (ColorDescription(gamma: 1.8), ["gAMA"]),
        (ColorDescription(gamma: 2.25), ["gAMA", "cHRM"]),
        (
            ColorDescription(
                gamma: 1,
                chromaticities: Chromaticities(
                    red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06],
                    white: [0.3127, 0.329])), ["gAMA", "cHRM"]
        ),
        (ColorDescription(profile: profile("RGB")), ["iCCP"]),
        (ColorDescription(primaries: .bt2020, transfer: .pq, profile: profile("CMYK")), ["cICP"]),
    ])
    func `A file says what its samples mean, and is read so`(
        _ color: ColorDescription, _ names: [String]
    ) throws {
        let bitmap = try Self.picture(6, 5)
        for isDeep in [true, false] {
            let file =
                isDeep
                ? try Self.file(bitmap, color)
                : try PNGEncoder().encode(bitmap.bitmap(), color: color) { Array($0) }
            let chunks = Self.chunks(file).map(\.name)
            #expect(
                chunks.filter { !["IHDR", "PLTE", "tRNS", "IDAT", "IEND"].contains($0) } == names)
            let back = try Self.frame(file).color
            if names.contains("cICP") {
                #expect(back.primaries == color.primaries && back.transfer == color.transfer)
            }
            #expect(back.contentLight == color.contentLight)
            if names.contains("mDCV") { #expect(back.masteringDisplay == color.masteringDisplay) }
            if names.contains("iCCP") { #expect(back.profile == color.profile) }
            if let gamma = color.gamma { #expect(abs((back.gamma ?? 0) - gamma) < 1e-4) }
            if names.contains("cHRM") {
                #expect(back.chromaticities == color.chromaticities ?? Chromaticities(.bt709))
            }
        }
    }

    @Test func `The numbers of the light are those of the specification`() throws {
        let display = MasteringDisplay(
            chromaticities: Chromaticities(
                red: [0.708, 0.292], green: [0.17, 0.797], blue: [0.131, 0.046],
                white: [0.3127, 0.329]), maximumLuminance: 1000, minimumLuminance: 0.0001)
        let color = ColorDescription(
            primaries: .bt2020, transfer: .pq, masteringDisplay: display,
            contentLight: ContentLight(maximum: 1000, maximumAverage: 180))
        let chunks = Dictionary(
            uniqueKeysWithValues: Self.chunks(try Self.file(try Self.picture(1, 1), color)).map {
                ($0.name, $0.data)
            })
        #expect(chunks["cICP"] == [9, 16, 0, 1])
        // Red, green, blue and white in steps of 0.00002, light in steps of 0.0001 cd/m².
        let places = [35400, 14600, 8500, 39850, 6550, 2300, 15635, 16450]
        #expect(
            chunks["mDCV"] == places.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
                + PNGForge.be(10_000_000) + PNGForge.be(1))
        #expect(chunks["cLLI"] == PNGForge.be(10_000_000) + PNGForge.be(1_800_000))
    }
}

import LazyEditing
import LazyKit
import LazyMedia
import LazyRenditions
import Support
import Testing

/// Pictures with the colors and all the bits of their source.
@Suite struct KeptColorsTests {
    /// A ramp of 16 bits a sample in Display P3, all of whose pixels differ.
    private static func ramp() throws -> FrameSequence {
        let size = PixelSize(width: 96, height: 64)
        let deep = try DeepBitmap(size: size, isOpaque: true) { rows in
            let pixels = rows.bindMemory(to: SIMD4<UInt16>.self)
            for place in pixels.indices {
                let value = UInt16(place * 10)
                pixels[place] = SIMD4(value, 65535 - value, value / 2, 65535)
            }
        }
        let color = ColorDescription(primaries: .displayP3, transfer: .sRGB)
        let file = try PNGFile.bytes(deep, color)
        return try FrameSequence(opening: MemoryBytes(file), registry: .standard)
            .rendered(color: .source, samples: .sixteen)
    }

    private enum PNGFile {
        static func bytes(_ deep: DeepBitmap, _ color: ColorDescription) throws -> [UInt8] {
            let encoder = try EncoderRegistry.standard.stillEncoder(for: .png)
            let picture = StillPicture(try deep.bitmap(), deep: deep, color: color)
            return try encoder.encode(picture) { bytes in Array(bytes) }
        }
    }

    private static func keeping(_ rendition: Rendition) -> Rendition {
        var rendition = rendition
        rendition.reading.color = .source
        return rendition
    }

    private static func deep(_ bytes: [UInt8]) async throws -> Frame {
        try await FrameSequence(opening: MemoryBytes(bytes), registry: .standard)
            .rendered(color: .source, samples: .sixteen).frame(0)
    }

    @Test(arguments: [true, false])
    func `a PNG is exact, as a poster and as a conversion`(isPoster: Bool) async throws {
        let source = try Self.ramp()
        let rendition =
            isPoster ? Rendition.poster(.first, as: .png) : Rendition.conversion(to: .png)
        let (bytes, report) = try await Self.keeping(rendition).data(of: source)
        let frame = try await Self.deep(bytes)
        #expect(try await frame.deep == source.frame(0).deep)
        #expect(frame.color.primaries == .displayP3)
        #expect(report.warnings.isEmpty)
    }

    @Test(arguments: [PosterChoice.first, .at(.seconds(1))], [nil, TargetSize(width: 48)])
    func `a poster is decoded once`(_ choice: PosterChoice, _ size: TargetSize?) async throws {
        let media = PaintedMedia(seconds: 2, keyframes: 1) { number, x, y in
            Paint.block(x, y, at: number, 9)
        }
        var rendition = Self.keeping(.poster(choice, as: .png))
        rendition.edit.size = size
        _ = try await rendition.data(of: FrameSequence(media, limits: DecodingLimits()))
        #expect(media.decoded.all.count == 1)
    }

    @Test func `an AVIF has 12 bits`() async throws {
        let source = try Self.ramp()
        var rendition = Self.keeping(Rendition.conversion(to: .avif))
        rendition.output.encoding.lossless = true
        let (bytes, _) = try await rendition.data(of: source)
        let frame = try await Self.deep(bytes)
        let (deep, wanted) = (
            try #require(frame.deep), try #require(try await source.frame(0).deep)
        )
        #expect(frame.color.primaries == .displayP3 && frame.color.transfer == .sRGB)
        let info = try FrameSequence(opening: MemoryBytes(bytes), registry: .standard).info
        #expect(info.bitDepth == 12)
        for (x, y) in [(0, 0), (95, 63), (17, 30), (80, 5)] {
            for channel in 0..<3 {
                let distance = abs(
                    Int(deep[x, y][channel]) - Int(wanted[x, y][channel]))
                #expect(distance <= 16, "\(x), \(y)")
            }
        }
    }

    /// Lossless sequences are RGB of 12 bits, others are what films have.
    @Test(arguments: ["hdr10.mp4", "hdr10.webm"], [true, false])
    func `an AVIF sequence of an HDR film is HDR`(name: String, isLossless: Bool) async throws {
        let film = try FrameSequence(opening: Media.bytes(name), registry: .standard)
        let source = film.rendered(color: .source, samples: .sixteen)
        var rendition = Self.keeping(Rendition.conversion(to: .avifSequence))
        rendition.output.encoding.lossless = isLossless ? true : nil
        rendition.output.encoding.quality = isLossless ? nil : 90
        let (bytes, report) = try await rendition.data(of: source)
        #expect(report.frameCount == 12)
        let made = try FrameSequence(opening: MemoryBytes(bytes), registry: .standard)
        #expect(made.info.bitDepth == (isLossless ? 12 : 10))
        #expect(made.info.color.transfer == .pq && made.info.color.primaries == .bt2020)
        let kept = made.rendered(color: .source, samples: .sixteen)
        for number in [0, 5, 11] {
            let (ours, theirs) = (try await kept.frame(number), try await source.frame(number))
            #expect(ours.timing.duration == theirs.timing.duration)
            let (deep, wanted) = (try #require(ours.deep), try #require(theirs.deep))
            var sum = 0
            for (x, y) in [(3, 2), (80, 50), (159, 95), (40, 70), (120, 20)] {
                for channel in 0..<3 {
                    let distance = abs(Int(deep[x, y][channel]) - Int(wanted[x, y][channel]))
                    #expect(distance < (isLossless ? 32 : 8192), "\(number): \(x), \(y)")
                    sum += distance
                }
            }
            // 2 % of the range on average.
            #expect(sum / 15 < (isLossless ? 20 : 1300), "\(number)")
        }
    }

    @Test func `crop, turn, size and border keep all bits`() async throws {
        let source = try Self.ramp()
        let wanted = try #require(try await source.frame(0).deep)
        var edit = ClipEdit()
        edit.shape.crop = CropRegion.rect(PixelRect(x: 8, y: 4, width: 80, height: 50))
        edit.shape.rotation = 90
        edit.padding = Padding(.border(3), color: .black)
        for rendition in [Rendition.poster(.first, as: .png), .conversion(to: .png)] {
            var rendition = Self.keeping(rendition)
            rendition.edit = edit
            let (bytes, _) = try await rendition.data(of: source)
            let deep = try #require(try await Self.deep(bytes).deep)
            #expect(deep.size == PixelSize(width: 56, height: 86))
            // The lower left pixel of the part is its upper left one after the turn.
            #expect(deep[3, 3] == wanted[8, 53])
            #expect(deep[0, 0] == SIMD4(0, 0, 0, 65535))
            rendition.edit.size = TargetSize(width: 20)
            let (small, _) = try await rendition.data(of: source)
            #expect(try await Self.deep(small).deep != nil)
        }
    }

    @Test func `what is in sRGB only is refused`() async throws {
        let source = try Self.ramp()
        var text = Rendition.poster(.first, as: .png)
        text.edit.overlays = [.text(TextOverlay("a"))]
        var border = Rendition.poster(.first, as: .png)
        border.edit.padding = Padding(.border(1), color: .white)
        var askew = Rendition.conversion(to: .png)
        askew.edit.shape.rotation = 10
        for rendition in [
            text, border, askew, .poster(.first, as: .gif), .conversion(to: .gif),
            .conversion(to: .mp4), .animation(width: 10),
        ] {
            await #expect(throws: MediaError.self) {
                try await Self.keeping(rendition).data(of: source)
            }
        }
    }

    @Test func `a conversion that loses bits says so`() async throws {
        let file = try Media.bytes("still-rgb16.png")
        let source = try FrameSequence(opening: file, registry: .standard)
        for type in [MediaType.avif, .png, .jpeg] {
            let (_, report) = try await Rendition.conversion(to: type).data(of: source)
            #expect(report.warnings.map(\.code) == [.depthReduced])
        }
        let (_, poster) = try await Rendition.poster(.first, as: .webp).data(of: source)
        #expect(poster.warnings.map(\.code) == [.depthReduced])
        let (_, palette) = try await Rendition.conversion(to: .gif).data(of: source)
        #expect(!palette.warnings.map(\.code).contains(.depthReduced))
    }
}

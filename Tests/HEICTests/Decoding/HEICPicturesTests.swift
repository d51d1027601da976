import LazyMedia
import Support
import Testing

@testable import LazyCodecs

/// Pictures of every kind against heif-convert.
@Suite(.ownThreads, .needs("ffmpeg", "heif-convert")) struct HEICPicturesTests {
    /// A name for the report, and a file.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable () -> HEICForge

        init(_ name: String, _ make: @escaping @Sendable () -> HEICForge) {
            testDescription = name
            self.make = make
        }
    }

    private static func pixels(_ format: String, _ tags: String = "range=unknown") -> Case {
        Case("\(format) \(tags)") {
            Fixtures.single(
                Fixtures.tile(1, width: 130, height: 78, format: format, tags: tags))
        }
    }

    static let formats = [
        pixels("yuv420p"), pixels("yuv422p"), pixels("yuv444p"),
        pixels("yuv420p10le"), pixels("yuv422p10le"), pixels("yuv444p12le"),
        pixels("gbrp"), pixels("yuv420p", "range=pc"), pixels("gray", "range=pc"),
        pixels("gray12le", "range=pc"),
        pixels("yuv444p", "colorspace=bt709"), pixels("yuv420p10le", "colorspace=bt2020nc"),
    ]

    static let grids = [
        Case("grid cut at its edges") { Fixtures.grid() },
        Case("grid of whole tiles, 32-bit size") {
            Fixtures.grid(width: 192, height: 128, isLarge: true)
        },
        Case("grid of 10 bits") { Fixtures.grid(Fixtures.deepTiles) },
        Case("locations of version 0") {
            var forge = Fixtures.grid(isInTables: false)
            forge.locationVersion = 0
            return forge
        },
        Case("locations of version 2") {
            var forge = Fixtures.grid()
            forge.locationVersion = 2
            return forge
        },
        Case("picture in the tables") {
            var forge = HEICForge()
            forge.add(1, "hvc1", Fixtures.small.data, Fixtures.small.properties, isInTables: true)
            return forge
        },
        Case("nclx over bitstream") {
            Fixtures.single(
                Fixtures.tile(1), extra: [HEICForge.colors(1, 13, 1, isFullRange: true)])
        },
        Case("overlay") {
            var forge = HEICForge()
            forge.primary = 9
            for index in 0..<3 {
                let tile = Fixtures.tiles[index]
                forge.add(index + 1, "hvc1", tile.data, tile.properties)
            }
            let recipe = HEICForge.overlay(
                background: [0x8000, 0x2000, 0xFFFF, 0xFFFF], width: 150, height: 100,
                offsets: [(5, 5), (30, 40), (120, 60)])
            forge.add(9, "iovl", recipe, [HEICForge.size(150, 100)], isInTables: true)
            forge.refer("dimg", from: 9, to: [1, 2, 3])
            return forge
        },
        Case("identity of a mirrored picture, rotated") {
            var forge = HEICForge()
            forge.primary = 2
            let tile = Fixtures.tiles[0]
            forge.add(1, "hvc1", tile.data, tile.properties + [HEICForge.mirror(1)])
            forge.add(
                2, "iden", [], [HEICForge.size(64, 64), HEICForge.rotation(1)], pieces: 0)
            forge.refer("dimg", from: 2, to: [1])
            return forge
        },
        Case("alpha") {
            var forge = Fixtures.grid(width: 192, height: 128, extra: [HEICForge.rotation(1)])
            let ramp = Fixtures.ramp
            forge.add(
                200, "hvc1", ramp.data,
                ramp.properties + [HEICForge.alpha, HEICForge.rotation(1)])
            forge.refer("auxl", from: 200, to: [100])
            return forge
        },
    ]

    /// Rotations, mirrors and crops in several orders.
    static let transformations: [[Turn]] = {
        let crop = Turn.crop([100, 1, 61, 1, -13, 2, 7, 1])
        let rotations = (0..<4).map { Turn.rotation($0) }
        let mirrors = (0..<2).map { Turn.mirror($0) }
        let crops = [
            [101, 2, 61, 1, 1, 2, 0, 1], [99, 1, 60, 1, 0, 1, 0, 1], [100, 1, 60, 1, 1, 3, 2, 3],
            [300, 1, 300, 1, 0, 1, 0, 1], [50, 1, 50, 1, -100, 1, 50, 1],
        ]
        return rotations.map { [$0] } + rotations.flatMap { r in mirrors.map { [r, $0] } }
            + rotations.flatMap { r in mirrors.map { [$0, r] } }
            + rotations.map { [crop, $0, mirrors[1]] } + rotations.map { [$0, mirrors[0], crop] }
            + crops.map { [Turn.crop($0)] }
    }()

    @Test(arguments: formats + grids)
    func `pictures are those of libheif`(file: Case) throws {
        let bytes = file.make().bytes
        let reference = try #require(try Fixtures.reference(bytes))
        #expect(try Fixtures.picture(bytes).psnr(to: reference) > 50)
    }

    /// libheif widens luma of the range of films only beside chroma.
    ///
    /// A file that tells no range has that one (ISO 23008-2, E.3.1). FFmpeg 7 writes the full range then.
    @Test(arguments: [("gray", 8), ("gray12le", 12)])
    func `gray of the range of films is widened`(format: String, depth: Int) throws {
        let limited = try Fixtures.picture(Self.pixels(format, "range=tv").make().bytes)
        let tagged = Self.pixels(format, "range=pc").make().bytes
        let full = try Fixtures.picture(tagged)
        let (most, unit) = (Double((1 << depth) - 1), Double(1 << (depth - 8)))
        var worst = 0.0
        for y in 0..<limited.size.height {
            for x in 0..<limited.size.width {
                let code = Double(full[x, y].x) * most / 255
                let wide = min(255, max(0, (code - 16 * unit) * 255 / (219 * unit)))
                worst = max(worst, abs(wide - Double(limited[x, y].x)))
            }
        }
        #expect(worst < 1.2)
        let untagged = Self.pixels(format).make().bytes
        if untagged != tagged {
            #expect(try Fixtures.picture(untagged) == limited)
        }
    }

    /// libheif tells the size; where a crop begins in the middle of a sample of color, its pixels differ by
    /// version.
    @Test(arguments: transformations)
    func `rotations, mirrors and crops are applied in their order`(turns: [Turn]) throws {
        let bytes = Fixtures.grid(extra: turns.map(\.box)).bytes
        let picture = try Fixtures.picture(bytes)
        let reference = try #require(try Fixtures.reference(bytes))
        #expect(picture.size == reference.size)
        #expect(try Fixtures.open(bytes).info.size == reference.size)
        let plain = try #require(try Fixtures.reference(Fixtures.grid().bytes))
        #expect(picture.psnr(to: try turns.reduce(plain) { try $1.applied(to: $0) }) > 50)
    }

    @Test func `a photo of iOS 18, which libheif 1.15 refuses, is its base picture`() throws {
        let bytes = Fixtures.phone.bytes
        let base = try #require(
            try Fixtures.reference(Fixtures.grid(extra: [HEICForge.rotation(3)]).bytes))
        let picture = try Fixtures.picture(bytes)
        #expect(picture.size == PixelSize(width: 120, height: 180))
        #expect(picture.psnr(to: base) > 50)
        #expect(picture.isOpaque)
    }

    @Test func `pictures of AV1 and JPEG are read, too`() throws {
        var av1 = try Media.array("still.avif")
        let reference = try #require(try Fixtures.reference(av1))
        // The brands alone make it an AVIF.
        let brand = Array("avif".utf8)
        for place in 8..<40 where Array(av1[place..<place + 4]) == brand {
            av1.replaceSubrange(place..<place + 4, with: Array("mif1".utf8))
        }
        #expect(try Fixtures.picture(av1).psnr(to: reference) > 50)
        #expect(try Fixtures.open(av1).info.codec == "av1")

        var forge = HEICForge()
        forge.brands = ["mif1", "jpeg"]
        forge.add(1, "jpeg", try Media.array("still.jpg"), [HEICForge.size(160, 96)])
        #expect(try Fixtures.open(forge.bytes).info.codec == "jpeg")
        let picture = try Fixtures.picture(forge.bytes)
        #expect(picture.barcode == 7)
        #expect(picture.psnr(to: reference) > 25)
    }

    @Test func `a tone-mapped primary item shows its base`() throws {
        var forge = Fixtures.phone
        let base = try Fixtures.picture(forge.bytes)
        forge.primary = 201
        // The base is turned, and what takes it is not turned again.
        #expect(try Fixtures.picture(forge.bytes) == base)
    }

    @Test func `the thumbnail is the embedded picture`() throws {
        let media = try Fixtures.open(Fixtures.phone.bytes)
        var options = ReaderOptions()
        options.color = .source
        let poster = try #require(try media.embeddedPoster(options))
        let alone = Fixtures.single(Fixtures.small, extra: [HEICForge.rotation(3)]).bytes
        let reference = try #require(try Fixtures.reference(alone))
        #expect(poster.psnr(to: reference) > 50)
        options.size = PixelSize(width: 16, height: 24)
        #expect(try media.embeddedPoster(options)?.size == options.size)
        let plain = try Fixtures.open(Fixtures.grid().bytes)
        #expect(try plain.embeddedPoster(ReaderOptions()) == nil)
    }

    @Test func `a picture of 10 bits in PQ comes out as sRGB`() throws {
        // Gray of 203 cd/m² is 188 in sRGB where the content reaches 1000 cd/m².
        let gray = HEVCPicture.encoded(
            "color=s=64x64,format=yuv420p10le,geq=lum=594:cb=512:cr=512", width: 64, height: 64,
            format: "yuv420p10le", tags: "range=pc")
        let bytes = Fixtures.single(
            gray, extra: [HEICForge.colors(9, 16, 9, isFullRange: true)]
        ).bytes
        let reader = try Fixtures.open(bytes).makeReader(ReaderOptions())
        let pixel = try #require(try reader.nextFrame()?.bitmap[32, 32])
        #expect(pixel.x.distance(to: 188).magnitude <= 2)
        let media = try Fixtures.open(bytes)
        #expect(media.info.color.isHDR)
        #expect(media.info.hdrFormat == "PQ")
        #expect(media.info.bitDepth == 10)
        #expect(media.info.pixelFormat == "yuv420p10le")
        var options = ReaderOptions()
        options.color = .source
        let kept = try #require(try media.makeReader(options).nextFrame())
        #expect(kept.color.transfer == .pq)
        #expect(kept.bitmap[32, 32].x.distance(to: 148).magnitude <= 1)
    }

    @Test func `colors multiplied by alpha are divided by it`() throws {
        var forge = Fixtures.grid(width: 192, height: 128)
        let ramp = Fixtures.ramp
        forge.add(200, "hvc1", ramp.data, ramp.properties + [HEICForge.alpha])
        forge.refer("auxl", from: 200, to: [100])
        let stored = try Fixtures.picture(forge.bytes)
        forge.refer("prem", from: 100, to: [200])
        let straight = try Fixtures.picture(forge.bytes)
        for (x, y) in [(60, 60), (100, 80), (150, 100), (191, 127)] {
            let (before, after) = (stored[x, y], straight[x, y])
            #expect(before.w == after.w)
            let expected = Int(before.y) * 255 / max(1, Int(before.w))
            #expect(abs(Int(after.y) - min(255, expected)) <= 1)
        }
    }

    @Test func `parts of an overlay outside of it are cut`() throws {
        var forge = HEICForge()
        forge.primary = 9
        let tile = Fixtures.tiles[1]
        forge.add(1, "hvc1", tile.data, tile.properties)
        let recipe = HEICForge.overlay(
            background: [0xFFFF, 0, 0, 0], width: 50, height: 40, offsets: [(-30, -40)])
        forge.add(9, "iovl", recipe, [HEICForge.size(50, 40)], isInTables: true)
        forge.refer("dimg", from: 9, to: [1])
        let alone = try Fixtures.picture(Fixtures.single(tile).bytes)
        let media = try Fixtures.open(forge.bytes)
        #expect(media.info.hasAlpha)
        let picture = try Fixtures.picture(forge.bytes)
        #expect(picture[0, 0] == alone[30, 40])
        #expect(picture[33, 23] == alone[63, 63])
        #expect(picture[34, 0].w == 0)
        #expect(picture[0, 24].w == 0)
    }

    @Test func `a much smaller size is the average of the picture`() throws {
        let tile = Fixtures.tile(1, width: 512, height: 512)
        var forge = Fixtures.grid(
            Array(repeating: tile, count: 6), width: 1500, height: 1000,
            extra: [HEICForge.rotation(1)])
        let size = PixelSize(width: 40, height: 60)
        let small = try Fixtures.picture(forge.bytes, ReaderOptions(size: size, threads: 2))
        let whole = try Fixtures.picture(forge.bytes)
        #expect(small.psnr(to: try whole.scaled(to: size)) > 45)
        // A crop at odd places leaves no whole squares.
        forge.items[6].properties.append(HEICForge.aperture([999, 1, 1499, 1, 0, 1, 0, 1]))
        let cropped = try Fixtures.picture(forge.bytes, ReaderOptions(size: size))
        #expect(
            cropped.psnr(to: try Fixtures.picture(forge.bytes).scaled(to: size)) > 48)
    }

    @Test func `another size is the picture scaled, turned or not`() throws {
        let bytes = Fixtures.grid(extra: [HEICForge.rotation(1), HEICForge.mirror(0)]).bytes
        let whole = try Fixtures.picture(bytes)
        let size = PixelSize(width: 40, height: 60)
        let small = try Fixtures.picture(bytes, ReaderOptions(size: size))
        #expect(small.psnr(to: try whole.scaled(to: size)) > 48)
    }
}

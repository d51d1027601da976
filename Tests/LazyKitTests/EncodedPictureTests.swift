import LazyKit
import LazyMedia
import Support
import Testing

/// `Bitmap.encoded(as:)`: files of one picture, compared with what other programs decode.
@Suite(.ownThreads, .needs("ffmpeg", "avifdec")) struct EncodedPictureTests {
    /// A type, how it is written, and how near what another program reads must be.
    struct Row: CustomTestStringConvertible {
        let type: MediaType
        var options = EncodingOptions()
        /// What transparent pixels are shown over; nil where they stay.
        var paper: SIMD3<Float>?
        /// The most that a sample differs, on average and in 255ths.
        var error: Float = 0
        /// The type of the file, where it is not the one that is asked for.
        var written: MediaType?

        var testDescription: String { "\(type.name), \(options.quality ?? -1)" }
    }

    private static let green = PixelColor(red: 0, green: 99, blue: 0)

    private static let rows = [
        Row(type: .png), Row(type: .png, options: .init(effort: 0)),
        Row(type: .png, options: .init(effort: 10)), Row(type: .apng, written: .png),
        Row(type: .jpeg, paper: [255, 255, 255], error: 2.5),
        Row(
            type: .jpeg,
            options: .init(quality: 100, effort: 0, background: green),
            paper: [0, 99, 0], error: 1),
        Row(type: .webp, options: .init(lossless: true)),
        Row(type: .webpAnimation, options: .init(quality: 90), error: 4, written: .webp),
        Row(type: .avif, options: .init(lossless: true)),
        Row(type: .avifSequence, options: .init(quality: 90), error: 4, written: .avif),
        Row(type: .pnm, paper: [0, 0, 0], error: 0.5),
        Row(
            type: .pnm, options: .init(background: PixelColor(red: 10, green: 20, blue: 200)),
            paper: [10, 20, 200], error: 0.5),
    ]

    @Test(arguments: rows, [false, true])
    func `another program reads the picture`(_ row: Row, isOpaque: Bool) async throws {
        let picture = try Self.picture(isOpaque: isOpaque)
        let bytes = try await picture.encoded(as: row.type, row.options, by: .pictures)
        let written = row.written ?? row.type
        #expect(try MediaType.sniffing(MemoryBytes(bytes)) == written)
        let theirs = try Self.decoded(bytes, as: written, "rgba")
        let ours = picture.withBytes { Array($0) }
        try #require(theirs.count == ours.count)
        var sum: Float = 0
        for pixel in stride(from: 0, to: ours.count, by: 4) {
            let alpha = Float(ours[pixel + 3]) / 255
            for channel in 0..<3 {
                let value = Float(ours[pixel + channel])
                let shown = row.paper.map { value * alpha + $0[channel] * (1 - alpha) } ?? value
                sum += abs(shown - Float(theirs[pixel + channel]))
            }
            sum += abs((row.paper == nil ? alpha * 255 : 255) - Float(theirs[pixel + 3]))
        }
        let error = sum / Float(ours.count)
        #expect(error <= row.error, "\(error)")
    }

    @Test(arguments: [MediaType.png, .jpeg, .webp, .avif, .pnm], [false, true])
    func `a picture of 16 bits keeps them in PNG and AVIF, and is rounded elsewhere`(
        type: MediaType, isOpaque: Bool
    ) async throws {
        let deep = try Self.deep(isOpaque: isOpaque)
        let rounded = try deep.bitmap()
        let file = try await StillPicture(rounded, deep: deep, color: .sRGB)
            .encoded(as: type, by: .pictures)
        if type == .avif {
            let read = try FrameSequence(opening: MemoryBytes(file), registry: .standard)
            #expect(read.info.bitDepth == 12)
            let theirs = try Self.decoded(file, as: type, "rgba64le")
            let distance = deep.withBytes { bytes in
                zip(
                    bytes.bindMemory(to: UInt16.self),
                    theirs.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
                )
                .reduce(0.0) { $0 + abs(Double($1.0) - Double($1.1)) }
            }
            // Lossy, with chroma of half the resolution.
            #expect(
                distance / Double(theirs.count / 2) < 2000, "\(distance / Double(theirs.count / 2))"
            )
            return
        }
        guard type == .png else {
            #expect(try await file == rounded.encoded(as: type, by: .pictures))
            return
        }
        let theirs = try Self.decoded(file, as: type, "rgba64le")
        let isSame = deep.withBytes { $0.elementsEqual(theirs) }
        #expect(isSame)
    }

    @Test func `raw pixels are lent as they are`() async throws {
        let picture = try Self.picture(isOpaque: false)
        let raw = try #require(EncoderRegistry.pictures.types.last)
        let encoder = try StillEncoder(for: raw, by: .pictures)
        let isLent = try await encoder.encode(StillPicture(picture)) { bytes in
            picture.withBytes { $0.baseAddress == bytes.baseAddress && $0.count == bytes.count }
        }
        #expect(isLent)
        #expect(!EncoderRegistry.standard.types.contains(raw))
        #expect(!EncoderRegistry.standard.types.contains(.pnm))
    }

    @Test func `one encoder writes each picture as one alone`() async throws {
        for type in EncoderRegistry.pictures.types where type.family == .still {
            let options = EncodingOptions(effort: type == .png ? 0 : nil)
            let encoder = try StillEncoder(for: type, options, by: .pictures)
            for isOpaque in [true, false, true] {
                let picture = try Self.picture(isOpaque: isOpaque)
                let bytes = try await encoder.encode(StillPicture(picture)) { Array($0) }
                #expect(try await bytes == picture.encoded(as: type, options, by: .pictures))
            }
        }
    }

    @Test func `a large PNG is quick unless an effort is given`() async throws {
        let quick = EncodingOptions(effort: 0)
        for (height, isQuick) in [(400, false), (401, true)] {
            let picture = try Self.noise(PixelSize(width: 1000, height: height))
            let usual = try await picture.encoded(as: .png)
            #expect(try await (usual == picture.encoded(as: .png, quick)) == isQuick)
            #expect(try usual == picture.pngData())
        }
    }

    @Test func `a picture of any size is written`() async throws {
        // More pixels than the limits of remote media; those of the input were checked before.
        let size = PixelSize(width: 7_168, height: 7_000)
        #expect(size.pixelCount > DecodingLimits.web.pixelsPerFrame ?? .max)
        let picture = try Bitmap(size: size, isOpaque: true) { _ in }
        let file = try await picture.encoded(as: .jpeg, EncodingOptions(effort: 0))
        #expect(file.starts(with: [0xFF, 0xD8]))
    }

    @Test func `what a format does not have is an error`() async throws {
        let picture = try Self.picture(isOpaque: true)
        for (type, options) in [
            (MediaType.tiff, EncodingOptions()), (.jpeg, EncodingOptions(lossless: true)),
        ] {
            let error = await #expect(throws: MediaError.self) {
                try await picture.encoded(as: type, options)
            }
            #expect(error?.code == .notWritable)
        }
    }

    private static let size = PixelSize(width: 160, height: 96)

    /// Shades, of which the left ones are less opaque.
    private static func picture(isOpaque: Bool) throws -> Bitmap {
        try deep(isOpaque: isOpaque).bitmap()
    }

    private static func deep(isOpaque: Bool) throws -> DeepBitmap {
        try DeepBitmap(size: size, isOpaque: isOpaque) { rows in
            let pixels = rows.bindMemory(to: SIMD4<UInt16>.self)
            for y in 0..<size.height {
                for x in 0..<size.width {
                    pixels[y * size.width + x] = SIMD4(
                        UInt16(x * 400), UInt16(y * 600 + x), UInt16(65535 - x * 300 - y * 100),
                        isOpaque ? 65535 : UInt16(20_000 + x * 280))
                }
            }
        }
    }

    private static func noise(_ size: PixelSize) throws -> Bitmap {
        var random = SplitMix(7)
        return try Bitmap(size: size, isOpaque: true) { rows in
            for index in rows.indices {
                let noise = UInt8(truncatingIfNeeded: random.next() & 7)
                rows[index] = index % 4 == 3 ? 255 : UInt8(index / 40 % 200) + noise
            }
        }
    }

    private static func decoded(
        _ file: [UInt8], as type: MediaType, _ pixels: String
    ) throws -> [UInt8] {
        let folder = Scratch()
        var path = folder.write(file, "a.\(try #require(type.fileExtensions.first))")
        if type == .avif {
            _ = Peer.output(of: "avifdec \(path) \(folder.path("b.png")) 2>&1")
            path = folder.path("b.png")
        }
        return Peer.output(of: "ffmpeg -v error -i \(path) -f rawvideo -pix_fmt \(pixels) -")
    }
}

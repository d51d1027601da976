import LazyCodecs
import LazyMedia
import Support
import Testing

@Suite(.ownThreads) struct JPEGDecoderTests {
    @Test(
        .needs("djpeg"),
        arguments: [
            "still.jpg", "still-progressive.jpg",
        ]) func `a file's pixels are djpeg's`(name: String) throws
    {
        let bytes = try Media.array(name)
        let (bitmap, warnings) = try JPEGs.read(bytes)
        #expect(JPEGs.rgb(bitmap) == JPEGs.peer(bytes).rgb)
        #expect(warnings.isEmpty)
        #expect(bitmap.isOpaque)
    }

    @Test(
        .needs("djpeg"),
        arguments: [
            (1, 1), (7, 5), (8, 8), (16, 16), (17, 33), (160, 96), (333, 1), (1, 333), (200, 201),
        ]) func `pixels of all shapes are djpeg's`(width: Int, height: Int) throws
    {
        for (isProgressive, isFull) in [(false, false), (true, false), (false, true), (true, true)]
        {
            let bytes = try JPEGs.jpeg(
                width, height, isProgressive: isProgressive, isFullColor: isFull)
            #expect(try JPEGs.rgb(JPEGs.read(bytes).bitmap) == JPEGs.peer(bytes).rgb)
        }
    }

    @Test(.needs("djpeg"), arguments: [1, 2, 4]) func `scaled decoding gives djpeg's pixels`(
        eighths: Int
    ) throws {
        for (width, height) in [(160, 96), (161, 97), (8, 8)] {
            let bytes = try JPEGs.jpeg(width, height)
            let size = PixelSize(
                width: (width * eighths + 7) / 8, height: (height * eighths + 7) / 8)
            let peer = JPEGs.peer(bytes, "-scale \(eighths)/8")
            #expect(peer.size == "\(size.width) \(size.height)")
            #expect(try JPEGs.rgb(JPEGs.read(bytes, size: size).bitmap) == peer.rgb)
        }
    }

    @Test func `a thumbnail is similar to the scaled picture`() throws {
        let bytes = try JPEGs.jpeg(800, 600)
        let whole = try JPEGs.read(bytes).bitmap
        for width in [64, 100, 128, 250, 399, 400, 700, 1000] {
            let size = PixelSize(width: width, height: width * 3 / 4)
            let small = try JPEGs.rgb(JPEGs.read(bytes, size: size).bitmap)
            let expected = JPEGs.rgb(try whole.scaled(to: size))
            #expect(small.count == expected.count)
            let sum = zip(small, expected).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            #expect(Double(sum) / Double(small.count) < 3)
        }
    }

    @Test(.needs("djpeg")) func `grayscale is decoded to RGBA`() throws {
        let scratch = Scratch()
        let path = scratch.write(try Media.array("still.jpg"), "a.jpg")
        let gray = Peer.output(of: "djpeg -grayscale -pnm \(path) | cjpeg -grayscale")
        let bitmap = try JPEGs.read(gray).bitmap
        #expect(JPEGs.rgb(bitmap) == JPEGs.peer(gray).rgb)
        #expect(bitmap[3, 3].x == bitmap[3, 3].y)
    }

    /// What paper shows of the inks, within what compression does.
    @Test(arguments: [Fixtures.inks, Fixtures.ycck])
    func `CMYK is converted to RGB`(bytes: [UInt8]) throws {
        let bitmap = try JPEGs.read(bytes).bitmap
        let expected: [((Int, Int), SIMD4<Int>)] = [
            ((4, 4), [0, 255, 255, 255]), ((12, 4), [255, 0, 255, 255]),
            ((4, 12), [255, 255, 0, 255]), ((12, 12), [127, 127, 127, 255]),
        ]
        for ((x, y), color) in expected {
            let pixel = SIMD4<Int>(truncatingIfNeeded: bitmap[x, y])
            for lane in 0..<4 { #expect(abs(pixel[lane] - color[lane]) < 8, "\(x) \(y) \(pixel)") }
        }
    }

    @Test func `inks count as inverted without Adobe's marker too, as in browsers`() throws {
        let bitmap = try JPEGs.read(Fixtures.plainInks).bitmap
        for (x, y) in [(4, 4), (12, 4), (4, 12), (12, 12)] {
            let pixel = bitmap[x, y]
            #expect(pixel.x < 8 && pixel.y < 8 && pixel.z < 8 && pixel.w == 255, "\(pixel)")
        }
    }

    @Test func `a lossless JPEG is unsupported`() throws {
        let error = #expect(throws: MediaError.self) { try JPEGs.open(Fixtures.lossless) }
        #expect(error?.code == .unsupported)
    }

    /// The next decoder misreads them without an error.
    @Test func `a lossless JPEG with a difference of 32,768 is not passed on`() throws {
        let error = #expect(throws: MediaError.self) { try JPEGs.open(Fixtures.wideDifference) }
        #expect(error?.code == .unsupported)
        #expect(error?.isDeclined == false)
        let passed = #expect(throws: MediaError.self) { try JPEGs.open(Fixtures.narrowDifferences) }
        #expect(passed?.isDeclined == true)
        // With 12 bits there is no such difference, whatever the tables list.
        var narrow = Fixtures.wideDifference
        let frame = try #require(
            narrow.indices.dropLast().first { narrow[$0...].starts(with: [0xFF, 0xC3]) })
        narrow[frame + 4] = 12
        let other = #expect(throws: MediaError.self) { try JPEGs.open(narrow) }
        #expect(other?.isDeclined == true)
    }

    @Test func `the header gives the size`() throws {
        let info = try JPEGs.open(Media.array("still-orientation-6.jpg")).info
        #expect(info.size == PixelSize(width: 160, height: 96))
        #expect(info.rotation == 90)
        #expect(!info.isMirrored)
        #expect(info.frameCount == 1)
        #expect(info.streams.first?.codedSize == PixelSize(width: 96, height: 160))
        #expect(!info.hasAlpha)
    }

    @Test func `files are read through a window`() throws {
        let scratch = Scratch()
        let bytes = try JPEGs.jpeg(700, 500)
        let file = try FileBytes(path: scratch.write(bytes, "a.jpg"))
        let reader = try JPEGDecoder().open(file, type: .jpeg, limits: .web)
            .makeReader(ReaderOptions())
        #expect(try reader.nextFrame()?.bitmap == JPEGs.read(bytes).bitmap)
        #expect(try reader.nextFrame() == nil)
        try reader.seek(toIndex: 0)
        #expect(try reader.nextFrame() != nil)
    }

    @Test func `a picture over the limit is refused before it is decoded`() throws {
        let bytes = try JPEGs.jpeg(160, 96)
        let error = #expect(throws: MediaError.self) {
            try JPEGs.open(bytes, limits: DecodingLimits(pixelsPerFrame: 160 * 95))
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test func `a cancelled reader stops`() throws {
        let flag = CancellationFlag()
        let picture = try JPEGs.open(JPEGs.jpeg(160, 96, isProgressive: true))
        let reader = try picture.makeReader(ReaderOptions(cancellation: flag))
        flag.cancel()
        let error = #expect(throws: MediaError.self) { try reader.nextFrame() }
        #expect(error?.code == .cancelled)
    }

    @Test func `time runs out`() throws {
        let limits = DecodingLimits(decodeTime: .zero)
        let picture = try JPEGs.open(JPEGs.jpeg(160, 96))
        let reader = try picture.makeReader(ReaderOptions(limits: limits))
        let error = #expect(throws: MediaError.self) { try reader.nextFrame() }
        #expect(error?.code == .limitExceeded)
    }

    @Test func `a large picture in scans has the pixels of the same in one`() throws {
        // Its coefficients, 6 bytes a pixel, are so many that they are packed.
        let size = PixelSize(width: 4001, height: 3001)
        let rows = try JPEGs.picture(4001, 16)
        let picture = try Bitmap(size: size, isOpaque: true) { output in
            rows.withBytes { input in
                for y in 0..<size.height {
                    // Each row is a part of the few, at another place.
                    let start = y * 2468 % (input.count - size.width * 4)
                    UnsafeMutableRawBufferPointer(
                        rebasing: output[(y * size.width * 4)...]
                    ).copyMemory(
                        from: .init(rebasing: input[(start & ~3)...].prefix(size.width * 4)))
                }
            }
        }
        let files = try [false, true].map { isProgressive in
            try JPEGEncoder(quality: 95, isProgressive: isProgressive, isFullColor: true)
                .encode(picture)
        }
        let pictures = try files.map { try JPEGs.read($0).bitmap }
        #expect(pictures[0] == pictures[1])
        // Cut off, it shows all rows less exactly.
        let half = try JPEGs.read(Array(files[1].prefix(files[1].count / 2)))
        #expect(half.warnings.map(\.code) == [.truncated] && half.bitmap.isOpaque)
    }
}

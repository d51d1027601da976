import LazyMedia
import Support
import Testing

@testable import LazyCodecs

@Suite(.ownThreads) struct AVIFDecoderTests {
    @Test func `any order of seeks gives the same frames`() async throws {
        let media = try Decoded.media(try await TestMovie(20).encoded())
        let all = try Decoded.frames(media)
        let reader = try media.makeReader(ReaderOptions(delayRule: .raw))
        var random = SplitMix(7)
        for _ in 0..<30 {
            let wanted = Int(random.next() % 20)
            try reader.seek(toIndex: wanted)
            let frame = try #require(try reader.nextFrame())
            #expect(frame.index == wanted)
            #expect(frame.bitmap == all[wanted].bitmap)
        }
        try reader.seek(toTime: .milliseconds(41))
        #expect(try reader.nextFrame()?.index == 1)
        try reader.seek(toIndex: 20)
        #expect(try reader.nextFrame() == nil)
    }

    @Test func `a file cut anywhere gives frames or an error`() async throws {
        let whole = try await TestMovie(3, 32, 24).encoded()
        var most = 0
        for end in 0..<whole.count {
            guard let media = try? Decoded.media(Array(whole[..<end])) else { continue }
            let count = (try? Decoded.frames(media).count) ?? 0
            #expect(count >= most, "cut at \(end)")
            most = max(most, count)
        }
        #expect(most >= 2)
    }

    @Test func `a file that is cut says so`() async throws {
        let whole = try await TestMovie(3, 32, 24).encoded()
        #expect(try !Decoded.media(whole).info.isTruncated)
        let info = try Decoded.media(Array(whole.dropLast(9))).info
        #expect(info.isTruncated && info.warnings.map(\.code) == [.truncated])
    }

    @Test func `a flipped bit gives frames of the stated size or an error`() async throws {
        let whole = try await TestMovie(2, 32, 24).encoded()
        var decoded = 0
        for place in whole.indices {
            var bytes = whole
            bytes[place] ^= 1 << UInt8(place % 8)
            guard let media = try? Decoded.media(bytes, limits: .untrusted),
                let frames = try? Decoded.frames(media, ReaderOptions(limits: .untrusted))
            else { continue }
            #expect(frames.allSatisfy { $0.bitmap.size == media.info.size }, "byte \(place)")
            decoded += 1
        }
        #expect(decoded > 0 && decoded < whole.count)
    }

    /// libavif looks through all runs of durations for each frame before a frame.
    @Test func `libavif sees one run of durations`() async throws {
        var movie = TestMovie(9)
        for index in movie.durations.indices {
            movie.durations[index] = MediaTime(
                ticks: Int64(3 + index % 3 * 5), base: Rational(1, 100))
        }
        let bytes = try await movie.encoded()
        let opened = try AVIFDecoder().open(
            MemoryBytes(bytes), type: .avifSequence, limits: .web)
        let media = try #require(opened as? OpenedAVIF)
        #expect(media.timings(.raw).map(\.duration.duration) == movie.durations.map(\.duration))
        func handle(_ replaced: [ReplacedWord]) throws -> AVIFDecoderHandle {
            try AVIFDecoderHandle(
                media.bytes, replacing: replaced, limits: .web, threads: 1,
                cancellation: CancellationFlag())
        }
        let (whole, short) = (try handle([]), try handle(media.replaced))
        #expect(Set((0..<9).map(whole.ticks)).count == 3)
        #expect(Set((0..<9).map(short.ticks)).count == 1)
        #expect(short.frameCount == 9)
        let frames = try Decoded.frames(media)
        for (index, frame) in frames.enumerated() {
            try whole.decode(index)
            let size = media.shape.coded
            let bitmap = try Bitmap(size: size, isOpaque: true) { rows throws(MediaError) in
                try whole.convert(into: rows, size: size, by: nil)
            }
            #expect(frame.bitmap.size == size && bitmap.size == size)
            #expect(frame.bitmap == bitmap)
        }
    }

    @Test func `durations of another number of frames are libavif's`() async throws {
        var movie = TestMovie(4)
        movie.durations[1] = MediaTime(ticks: 9, base: Rational(1, 100))
        var bytes = try await movie.encoded()
        let marker = Array("stts".utf8)
        let place = try #require(
            bytes.indices.first { bytes[$0...].starts(with: marker) })
        // The number of frames of the first of three runs.
        bytes[place + 15] = 9
        let opened = try AVIFDecoder().open(
            MemoryBytes(bytes), type: .avifSequence, limits: .web)
        let media = try #require(opened as? OpenedAVIF)
        #expect(media.replaced.isEmpty)
        #expect(media.info.frameCount == 4)
        #expect(Set(media.timings(.raw).map(\.duration)).count == 1)
    }

    @Test func `limits, cancellation and sizes are respected`() async throws {
        let bytes = try await TestMovie(3).encoded()
        for limits in [DecodingLimits(pixelsPerFrame: 1000), DecodingLimits(memory: 200)] {
            let error = #expect(throws: MediaError.self) {
                try Decoded.media(bytes, limits: limits)
            }
            #expect(error?.code == .limitExceeded)
        }
        let media = try Decoded.media(bytes)
        let flag = CancellationFlag()
        flag.cancel()
        let reader = try media.makeReader(ReaderOptions(cancellation: flag))
        #expect(throws: MediaError.self) { try reader.nextFrame() }
        let size = PixelSize(width: 12, height: 9)
        let small = try Decoded.frames(media, ReaderOptions(size: size))
        #expect(small.allSatisfy { $0.bitmap.size == size })
    }

    @Test func `a reference to no item does not hide the picture`() async throws {
        var movie = TestMovie(1)
        movie.isOpaque = false
        var bytes = try await TestMovie.encode(movie, AVIFEncoder(isStill: true), loop: .still)
        #expect(try Decoded.media(bytes, .avif).info.hasAlpha)
        let kind = Array("auxl".utf8)
        let place = try #require(
            bytes.indices.first { bytes[$0...].starts(with: kind) }.map { $0 + 4 })
        // From the item of alpha to one item, the picture.
        #expect(Array(bytes[place..<place + 6]) == [0, 2, 0, 1, 0, 1])
        bytes[place + 5] = 0
        let media = try Decoded.media(bytes, .avif)
        #expect(!media.info.hasAlpha)
        #expect(try Decoded.frames(media).count == 1)
    }

    /// What `irot` (against the clock) and then `imir` make of the corners: red, green, blue, white
    /// from the upper left one clockwise.
    static let turns: [(arguments: String, corners: String)] = [
        ("", "RGBW"), ("--irot 1", "GBWR"), ("--irot 2", "BWRG"), ("--irot 3", "WRGB"),
        ("--imir 0", "WBGR"), ("--imir 1", "GRWB"), ("--irot 1 --imir 1", "BGRW"),
        ("--irot 1 --imir 0", "RWBG"),
    ]

    @Test(.needs("avifenc"), arguments: turns)
    func `pictures are turned and mirrored as the file says`(
        turn: (arguments: String, corners: String)
    ) throws {
        let scratch = Scratch()
        let (width, height) = (64, 32)
        var y4m = Array("YUV4MPEG2 W64 H32 F1:1 Ip A1:1 C444\nFRAME\n".utf8)
        // Y, U and V of red, green, white and blue in BT.601's narrow range.
        let colors = [[82, 90, 240], [145, 54, 34], [235, 128, 128], [41, 240, 110]]
        for plane in 0..<3 {
            for y in 0..<height {
                for x in 0..<width {
                    let quarter = (x < width / 2 ? 0 : 1) + (y < height / 2 ? 0 : 2)
                    y4m.append(UInt8(colors[quarter][plane]))
                }
            }
        }
        let input = scratch.write(y4m, "a.y4m")
        let output = scratch.path + "/a.avif"
        _ = Peer.output(
            of:
                "avifenc --cicp 1/13/6 --min 0 --max 4 -s 10 \(turn.arguments) \(input) \(output) 2>&1"
        )
        let bytes = try FileBytes(path: output).contiguous().withBytes { Array($0) }
        let bitmap = try #require(try Decoded.frames(Decoded.media(bytes, .avif)).first?.bitmap)
        let (right, bottom) = (bitmap.size.width - 1, bitmap.size.height - 1)
        let corners = [(0, 0), (right, 0), (right, bottom), (0, bottom)].map { x, y in
            let pixel = bitmap[x, y]
            return switch (pixel.x > 128, pixel.y > 128, pixel.z > 128) {
            case (true, false, false): "R"
            case (false, true, false): "G"
            case (false, false, true): "B"
            case (true, true, true): "W"
            default: "?"
            }
        }
        #expect(corners.joined() == turn.corners)
    }
}

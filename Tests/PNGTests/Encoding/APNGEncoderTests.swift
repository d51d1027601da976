import LazyMedia
import LazyVideo
import Support
import Testing

@testable import LazyCodecs

/// The chunks of a PNG: name and data; their checksums are verified.
private func chunks(_ png: [UInt8]) -> [(name: String, data: [UInt8])] {
    var chunks: [(String, [UInt8])] = []
    var position = 8
    while position + 12 <= png.count {
        let length = be(png[position..<position + 4])
        let body = Array(png[(position + 4)..<(position + 8 + length)])
        #expect(
            be(png[(position + 8 + length)..<(position + 12 + length)]) == Int(PNGForge.crc(body)))
        chunks.append((String(decoding: body[..<4], as: UTF8.self), Array(body[4...])))
        position += 12 + length
    }
    #expect(position == png.count)
    return chunks
}

private func be(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

/// A square that walks over a picture, opaque or not.
private struct Walk: OpenedMedia {
    var info: MediaInfo
    var size: PixelSize { info.size }
    var durations: [MediaTime]
    var isOpaque = true
    var isStill = false

    init(_ count: Int, _ width: Int = 40, _ height: Int = 30, loop: LoopCount = .gif(0)) {
        durations = Array(repeating: MediaTime(ticks: 4, base: Rational(1, 100)), count: count)
        info = MediaInfo(
            type: .gif, codec: "walk", size: PixelSize(width: width, height: height),
            frameCount: count, loop: loop)
    }

    func picture(_ index: Int) throws(MediaError) -> Bitmap {
        try Bitmap(size: size, isOpaque: isOpaque) { bytes in
            let pixels = bytes.bindMemory(to: SIMD4<UInt8>.self)
            let step = isStill ? 0 : index
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let isInside = (x - step) / 5 == 1 && (y - step) / 5 == 1
                    let alpha: UInt8 = isOpaque ? 255 : UInt8(x * 6)
                    pixels[y * size.width + x] =
                        isInside ? [250, 10, 20, 255] : [UInt8(x * 6), UInt8(y * 8), 99, alpha]
                }
            }
        }
    }

    func frameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        var start = Duration.zero
        return FrameIndex(
            durations.indices.map { index in
                defer { start += durations[index].duration }
                let micro = start / .microseconds(1)
                return FrameTiming(
                    index: index, presentation: MediaTime(microseconds: Int64(micro)),
                    duration: durations[index], isKeyframe: true)
            })
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        Reader(self, try frameIndex(options.cancellation).timings)
    }

    final class Reader: PlainReader {
        private let walk: Walk
        private let timings: [FrameTiming]
        private var position = 0
        let warnings: [MediaWarning] = []

        init(_ walk: Walk, _ timings: [FrameTiming]) { (self.walk, self.timings) = (walk, timings) }

        func frame() throws(MediaError) -> Frame? {
            guard position < timings.count else { return nil }
            defer { position += 1 }
            return Frame(bitmap: try walk.picture(position), timing: timings[position])
        }

        func seek(toIndex index: Int) throws(MediaError) { position = index }
        func seek(toTime time: Duration) throws(MediaError) { position = 0 }
    }
}

@Suite struct APNGEncoderTests {
    private func encode(_ media: any OpenedMedia) async throws -> [UInt8] {
        let bytes = Locked<[UInt8]>([])
        let frames = FrameSequence(media).frames()
        try await APNGEncoder().encode(frames, info: media.info, loop: media.info.loop) { piece in
            bytes.withLock { $0 += piece }
        }
        return bytes.withLock { $0 }
    }

    private func decoded(
        _ bytes: [UInt8], by decoder: any MediaDecoding = VideoDecoder()
    ) throws -> FrameSequence {
        var decoders = DecoderRegistry(formats: [.png])
        decoders.register(decoder)
        return FrameSequence(try decoders.open(MemoryBytes(bytes)), delayRule: .raw)
    }

    @Test(arguments: [true, false]) func `FFmpeg reads the same pixels and times`(
        isOpaque: Bool
    ) async throws {
        var walk = Walk(12)
        walk.isOpaque = isOpaque
        walk.info.hasAlpha = !isOpaque
        let sequence = try decoded(try await encode(walk))
        #expect(sequence.info.type == .apng)
        var count = 0
        for try await frame in sequence.frames() {
            #expect(frame.bitmap == (try walk.picture(frame.index)))
            #expect(frame.duration == .milliseconds(40))
            #expect(frame.presentationTime == .milliseconds(40 * frame.index))
            count += 1
        }
        #expect(count == 12)
    }

    @Test func `alpha that the header denied is written all the same`() async throws {
        var walk = Walk(3)
        walk.isOpaque = false
        let bytes = try await encode(walk)
        #expect(chunks(bytes)[0].data[9] == 6)
        let frame = try await decoded(bytes).frame(2)
        #expect(try frame.bitmap == walk.picture(2))
    }

    @Test func `the chunks are in order and hold the changes`() async throws {
        let all = chunks(try await encode(Walk(4)))
        #expect(
            all.map(\.name) == [
                "IHDR", "sRGB", "acTL", "fcTL", "IDAT", "fcTL", "fdAT", "fcTL", "fdAT", "fcTL",
                "fdAT",
                "IEND",
            ])
        #expect(all[0].data == [0, 0, 0, 40, 0, 0, 0, 30, 8, 2, 0, 0, 0])
        #expect(all[2].data == [0, 0, 0, 4, 0, 0, 0, 0])
        var sequence = 0
        for chunk in all where chunk.name == "fcTL" || chunk.name == "fdAT" {
            #expect(be(chunk.data[..<4]) == sequence)
            sequence += 1
        }
        let controls = all.filter { $0.name == "fcTL" }.map(\.data)
        #expect(
            controls[0][4...] == [
                0, 0, 0, 40, 0, 0, 0, 30, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 25, 0, 0,
            ])
        // The square of 5 moves from 5 to 6.
        #expect(controls[1][4..<20] == [0, 0, 0, 6, 0, 0, 0, 6, 0, 0, 0, 5, 0, 0, 0, 5])
    }

    @Test(arguments: [
        (LoopCount.gif(0), 0), (.gif(nil), 1), (.gif(2), 3), (.plays(7), 7), (.video, 0),
    ]) func `the plays are those of the source`(loop: LoopCount, plays: Int) async throws {
        let bytes = try await encode(Walk(2, loop: loop))
        let control = try #require(chunks(bytes).first { $0.name == "acTL" })
        #expect(be(control.data[4...]) == plays)
        #expect(try decoded(bytes, by: APNGDecoder()).info.loop.plays == loop.plays)
    }

    @Test func `equal frames are merged, except that two remain`()
        async throws
    {
        var walk = Walk(5)
        walk.isStill = true
        let bytes = try await encode(walk)
        let controls = chunks(bytes).filter { $0.name == "fcTL" }.map(\.data)
        #expect(controls.count == 2)
        #expect(be(controls[1][4..<12]) == 1 << 32 | 1)
        let times = controls.map { Double(be($0[20..<22])) / Double(be($0[22..<24])) }
        #expect(times == [0.04, 0.16])
        #expect(try await decoded(bytes).frame(1).bitmap == walk.picture(0))
    }

    @Test func `one frame is a plain picture`() async throws {
        let walk = Walk(1)
        let bytes = try await encode(walk)
        #expect(chunks(bytes).map(\.name) == ["IHDR", "sRGB", "IDAT", "IEND"])
        let sequence = try decoded(bytes)
        #expect(sequence.info.type == .png)
        #expect(try await sequence.poster().bitmap == walk.picture(0))
    }

    @Test(arguments: [
        (MediaTime(ticks: 4, base: Rational(1, 100)), 1, 25),
        (MediaTime(ticks: 3003, base: Rational(1, 90000)), 1001, 30000),
        (MediaTime(microseconds: 0), 0, 1000), (MediaTime(microseconds: -5), 0, 1000),
        (MediaTime(microseconds: 100_000), 1, 10), (MediaTime(microseconds: 1), 1, 65535),
        (MediaTime(ticks: 1_000_000, base: Rational(1, 1)), 65535, 1),
        (MediaTime(ticks: .max, base: Rational(1000, 1)), 65535, 1),
        (MediaTime(ticks: 65535, base: Rational(1, 65534)), 65535, 65534),
    ]) func `delays are exact where they can be`(time: MediaTime, top: UInt16, bottom: UInt16) {
        let delay = APNGDelay(time)
        #expect((delay.numerator, delay.denominator) == (top, bottom))
    }

    @Test func `other delays are near`() {
        var random = SplitMix(8)
        for _ in 0..<2000 {
            let micro = Int64(random.next() % 60_000_000) + 100
            let delay = APNGDelay(MediaTime(microseconds: micro))
            let seconds = Double(delay.numerator) / Double(delay.denominator)
            #expect(abs(seconds - Double(micro) / 1e6) < 20e-6 * max(1, seconds))
        }
    }

    @Test func `frames beyond the memory limit wait in a file`() throws {
        var spool = Spool(maxInMemory: 100)
        var all: [UInt8] = []
        for length in [30, 60, 40, 0, 5000, 700_000, 3] {
            let piece = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            try MemoryBytes(piece).withBytes { (bytes) throws(MediaError) in try spool.append(bytes)
            }
            all += piece
        }
        var back: [UInt8] = []
        try spool.readAll { (piece) throws(MediaError) in back += piece }
        #expect(back == all)
        #expect(spool.count == all.count)
    }

    @Test func `a still is written by its encoder`() async throws {
        let walk = Walk(1)
        let bytes = Locked<[UInt8]>([])
        try await MediaFormat.png.encoders[0].makeEncoder().encode(
            FrameSequence(walk).frames(), info: walk.info, loop: .still
        ) { piece in bytes.withLock { $0 += piece } }
        #expect(try await decoded(bytes.withLock { $0 }).poster().bitmap == walk.picture(0))
        await #expect(throws: MediaError.self) {
            try await MediaFormat.png.encoders[0].makeEncoder().encode(
                FrameSequence(Walk(2)).frames(), info: walk.info, loop: .still
            ) { _ in }
        }
    }

    @Test func `an error of the frames is rethrown`() async throws {
        var media = ScriptedMedia(count: 5)
        media.fault = (3, MediaError(.malformed, "Broken."))
        let scripted = media
        let error = await #expect(throws: MediaError.self) { try await encode(scripted) }
        #expect(error?.message == "Broken.")
        let full = await #expect(throws: MediaError.self) {
            try await APNGEncoder().encode(
                FrameSequence(Walk(2)).frames(), info: Walk(2).info, loop: .still
            ) { (_) throws(MediaError) in throw MediaError(.environment, "Full.") }
        }
        #expect(full?.message == "Full.")
    }
}

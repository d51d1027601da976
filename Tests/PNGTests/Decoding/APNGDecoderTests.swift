import LazyMedia
import Support
import Testing

@testable import LazyCodecs

@Suite(.ownThreads) struct APNGDecoderTests {
    private func opened(
        _ bytes: [UInt8], limits: DecodingLimits = .web
    ) throws(MediaError) -> any OpenedMedia {
        try APNGDecoder().open(MemoryBytes(bytes), type: .apng, limits: limits)
    }

    private func frames(
        _ media: any OpenedMedia, _ options: ReaderOptions = ReaderOptions()
    ) throws(MediaError) -> [Frame] {
        let reader = try media.makeReader(options)
        var frames: [Frame] = []
        while let frame = try reader.nextFrame() { frames.append(frame) }
        return frames
    }

    /// What a forged animation shows by the words of the specification, in floating point.
    private func expected(_ forge: APNGForge) -> [[SIMD4<UInt8>]] {
        var canvas = Array(repeating: SIMD4<UInt8>.zero, count: forge.width * forge.height)
        return forge.frames.map { frame in
            let before = canvas
            var places: [(Int, SIMD4<UInt8>)] = []
            for (i, pixel) in frame.pixels.enumerated() {
                let x = frame.x + i % frame.width
                places.append(((frame.y + i / frame.width) * forge.width + x, pixel))
            }
            for (place, pixel) in places {
                canvas[place] = frame.blend == 0 ? pixel : over(pixel, canvas[place])
            }
            let shown = canvas
            if frame.disposal == 1 { for (place, _) in places { canvas[place] = .zero } }
            if frame.disposal == 2 { canvas = before }
            return shown
        }
    }

    private func over(_ above: SIMD4<UInt8>, _ below: SIMD4<UInt8>) -> SIMD4<UInt8> {
        let (a, b) = (Double(above.w) / 255, Double(below.w) / 255)
        let alpha = a + b * (1 - a)
        guard a > 0 else { return below }
        var result = SIMD4<UInt8>.zero
        for channel in 0..<3 {
            let sum = Double(above[channel]) * a + Double(below[channel]) * b * (1 - a)
            result[channel] = UInt8((sum / alpha).rounded())
        }
        result.w = UInt8((alpha * 255).rounded())
        return result
    }

    /// The widths of gray frames on 2x2 pixels and their disposals, and whether something is uncovered.
    static let coverings: [(String, Bool)] = [
        ("20 20", false), ("21 20", false), ("22 20", false), ("21 10", true), ("22 10", true),
        ("20 11 20", false), ("20 12 10", false), ("20 21", false),
    ]

    @Test(arguments: coverings)
    func `alpha is told of frames that leave something uncovered`(
        words: String, hasAlpha: Bool
    ) throws {
        let frames = words.split(separator: " ").map { $0.compactMap(\.wholeNumberValue) }
        var chunks: [(name: String, data: [UInt8])] = [
            ("IHDR", PNGForge.be(2) + PNGForge.be(2) + [8, 0, 0, 0, 0]),
            ("acTL", PNGForge.be(frames.count) + PNGForge.be(0)),
        ]
        var sequence = 0
        for (index, frame) in frames.enumerated() {
            let (width, disposal) = (frame[0], frame[1])
            let place = [sequence, width, 2, 0, 0].flatMap(PNGForge.be)
            chunks.append(("fcTL", place + [0, 1, 0, 10, UInt8(disposal), 0]))
            sequence += 1
            let line = [UInt8](repeating: 0, count: width + 1)
            var data = PNGForge.stored(line + line)
            if index > 0 {
                data = PNGForge.be(sequence) + data
                sequence += 1
            }
            chunks.append((index == 0 ? "IDAT" : "fdAT", data))
        }
        chunks.append(("IEND", []))
        let media = try opened(APNGForge.file(chunks))
        #expect(media.info.hasAlpha == hasAlpha)
        let read = try self.frames(media)
        #expect(read.count == frames.count)
        #expect(read.contains { !$0.bitmap.isOpaqueThroughout } == hasAlpha)
    }

    @Test(arguments: UInt64(1)...12) func `frames are drawn and disposed of as specified`(
        seed: UInt64
    ) throws {
        let forge = APNGForge.random(seed, anyAlpha: seed % 2 == 0)
        let got = try frames(opened(forge.file))
        #expect(got.count == forge.frames.count)
        for (frame, want) in zip(got, expected(forge)) {
            for (i, pixel) in want.enumerated() {
                let ours = frame.bitmap[i % forge.width, i / forge.width]
                let distance = (0..<4).map { abs(Int(ours[$0]) - Int(pixel[$0])) }.max()
                #expect(distance ?? 0 <= 1, "frame \(frame.index), pixel \(i)")
            }
        }
    }

    @Test(
        .needs("ffmpeg"), arguments: UInt64(20)...23)
    func `ffmpeg shows the same`(seed: UInt64) throws {
        var forge = APNGForge.random(seed)
        // What only FFmpeg does: blending over what was disposed of.
        for i in forge.frames.indices {
            forge.frames[i].blend = 0
            if i == 0 { forge.frames[i].disposal = 0 }
        }
        let scratch = Scratch()
        let path = scratch.write(forge.file, "a.png")
        let raw = Peer.output(
            of: "ffmpeg -v error -f apng -i \(path) -f rawvideo -pix_fmt rgba - 2>/dev/null")
        let ours = try frames(opened(forge.file)).flatMap { $0.bitmap.withBytes { Array($0) } }
        #expect(raw.elementsEqual(ours) as Bool)
    }

    @Test(arguments: UInt64(1)...12) func `samples of 16 bits are drawn as those of 8`(
        seed: UInt64
    ) throws {
        var forge = APNGForge.random(seed, anyAlpha: seed % 2 == 0)
        forge.depth = 16
        let media = try opened(forge.file)
        var options = ReaderOptions()
        (options.color, options.samples) = (.source, .sixteen)
        let got = try frames(media, options)
        #expect(got.count == forge.frames.count)
        for (frame, want) in zip(got, expected(forge)) {
            let deep = try #require(frame.deep)
            for (i, pixel) in want.enumerated() {
                let ours = deep[i % forge.width, i / forge.width]
                let distance = (0..<4).map { abs(Int(ours[$0]) - Int(pixel[$0]) * 257) }.max()
                // Alpha of 0 or 255 gives exact colors; of others the expectation is rounded to 8 bits.
                #expect(distance ?? 0 <= (seed % 2 == 0 ? 257 : 0), "\(frame.index), pixel \(i)")
            }
        }
        let reader = try media.makeReader(options)
        for wanted in [7, 2, 3, 11, 0] {
            try reader.seek(toIndex: wanted)
            let isSame = try reader.nextFrame()?.deep == got[wanted].deep
            #expect(isSame)
        }
        #expect(try frames(media).allSatisfy { $0.deep == nil })
    }

    @Test(arguments: UInt64(1)...6) func `any order of seeks gives the same frames`(
        seed: UInt64
    ) throws {
        let media = try opened(APNGForge.random(seed, anyAlpha: true).file)
        let all = try frames(media)
        let reader = try media.makeReader(ReaderOptions())
        var random = SplitMix(seed)
        for _ in 0..<40 {
            let wanted = Int(random.next() % UInt64(all.count))
            try reader.seek(toIndex: wanted)
            let frame = try #require(try reader.nextFrame())
            #expect(frame.index == wanted)
            #expect(frame.bitmap == all[wanted].bitmap)
        }
        try reader.seek(toIndex: all.count)
        #expect(try reader.nextFrame() == nil)
    }

    @Test func `IDAT before the first control chunk is no frame`() throws {
        var forge = APNGForge.random(3, count: 2)
        let plain = try frames(opened(forge.file)).map(\.bitmap)
        forge.hidden = Array(repeating: [1, 2, 3, 255], count: 63)
        let media = try opened(forge.file)
        #expect(try frames(media).map(\.bitmap) == plain)
        #expect(media.info.frameCount == 2)
    }

    @Test(arguments: [(0, nil), (1, 1), (7, 7)] as [(Int, Int?)])
    func `the number in acTL is that of plays`(raw: Int, plays: Int?) throws {
        var forge = APNGForge.random(1, count: 2)
        forge.plays = raw
        #expect(try opened(forge.file).info.loop == LoopCount(raw: raw, plays: plays))
    }

    @Test func `delays are exact, and too short ones follow the browsers`() throws {
        var forge = APNGForge.random(5, count: 5)
        let delays = [(1, 3), (7, 0), (0, 100), (10, 1000), (65535, 65535)]
        for (i, delay) in delays.enumerated() { forge.frames[i].delay = delay }
        let media = try opened(forge.file)
        let timings = try media.frameIndex(CancellationFlag()).timings
        #expect(
            timings.map(\.duration.microseconds) == [333_333, 70_000, 100_000, 100_000, 1_000_000])
        #expect(timings.map(\.rawDuration.microseconds) == [333_333, 70_000, 0, 10_000, 1_000_000])
        // A third, seven hundredths and two tenths.
        #expect(timings[4].presentation.microseconds == 603_333)
        let third = timings[1].presentation
        #expect(third.ticks * 3 == third.base.denominator)
        let raw = try frames(media, ReaderOptions(delayRule: .raw))
        #expect(raw.map(\.duration)[2] == .zero)
    }

    @Test func `a sequence number out of order ends the animation`() throws {
        let forge = APNGForge.random(2, count: 4)
        for wrong in 0..<7 {
            var chunks = forge.chunks
            let numbered = chunks.indices.filter { ["fcTL", "fdAT"].contains(chunks[$0].name) }
            chunks[numbered[wrong]].data[3] &+= 1
            let media = try opened(APNGForge.file(chunks))
            let count = try frames(media).count
            // fcTL, then fcTL and fdAT for each; without a whole frame the picture in IDAT is left.
            #expect(count == max(1, (wrong + 1) / 2))
            #expect(media.info.warnings.contains { $0.code == .malformed })
        }
    }

    @Test(arguments: [2, 4, 5, 3]) func `a number of frames that is not that of acTL is told`(
        announced: Int
    ) throws {
        var chunks = APNGForge.random(3, count: 4).chunks
        let place = try #require(chunks.firstIndex { $0.name == "acTL" })
        chunks[place].data.replaceSubrange(..<4, with: PNGForge.be(announced))
        let media = try opened(APNGForge.file(chunks))
        #expect(try frames(media).count == min(announced, 4))
        #expect(media.info.warnings.map(\.code) == (announced == 4 ? [] : [.malformed]))
    }

    @Test(arguments: UInt64(1)...3) func `a file cut anywhere gives complete frames or an error`(
        seed: UInt64
    ) throws {
        let forge = APNGForge.random(seed, count: 5)
        let whole = forge.file
        let all = try frames(opened(whole)).map(\.bitmap)
        var most = 0
        for end in 0..<whole.count {
            guard let media = try? opened(Array(whole[..<end])) else { continue }
            let got = (try? frames(media).map(\.bitmap)) ?? []
            if got.count > 1 { #expect(got == Array(all[..<got.count])) }
            #expect(got.count >= most, "cut at \(end)")
            most = max(most, got.count)
        }
        #expect(most == 5)
    }

    @Test func `a flipped bit gives frames of the stated size or an error`() throws {
        let whole = APNGForge.random(4, count: 3).file
        var decoded = 0
        for place in whole.indices {
            for bit in [UInt8(1), 16, 128] {
                var bytes = whole
                bytes[place] ^= bit
                guard let media = try? opened(bytes, limits: .untrusted),
                    let frames = try? frames(media)
                else { continue }
                #expect(frames.allSatisfy { $0.bitmap.size == media.info.size }, "byte \(place)")
                decoded += 1
            }
        }
        #expect(decoded > 0 && decoded < 3 * whole.count)
    }

    @Test func `frames are scaled, and limits hold`() throws {
        let bytes = APNGForge.random(6, count: 3).file
        let size = PixelSize(width: 4, height: 3)
        let small = try frames(opened(bytes), ReaderOptions(size: size))
        #expect(small.allSatisfy { $0.bitmap.size == size })
        for limits in [DecodingLimits(pixelsPerFrame: 62), DecodingLimits(memory: 200)] {
            let error = #expect(throws: MediaError.self) { try opened(bytes, limits: limits) }
            #expect(error?.code == .limitExceeded)
        }
        let cancelled = CancellationFlag()
        cancelled.cancel()
        let reader = try opened(bytes).makeReader(ReaderOptions(cancellation: cancelled))
        #expect(throws: MediaError.self) { try reader.nextFrame() }
    }
}

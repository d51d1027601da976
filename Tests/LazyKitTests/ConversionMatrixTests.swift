import LazyBase
import LazyKit
import LazyMedia
import LazyRenditions
import Support
import Testing

/// From every format that is written to every other, twice: there, and on.
@Suite(.ownThreads) struct ConversionMatrixTests {
    static let formats: [MediaType] = [
        .gif, .webpAnimation, .apng, .avifSequence, .mp4, .webm,
    ].filter { EncoderRegistry.standard.types.contains($0) }

    static let pairs: [(MediaType, MediaType)] = formats.flatMap { from in
        formats.map { (from, $0) }
    }

    /// Two hundredths of a second, ten seconds, and what lies between.
    static let delays: [Int64] = [20, 100, 70, 1000, 10_000, 50, 50]

    static func convert(
        _ sequence: FrameSequence, to type: MediaType, change: (inout Rendition) -> Void = { _ in }
    ) async throws -> (bytes: [UInt8], report: Rendition.Report) {
        var conversion = Rendition.conversion(to: type)
        conversion.output.encoding.effort = 0
        change(&conversion)
        let made = try await conversion.data(of: sequence)
        #expect(made.report.byteCount == made.bytes.count)
        return made
    }

    static func open(_ bytes: [UInt8]) throws -> FrameSequence {
        try FrameSequence(opening: MemoryBytes(bytes), registry: .standard)
    }

    static func source(plays: Int? = 3) -> FrameSequence {
        var media = ScriptedMedia(
            count: delays.count, size: PixelSize(width: 64, height: 48),
            loop: LoopCount(raw: nil, plays: plays))
        media.durations = delays
        media.colors = delays.indices.map { SIMD4(UInt8($0 * 30), 128, 200, 255) }
        return FrameSequence(media)
    }

    static func durations(_ sequence: FrameSequence) async throws -> [Int64] {
        try await sequence.frameIndex().timings.map(\.duration.microseconds)
    }

    @Test(arguments: pairs)
    func `frames, delays and plays survive`(from: MediaType, to: MediaType) async throws {
        let first = try await Self.convert(Self.source(), to: from)
        let middle = try Self.open(first.bytes)
        #expect(middle.info.type == from)
        let second = try await Self.convert(middle, to: to)
        let last = try Self.open(second.bytes)
        #expect(last.info.type == to)
        #expect(try await Self.durations(last) == Self.delays.map { $0 * 1000 })
        #expect(second.report.frameCount == Self.delays.count)
        #expect(second.report.duration == .milliseconds(Self.delays.reduce(0, +)))
        let carries = [from, to].allSatisfy { $0.traits?.carriesLoop == true }
        if carries { #expect(last.info.loop.plays == 3) }
        if to.traits?.carriesLoop == false, from.traits?.carriesLoop == true {
            #expect(second.report.warnings.map(\.code).contains(.loopLost))
        }
        // Colors may move a little through a lossy codec; the frame stays the same one.
        var count = 0
        for try await frame in last.frames() {
            #expect(abs(Int(frame.bitmap[20, 20].x) - count * 30) < 14)
            count += 1
        }
        #expect(count == Self.delays.count)
    }

    @Test(arguments: formats.filter { $0.traits?.carriesLoop == true })
    func `each number of plays is carried`(type: MediaType) async throws {
        for plays in [1, 2, 7, nil] {
            let made = try await Self.convert(Self.source(plays: plays), to: type)
            #expect(try Self.open(made.bytes).info.loop.plays == plays)
        }
    }

    @Test(arguments: formats)
    func `a GIF's delay of a hundredth is the tenth that browsers show`(
        type: MediaType
    ) async throws {
        let gif = try FrameSequence(
            opening: FileBytes(path: Media.path("delays.gif")), registry: .standard)
        let shown = try await Self.durations(gif)
        #expect(shown.contains(100_000))
        let made = try await Self.convert(gif, to: type)
        #expect(try await Self.durations(Self.open(made.bytes)) == shown)
    }

    @Test(.needs("ffprobe"), arguments: formats)
    func `ffprobe counts the same packets`(type: MediaType) async throws {
        // FFmpeg reads no animated WebP.
        guard type != .webpAnimation else { return }
        let made = try await Self.convert(Self.source(), to: type)
        let scratch = Scratch()
        let path = scratch.write(made.bytes, "clip")
        let answer = Peer.output(
            of:
                "ffprobe -v error -select_streams v -show_entries packet=stream_index,pts_time -of csv=p=0 \(path)"
        )
        // FFmpeg 7 lists the still picture of an AVIF sequence as a stream of its own.
        let streams = Dictionary(
            grouping: String(decoding: answer, as: UTF8.self).split(separator: "\n")
                .map { $0.split(separator: ",") }.filter { $0.count > 1 }, by: { $0[0] })
        let times = (streams.values.max { $0.count < $1.count } ?? [])
            .compactMap { Double($0[1]) }.sorted()
        try #require(times.count == Self.delays.count)
        var expected = 0.0
        for (time, delay) in zip(times, Self.delays) {
            #expect(abs(time - times[0] - expected) < 0.0011)
            expected += Double(delay) / 1000
        }
    }

    @Test(.needs("webpmux"), .enabled(if: formats.contains(.webpAnimation)))
    func `webpmux reads the same delays and plays`() async throws {
        let made = try await Self.convert(Self.source(), to: .webpAnimation)
        let scratch = Scratch()
        let path = scratch.write(made.bytes, "clip.webp")
        let text = String(decoding: Peer.output(of: "webpmux -info \(path)"), as: UTF8.self)
        #expect(text.contains("Loop Count : 3"))
        let rows = text.split(separator: "\n").filter { $0.contains(/^\s*\d+:/) }
        let delays = rows.compactMap { row -> Int64? in
            let words = row.split(separator: " ")
            return words.count > 6 ? Int64(words[6]) : nil
        }
        #expect(delays == Self.delays)
    }

    @Test(.needs("gifsicle"), .enabled(if: formats.contains(.gif)))
    func `gifsicle reads the same delays and plays`() async throws {
        let made = try await Self.convert(Self.source(), to: .gif)
        let scratch = Scratch()
        let path = scratch.write(made.bytes, "clip.gif")
        let text = String(decoding: Peer.output(of: "gifsicle -I \(path)"), as: UTF8.self)
        #expect(text.contains("loop count 2"))
        let delays = text.matches(of: /delay ([\d.]+)s/).compactMap { Double($0.output.1) }
        #expect(delays.map { Int64(($0 * 1000).rounded()) } == Self.delays)
    }

    @Test func `more bytes than are wanted end the work`() async throws {
        let error = await #expect(throws: MediaError.self) {
            _ = try await Self.convert(Self.source(), to: .apng) { $0.output.limit = .bytes(100) }
        }
        #expect(error?.excess?.limit == "maxBytes")
    }

    @Test func `only the first frame is taken on demand`() async throws {
        let made = try await Self.convert(Self.source(), to: .png) { $0.conversion.isStill = true }
        let still = try Self.open(made.bytes)
        #expect(still.info.type == .png)
        #expect(try await still.frameIndex().count == 1)
        #expect(made.report.frameCount == 1)
    }

    @Test(arguments: formats.filter { $0 == .webpAnimation || $0 == .avifSequence })
    func `flat art comes back as it was by itself`(type: MediaType) async throws {
        let gif = try FrameSequence(
            opening: FileBytes(path: Media.path("disposal-mixed.gif")), registry: .standard)
        let made = try await Self.convert(gif, to: type)
        #expect(made.report.conversion?.kind == .flatArt)
        let copy = try Self.open(made.bytes)
        let count = try await gif.frameIndex().count
        for number in 0..<count {
            let (one, other) = (try await gif.frame(number), try await copy.frame(number))
            let (before, after) = (Self.look(one.bitmap), Self.look(other.bitmap))
            // Lossless AVIF has wrong colors in browsers; the best of the lossy is all but the same.
            if type == .webpAnimation {
                #expect(before == after)
            } else {
                #expect(Self.error(before, after) < 1.5)
            }
        }
    }

    /// The mean difference of a channel.
    private static func error(_ one: [SIMD4<UInt8>], _ other: [SIMD4<UInt8>]) -> Double {
        let sum = zip(one, other).reduce(0) { sum, pair in
            (0..<4).reduce(sum) { $0 + abs(Int(pair.0[$1]) - Int(pair.1[$1])) }
        }
        return Double(sum) / Double(4 * max(1, one.count))
    }

    /// The pixels as they are seen: what is invisible has no color.
    private static func look(_ bitmap: Bitmap) -> [SIMD4<UInt8>] {
        bitmap.withBytes { bytes in
            bytes.bindMemory(to: SIMD4<UInt8>.self).map { $0.w == 0 ? .zero : $0 }
        }
    }
}

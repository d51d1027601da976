import LazyMedia
import Support
import Testing

@testable import LazyCodecs

@Suite(.ownThreads) struct AVIFEncoderTests {
    @Test(arguments: [true, false]) func `written frames are reproduced, including alpha`(
        isOpaque: Bool
    ) async throws {
        var movie = TestMovie(8)
        movie.isOpaque = isOpaque
        movie.info.hasAlpha = !isOpaque
        let media = try Decoded.media(
            try await movie.encoded(EncodingOptions(quality: 90, effort: 3)))
        #expect(media.info.hasAlpha == !isOpaque)
        let frames = try Decoded.frames(media)
        #expect(frames.count == 8)
        for frame in frames {
            let distance = Decoded.distance(frame.bitmap, try movie.picture(frame.index))
            #expect(distance < 60, "frame \(frame.index)")
        }
    }

    @Test func `alpha that the header denied is written all the same`() async throws {
        var movie = TestMovie(3)
        movie.isOpaque = false
        let media = try Decoded.media(try await movie.encoded())
        #expect(media.info.hasAlpha)
    }

    @Test(arguments: [true, false]) func `lossless pixels are the same`(
        isOpaque: Bool
    ) async throws {
        var movie = TestMovie(4)
        movie.isOpaque = isOpaque
        movie.info.hasAlpha = !isOpaque
        let bytes = try await movie.encoded(
            EncodingOptions(effort: 2, lossless: true))
        for frame in try Decoded.frames(Decoded.media(bytes)) {
            #expect(try frame.bitmap == movie.picture(frame.index))
        }
    }

    @Test(arguments: [(4, 16_385), (16_385, 4)])
    func `a sequence of longer sides than films have is refused, a picture is written`(
        width: Int, height: Int
    ) async throws {
        let error = await #expect(throws: MediaError.self) {
            try await TestMovie(2, width, height).encoded(EncodingOptions(effort: 0))
        }
        #expect(error?.code == .notWritable)
        let still = try await TestMovie(1, width, height).encoded(EncodingOptions(effort: 0))
        #expect(try Decoded.media(still).info.size == PixelSize(width: width, height: height))
    }

    @Test func `a picture that AV1 has no room for is refused with its size`() async throws {
        let error = await #expect(throws: MediaError.self) {
            try await TestMovie(1, 65_537, 2).encoded(EncodingOptions(effort: 0))
        }
        #expect(
            error?.message
                == "An AVIF has at most 65536 pixels a side, and this is 65537x2.")
    }

    @Test func `higher quality is closer and larger`() async throws {
        let movie = TestMovie(6, 96, 72)
        var last = (distance: Double.infinity, count: 0)
        for quality in [10.0, 60, 95] {
            let bytes = try await movie.encoded(
                EncodingOptions(quality: quality, effort: 2))
            let frames = try Decoded.frames(Decoded.media(bytes))
            let distance = try frames.map {
                Decoded.distance($0.bitmap, try movie.picture($0.index))
            }.reduce(0, +)
            #expect(distance < last.distance)
            #expect(bytes.count > last.count)
            last = (distance, bytes.count)
        }
    }

    @Test(arguments: [nil, 1, 2, 7]) func `the number of plays is in the file`(
        plays: Int?
    ) async throws {
        let loop = LoopCount(raw: nil, plays: plays)
        let bytes = try await TestMovie(3).encoded(loop: loop)
        #expect(try Decoded.media(bytes).info.loop.plays == plays)
        // By the words of ISO/IEC 14496-12, without our parser.
        let list = try #require(Boxes.find("elst", in: bytes))
        let header = try #require(Boxes.find("tkhd", in: bytes))
        #expect(bytes[list + 11] & 1 == (plays == 1 ? 0 : 1))
        let segment = Boxes.number(bytes, list + 16, 8)
        let length = Boxes.number(bytes, header + 36, 8)
        #expect(length == plays.map { segment * UInt64($0) } ?? .max)
    }

    @Test func `delays are exact, however they differ`() async throws {
        var movie = TestMovie(7)
        movie.durations = [
            MediaTime(ticks: 1, base: Rational(1, 100)), MediaTime(ticks: 10, base: Rational(1, 1)),
            MediaTime(ticks: 1001, base: Rational(1, 30000)),
            MediaTime(ticks: 1, base: Rational(1, 3)),
            MediaTime(ticks: 7, base: Rational(1, 90000)),
            MediaTime(microseconds: 16_667), MediaTime(ticks: 2, base: Rational(1, 1)),
        ]
        let media = try Decoded.media(try await movie.encoded())
        let frames = try Decoded.frames(media)
        #expect(frames.map(\.timing.duration.microseconds) == movie.durations.map(\.microseconds))
        let end = frames[6].presentationTime + frames[6].duration
        let total = movie.durations.map(\.duration).reduce(.zero, +)
        #expect(abs((end - total) / .microseconds(1)) < 1)
    }

    @Test func `what no timescale holds adds up all the same`() {
        let primes: [Int64] = [99_991, 99_989, 99_971, 99_961]
        let times = primes.map { MediaTime(ticks: 3, base: Rational(1, $0)) }
        let timing = MovieTiming(Array((0..<100).map { times[$0 % 4] }))
        let exact = times.map { 3 / Double($0.base.denominator) }.reduce(0, +) * 25
        #expect(abs(Double(timing.total) / Double(timing.timescale) - exact) < 1e-6)
    }

    static let long: [([MediaTime], Double)] = [
        ([.init(microseconds: 1), .init(microseconds: 7_200_000_000)], 7200),
        (
            [
                .init(ticks: 1, base: Rational(1, 99_991)),
                .init(ticks: 172_800, base: Rational(1, 1)),
            ], 172_800
        ),
        (
            [
                .init(ticks: 3, base: Rational(1, 1_999_999_973)),
                .init(ticks: 1, base: Rational(1, 9_000_000_000_000_000_011)),
                .init(ticks: 1, base: Rational(1, 1)),
            ], 1
        ),
    ]

    @Test(arguments: long) func `durations of microseconds and of hours occur in one file`(
        times: [MediaTime], seconds: Double
    ) {
        let timing = MovieTiming(times)
        #expect(timing.ticks.count == times.count)
        #expect(abs(Double(timing.total) / Double(timing.timescale) - seconds) < 0.001)
    }

    @Test(arguments: [0, 1, 2, 3, 4, 10]) func `every effort, quality and odd size is written`(
        effort: Int
    ) async throws {
        for quality in [5.0, 50, 75, 90, 100] {
            for (width, height) in [(1, 1), (17, 9), (64, 64)] {
                for isOpaque in [true, false] {
                    var movie = TestMovie(3, width, height)
                    movie.isOpaque = isOpaque
                    let bytes = try await movie.encoded(
                        EncodingOptions(quality: quality, effort: effort))
                    #expect(try Decoded.frames(Decoded.media(bytes)).count == 3)
                }
            }
        }
    }

    /// Longer than one piece, of which the last may have two frames or one more than the others.
    @Test(arguments: [(481, true), (482, true), (483, false)])
    func `long sequences are concatenated from pieces`(count: Int, isOpaque: Bool) async throws {
        var movie = TestMovie(count, 24, 16)
        movie.isOpaque = isOpaque
        for index in movie.durations.indices where index % 7 == 3 {
            movie.durations[index] = MediaTime(ticks: 1001, base: Rational(1, 30000))
        }
        let bytes = try await movie.encoded(
            EncodingOptions(quality: 90, effort: 1), loop: .plays(3))
        let media = try Decoded.media(bytes)
        #expect(media.info.loop.plays == 3 && media.info.hasAlpha == !isOpaque)
        let frames = try Decoded.frames(media)
        #expect(frames.map(\.timing.duration.microseconds) == movie.durations.map(\.microseconds))
        for (index, frame) in frames.enumerated() {
            #expect(Decoded.distance(frame.bitmap, try movie.picture(index)) < 120)
        }
        let keys = frames.indices.filter { frames[$0].isKeyframe }
        #expect([0, 240, 480].allSatisfy(keys.contains))
        let reader = try media.makeReader(ReaderOptions(delayRule: .raw))
        for index in [count - 1, 239, 240, 241, 0] {
            try reader.seek(toIndex: index)
            #expect(try reader.nextFrame()?.bitmap == frames[index].bitmap)
        }
    }

    @Test(.needs("avifdec"))
    func `other decoders read concatenated files`() async throws {
        let scratch = Scratch()
        var movie = TestMovie(300, 24, 16)
        movie.isOpaque = false
        let path = scratch.write(try await movie.encoded(), "long.avif")
        for index in [0, 239, 240, 299] {
            let output = Peer.output(
                of: "avifdec --index \(index) \(path) \(scratch.path)/o.png 2>&1; echo $?")
            #expect(String(decoding: output, as: UTF8.self).hasSuffix("0\n"))
        }
    }

    @Test(.needs("ffmpeg"))
    func `ffmpeg reads every frame of concatenated files`() async throws {
        let scratch = Scratch()
        var movie = TestMovie(300, 24, 16)
        movie.isOpaque = false
        let path = scratch.write(try await movie.encoded(), "long.avif")
        let hashes = Peer.output(
            of: "ffmpeg -v error -i \(path) -map 0 -f framemd5 - 2>&1 </dev/null | grep -v '^#'")
        let lines = String(decoding: hashes, as: UTF8.self).split(separator: "\n")
        let counts = Dictionary(grouping: lines) { $0.prefix { $0 != "," } }.values.map(\.count)
        // Colors and alpha; FFmpeg 7 also has streams of the first picture as a still.
        #expect(counts.filter { $0 > 1 } == [300, 300])
    }

    @Test(arguments: [false, true])
    func `the clock does not get into the file`(isOpaque: Bool) async throws {
        var movie = TestMovie(3)
        movie.isOpaque = isOpaque
        let bytes = try await movie.encoded()
        let headers = Boxes.all(["mvhd", "tkhd", "mdhd"], in: bytes)
        #expect(headers.count == (isOpaque ? 3 : 5))
        for header in headers {
            // Version 1: two times of 64 bits each (ISO/IEC 14496-12, 8.2.2, 8.3.2, 8.4.2).
            #expect(bytes[header + 8] == 1)
            #expect(bytes[(header + 12)..<(header + 28)].allSatisfy { $0 == 0 })
        }
    }

    @Test func `one frame becomes a still picture`() async throws {
        let movie = TestMovie(1)
        let bytes = try await TestMovie.encode(movie, AVIFEncoder(isStill: true), loop: .still)
        #expect(try FormatRegistry([.avif]).sniffer.type(of: MemoryBytes(bytes)) == .avif)
        let frame = try #require(try Decoded.frames(Decoded.media(bytes, .avif)).first)
        #expect(Decoded.distance(frame.bitmap, try movie.picture(0)) < 40)
        await #expect(throws: MediaError.self) {
            _ = try await TestMovie.encode(TestMovie(2), AVIFEncoder(isStill: true), loop: .still)
        }
    }

    @Test(.needs("ffprobe"))
    func `ffprobe counts the frames and sees their times`() async throws {
        var movie = TestMovie(5)
        movie.durations[2] = MediaTime(ticks: 1, base: Rational(1, 2))
        let scratch = Scratch()
        let path = scratch.write(try await movie.encoded(), "a.avif")
        let lines = String(
            decoding: Peer.output(
                of:
                    "ffprobe -v error -show_entries packet=stream_index,duration_time -of csv=p=0 \(path)"
            ), as: UTF8.self
        ).split(separator: "\n").map { $0.split(separator: ",").compactMap { Double($0) } }
        // FFmpeg 7 also has a stream of the first picture as a still.
        let last = lines.map { $0[0] }.max()
        let times = lines.filter { $0[0] == last }.map { $0[1] }
        #expect(times == [0.04, 0.04, 0.5, 0.04, 0.04])
    }

    @Test(.needs("avifdec"))
    func `avifdec reads every frame`() async throws {
        let scratch = Scratch()
        let path = scratch.write(try await TestMovie(4).encoded(), "a.avif")
        for index in 0..<4 {
            let output = Peer.output(
                of: "avifdec --index \(index) \(path) \(scratch.path)/o.png 2>&1; echo $?")
            #expect(String(decoding: output, as: UTF8.self).hasSuffix("0\n"))
        }
    }

    @Test func `a missing library is an error that names it`() {
        let error = #expect(throws: MediaError.self) {
            try AVIFLibrary.probe("libavif-not-there.so")
        }
        #expect(error?.message.contains(AVIFLibrary.package) == true)
        #expect(AVIFLibrary.package.wholeMatch(of: /libavif\d+/) != nil)
    }
}

/// Boxes found by their letters alone.
enum Boxes {
    /// Where the first box of a kind begins, its length being the first four bytes.
    static func find(_ name: String, in bytes: [UInt8]) -> Int? {
        let letters = Array(name.utf8)
        return bytes.indices.dropLast(4).first { Array(bytes[$0..<($0 + 4)]) == letters }
            .map { $0 - 4 }
    }

    /// Where all boxes of some kinds begin.
    static func all(_ names: [String], in bytes: [UInt8]) -> [Int] {
        let kinds = names.map { Array($0.utf8) }
        return bytes.indices.dropLast(4).filter { kinds.contains(Array(bytes[$0..<($0 + 4)])) }
            .map { $0 - 4 }
    }

    static func number(_ bytes: [UInt8], _ at: Int, _ count: Int) -> UInt64 {
        bytes[at..<(at + count)].reduce(0) { $0 << 8 | UInt64($1) }
    }
}

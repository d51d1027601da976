import LazyMedia
import Support
import Testing

@testable import LazyVideo

/// Long recordings whose headers count no frames: what is read of them, and that it is right.
@Suite(.ownThreads) struct LongRecordingTests {
    /// A clip of four seconds and some 1.4 MB, which is repeated.
    private static let clip =
        "-f lavfi -i testsrc2=s=320x180:r=25:d=4,noise=alls=30 -pix_fmt yuv420p -c:v libx264"
        + " -preset ultrafast -bf 2 -g 50 -qp 20"

    private static func run(_ arguments: String) {
        _ = Peer.output(of: "ffmpeg -v error -y \(arguments) </dev/null 2>&1")
    }

    /// The clip so many times, in a container.
    private static func recording(
        _ muxer: String, times: Int, _ scratch: Scratch, offset: Int = 0
    ) -> [UInt8] {
        let clip = scratch.path("clip.mp4")
        if scratch["clip.mp4"].isEmpty { run("\(Self.clip) \(clip)") }
        let file = scratch.path("out")
        run(
            "-stream_loop \(times - 1) -i \(clip) -c copy -output_ts_offset \(offset)"
                + " -f \(muxer) - >\(file)")
        return scratch["out"]
    }

    private func info(_ bytes: [UInt8]) async throws -> MediaInfo {
        try await FrameSequence(opened(MemoryBytes(bytes))).detailedInfo()
    }

    /// Muxers, and the most bytes that are read of 23 MB: a transport stream is looked at in 64 places.
    @Test(
        .needs("ffmpeg"),
        arguments: [
            ("matroska", 3_000_000), ("matroska -live 1", 3_000_000), ("mpegts", 16_000_000),
        ])
    func `the ends tell how long a recording is`(muxer: String, most: Int) async throws {
        let bytes = Self.recording(muxer, times: 30, Scratch())
        try #require(bytes.count > 20_000_000)
        let counting = CountingBytes(try MemoryBytes(bytes))
        let video = try #require(try opened(counting) as? OpenedVideo)
        let info = try await FrameSequence(video).detailedInfo()
        #expect(counting.bytesRead < most)
        #expect(info.frameCount == nil && info.estimatedFrameCount == 3000)
        let index = try opened(MemoryBytes(bytes)).frameIndex(CancellationFlag())
        #expect(index.count == 3000)
        #expect(info.duration == index.duration)
        #expect(info.start == index[0].presentation.duration)

        let whole = try opened(MemoryBytes(bytes))
        _ = try whole.frameIndex(CancellationFlag())
        for (keyframesOnly, time) in [
            (false, Duration.zero), (false, .seconds(61.3)), (false, .seconds(119.97)),
            (false, .seconds(3.99)), (true, .seconds(50.5)), (true, .seconds(110)),
        ] {
            let read = counting.bytesRead
            var frames: [Frame?] = []
            for media in [video, whole] {
                let reader = try media.makeReader(
                    ReaderOptions(keyframesOnly: keyframesOnly, isSingleFrame: true))
                try reader.seek(toTime: time)
                frames.append(try reader.nextFrame())
            }
            #expect(frames[0]?.bitmap == frames[1]?.bitmap, "\(time)")
            #expect(frames[0]?.timing.presentation == frames[1]?.timing.presentation, "\(time)")
            #expect(frames[0] != nil)
            #expect(counting.bytesRead - read < 8_000_000, "\(time)")
        }
        // Who asks for all frames gets their number.
        _ = try video.frameIndex(CancellationFlag())
        #expect(video.info.frameCount == 3000 && video.info.estimatedFrameCount == nil)
    }

    @Test(.needs("ffmpeg"), arguments: ["matroska", "matroska -live 1", "mpegts"])
    func `several recordings are read whole`(muxer: String) async throws {
        let scratch = Scratch()
        let long = Self.recording(muxer, times: 12, scratch)
        try #require(long.count > ClockSurvey.quickBytes)
        let short = Self.recording(muxer, times: 1, scratch)
        for parts in [[long, short], [short, long]] {
            let info = try await info(parts[0] + parts[1])
            #expect(info.frameCount == 1300 && info.estimatedFrameCount == nil)
            #expect(abs((info.duration ?? .zero) / .seconds(1) - 52) < 0.1)
        }
    }

    /// Seconds by which the clock of the second half is ahead.
    @Test(.needs("ffmpeg"), arguments: [30, 100, 4000])
    func `a jump of a transport stream's clock is no part of its length`(ahead: Int) async throws {
        let scratch = Scratch()
        let first = Self.recording("mpegts", times: 10, scratch)
        let second = Self.recording("mpegts", times: 10, scratch, offset: 40 + ahead)
        let info = try await info(first + second)
        #expect(info.frameCount == 2000 && info.estimatedFrameCount == nil)
        #expect(abs((info.duration ?? .zero) / .seconds(1) - 80) < 0.1)
    }

    @Test(.needs("ffmpeg"), arguments: ["matroska", "mpegts"])
    func `a recording that is cut ends with its last picture`(muxer: String) async throws {
        let bytes = Self.recording(muxer, times: 20, Scratch())
        let cut = Array(bytes.prefix(bytes.count * 7 / 10))
        try #require(cut.count > ClockSurvey.quickBytes)
        let info = try await info(cut)
        let index = try opened(MemoryBytes(cut)).containerIndex(CancellationFlag())
        #expect(info.duration == index.duration)
        #expect(info.frameCount == index.count || info.estimatedFrameCount != nil)
    }

    @Test(.needs("ffmpeg")) func `short recordings are counted`() async throws {
        for muxer in ["matroska -live 1", "mpegts"] {
            let info = try await info(Self.recording(muxer, times: 2, Scratch()))
            #expect(info.frameCount == 200 && info.estimatedFrameCount == nil)
        }
    }

    /// Of fragments all tables are read, and no sample.
    @Test(.needs("ffmpeg")) func `fragments list the frames of a movie`() async throws {
        let movie = Self.recording(
            "mp4 -movflags frag_keyframe+empty_moov", times: 10, Scratch())
        let counting = CountingBytes(try MemoryBytes(movie))
        let info = try await FrameSequence(opened(counting)).detailedInfo()
        #expect(info.frameCount == 1000 && info.estimatedFrameCount == nil)
        #expect(counting.bytesRead < movie.count / 4)
        let index = try opened(MemoryBytes(movie)).frameIndex(CancellationFlag())
        #expect(info.duration == index.duration)
        let read = counting.bytesRead
        let poster = try await FrameSequence(opened(counting)).poster(.percent(50))
        #expect(counting.bytesRead - read < movie.count / 3)
        let expected = try #require(
            index.timings.last { $0.presentation.duration <= index.duration * 0.5 })
        #expect(poster.timing?.presentation == expected.presentation)
    }
}

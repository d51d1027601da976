import LazyMedia
import LazyVideo
import Support
import Testing

@Suite(.ownThreads, .needs("ffmpeg", "ffprobe")) struct WrittenClipTests {
    /// Type and codec.
    static let kinds: [(MediaType, VideoCodecChoice)] = [
        (.mp4, .h264), (.mp4, .av1), (.webm, .vp9), (.webm, .av1),
    ]
    /// Durations in microseconds: constant, variable, one hundredth, ten seconds, one frame.
    static let timings: [[Int64]] = [
        Array(repeating: 40_000, count: 30),
        [40_000, 80_000, 10_000, 10_000, 500_000, 33_000, 40_000, 120_000, 70_000, 1_500_000],
        Array(repeating: 10_000, count: 40), [10_000_000, 40_000, 10_000_000], [700_000],
        (0..<30).map { $0 % 3 == 0 ? 33_333 : 33_334 },
    ]

    @Test(arguments: kinds, timings)
    func `every frame keeps its time, and the last its duration`(
        kind: (MediaType, VideoCodecChoice), micros: [Int64]
    ) async throws {
        let size = PixelSize(width: 96, height: 64)
        let clip = try await WrittenClip(
            kind.0, movingPictures(micros.count, size), micros: micros, .init(codec: kind.1))
        let starts = micros.reduce(into: [Int64(0)]) { $0.append(($0.last ?? 0) + $1) }
        let step = kind.0 == .webm ? 1000.0 : 1.0
        let read = clip.frames("pts_time").compactMap(Double.init)
        #expect(read.count == micros.count)
        for (time, start) in zip(read, starts) {
            #expect(abs(time * 1_000_000 - Double(start)) <= step / 2 + 1)
        }
        let total = try #require(
            clip.stream["duration"].flatMap(Double.init) ?? clip.formatDuration)
        #expect(abs(total * 1_000_000 - Double(starts.last ?? 0)) <= step / 2 + 1)
        #expect(clip.stream["start_time"] == "0.000000")
        // Our own reader: each duration, including the last.
        let frames = try clip.readBack()
        #expect(frames.count == micros.count)
        for (frame, (start, end)) in zip(frames, zip(starts, starts.dropFirst())) {
            let shown = Double(frame.timing.duration.microseconds)
            #expect(abs(shown - Double(end - start)) <= step + 1, "frame \(frame.index)")
        }
        #expect(frames.first?.timing.presentation.microseconds == 0)
    }

    @Test(arguments: kinds) func `durations of microseconds and hours mix`(
        kind: (MediaType, VideoCodecChoice)
    ) async throws {
        let micros: [Int64] = [1, 7_200_000_000, 40_000, 40_001, 5_000_000_000, 1_000_000, 40_000]
        let clip = try await WrittenClip(
            kind.0, movingPictures(micros.count, PixelSize(width: 64, height: 64)), micros: micros,
            .init(codec: kind.1))
        let starts = micros.reduce(into: [Int64(0)]) { $0.append(($0.last ?? 0) + $1) }
        let read = clip.frames("pts_time").compactMap(Double.init)
        #expect(read.count == micros.count)
        for (time, start) in zip(read, starts) {
            #expect(abs(time - Double(start) / 1_000_000) < 0.0015)
        }
        let total = try #require(
            clip.stream["duration"].flatMap(Double.init) ?? clip.formatDuration)
        #expect(abs(total - Double(starts.last ?? 0) / 1_000_000) < 0.0015)
    }

    @Test(arguments: timings) func `the tables of an MP4 have each frame's duration`(
        micros: [Int64]
    ) async throws {
        let clip = try await WrittenClip(
            .mp4, movingPictures(micros.count, PixelSize(width: 64, height: 64)), micros: micros)
        let scale = Double(clip.number(at: "mvhd", 16))
        let starts = clip.packets("pts_time").compactMap(Double.init)
        let lengths = clip.run("stts").map { Double($0) / scale }
        #expect(starts.count == micros.count)
        #expect(lengths.count == micros.count)
        let shown = zip(starts, lengths).sorted { $0.0 < $1.0 }.map(\.1)
        for (said, wanted) in zip(shown, micros) {
            #expect(abs(said * 1_000_000 - Double(wanted)) <= 1)
        }
    }

    @Test(arguments: kinds) func `streams have the right properties`(
        kind: (MediaType, VideoCodecChoice)
    ) async throws {
        let clip = try await WrittenClip(
            kind.0, movingPictures(12, PixelSize(width: 160, height: 90)),
            micros: Array(repeating: 40_000, count: 12), .init(codec: kind.1))
        let stream = clip.stream
        #expect(stream["codec_name"] == kind.1.rawValue)
        #expect(stream["pix_fmt"] == "yuv420p")
        #expect(stream["color_range"] == "tv")
        #expect(stream["color_space"] == "bt709")
        #expect(stream["color_primaries"] == "bt709")
        #expect(stream["color_transfer"] == "bt709")
        #expect(stream["width"] == "160")
        #expect(stream["height"] == "90")
        #expect(stream["nb_streams"] == "1")
        #expect(clip.packets("flags").first?.hasPrefix("K") == true)
    }

    @Test(arguments: kinds, [(1, 1), (3, 5), (321, 179), (2, 2)])
    func `odd sizes grow by one pixel and keep the picture`(
        kind: (MediaType, VideoCodecChoice), sides: (Int, Int)
    ) async throws {
        let size = PixelSize(width: sides.0, height: sides.1)
        let pictures = try movingPictures(3, size)
        let clip = try await WrittenClip(
            kind.0, pictures, micros: [40_000, 40_000, 40_000],
            .init(quality: 95, codec: kind.1))
        let whole = PixelSize(width: (sides.0 + 1) & ~1, height: (sides.1 + 1) & ~1)
        #expect(clip.stream["width"] == "\(whole.width)")
        #expect(clip.stream["height"] == "\(whole.height)")
        let rows = clip.pixels("rgba")
        #expect(rows.count == whole.rgbaByteCount * 3)
        guard rows.count == whole.rgbaByteCount * 3 else { return }
        let cropped = (0..<size.height).flatMap { y in
            rows[y * whole.width * 4..<(y * whole.width + size.width) * 4]
        }
        #expect(psnr(cropped, pictures[0]) > (sides.0 < 16 ? 20 : 30))
    }

    @Test(arguments: kinds) func `written pictures resemble the source`(
        kind: (MediaType, VideoCodecChoice)
    ) async throws {
        let size = PixelSize(width: 192, height: 128)
        let pictures = try movingPictures(10, size)
        let clip = try await WrittenClip(
            kind.0, pictures, micros: Array(repeating: 40_000, count: 10), .init(codec: kind.1))
        let rows = clip.pixels("rgba")
        try #require(rows.count == size.rgbaByteCount * 10)
        for (number, picture) in pictures.enumerated() {
            let place = number * size.rgbaByteCount
            let one = Array(rows[place..<place + size.rgbaByteCount])
            #expect(psnr(one, picture) > 30, "frame \(number)")
        }
    }

    @Test(arguments: kinds) func `a keyframe comes every two seconds, and groups are closed`(
        kind: (MediaType, VideoCodecChoice)
    ) async throws {
        let micros: [Int64] = (0..<80).map { $0 % 10 == 0 ? 300_000 : 50_000 }
        let clip = try await WrittenClip(
            kind.0, movingPictures(80, PixelSize(width: 64, height: 64)), micros: micros,
            .init(effort: 3, codec: kind.1))
        let keys = zip(clip.packets("pts_time"), clip.packets("flags")).compactMap {
            $0.1.hasPrefix("K") ? Double($0.0) : nil
        }
        #expect(keys.first == 0)
        let ends = keys.dropFirst() + [Double(micros.reduce(0, +)) / 1_000_000]
        #expect(zip(keys, ends).allSatisfy { $1 - $0 <= 2.001 }, "\(keys)")
        // Decoding from any keyframe gives the pictures of a complete read.
        let all = try clip.readBack()
        let reader = try opened(MemoryBytes(clip.bytes)).makeReader(ReaderOptions())
        for frame in all where frame.isKeyframe {
            try reader.seek(toIndex: frame.index)
            #expect(try reader.nextFrame()?.bitmap == frame.bitmap)
        }
    }

    @Test(arguments: kinds, [0, 1, 2, 3, 5, 6, 7, 8, 9, 10])
    func `the encoder accepts every effort and quality`(
        kind: (MediaType, VideoCodecChoice), effort: Int
    ) async throws {
        let size = PixelSize(width: effort % 2 == 0 ? 64 : 48, height: 64)
        let clip = try await WrittenClip(
            kind.0, movingPictures(3, size), micros: [40_000, 40_000, 40_000],
            .init(quality: Double(effort * 10), effort: effort, codec: kind.1))
        #expect(try clip.readBack().count == 3)
    }

    @Test(arguments: [(MediaType.mp4, VideoCodecChoice.h264), (.mp4, .av1)])
    func `large frames are encoded`(
        kind: (MediaType, VideoCodecChoice)
    ) async throws {
        let size = PixelSize(width: 1282, height: 722)
        let clip = try await WrittenClip(
            kind.0, movingPictures(4, size), micros: [40_000, 40_000, 40_000, 70_000],
            .init(codec: kind.1))
        let frames = try clip.readBack()
        #expect(frames.map(\.timing.duration.microseconds) == [40_000, 40_000, 40_000, 70_000])
    }

    @Test func `MP4 has its tables before the frames`() async throws {
        let clip = try await WrittenClip(
            .mp4, movingPictures(5, PixelSize(width: 64, height: 64)),
            micros: [40_000, 40_000, 40_000, 40_000, 40_000])
        var names: [String] = []
        var place = 0
        while place + 8 <= clip.bytes.count {
            let size = clip.bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            names.append(String(decoding: clip.bytes[place + 4..<place + 8], as: UTF8.self))
            place += max(8, size)
        }
        #expect(names == ["ftyp", "moov", "mdat"])
        #expect(place == clip.bytes.count)
    }

    @Test func `planes of BT.601 keep their matrix and samples`() async throws {
        let media = try opened("small.mp4")
        let clip = try await WrittenClip(.mp4, media, .init(quality: 100))
        #expect(clip.stream["color_space"] == "smpte170m")
        #expect(clip.stream["pix_fmt"] == "yuv420p")
        for (before, after) in zip(try frames(of: media), try clip.readBack()) {
            #expect(after.bitmap.barcode == before.bitmap.barcode)
            #expect(psnr(after.bitmap.withBytes { Array($0) }, before.bitmap) > 35)
        }
    }

    @Test(arguments: [MediaType.mp4, .webm])
    func `with planes the bitmap is never converted`(type: MediaType) async throws {
        let watch = LookWatch()
        let source = try frames(of: opened("small.mp4"), ReaderOptions(planes: true)).prefix(6)
        let late = try source.map { try watch.late($0) }
        let clip = try await WrittenClip(type, ListedMedia(late, hasAlpha: false))
        #expect(watch.count == 0)
        #expect(try clip.readBack().count == 6)
    }

    @Test func `planes of full range become limited`() async throws {
        let size = PixelSize(width: 64, height: 64)
        let planes = try PlanarPicture(size: size, matrix: .bt709, isFullRange: true) {
            (bytes) throws(MediaError) in
            for place in bytes.indices { bytes[place] = place < 4096 ? 255 : 128 }
        }
        let clip = try await WrittenClip(
            .mp4, [planes.bitmap()], micros: [40_000], planes: [planes])
        #expect(clip.stream["pix_fmt"] == "yuv420p")
        #expect(clip.stream["color_range"] == "tv")
        #expect(try clip.readBack()[0].bitmap[32, 32].x >= 253)
    }
}

extension WrittenClip {
    /// Four bytes of a box, at an offset from its name.
    func number(at name: String, _ offset: Int) -> Int {
        let place = bytes.firstRange(of: Array(name.utf8))?.lowerBound ?? 0
        return bytes[place + offset..<place + offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    /// The values of a run-length table.
    func run(_ name: String) -> [Int] {
        (0..<number(at: name, 8)).flatMap { entry in
            Array(
                repeating: number(at: name, 16 + 8 * entry), count: number(at: name, 12 + 8 * entry)
            )
        }
    }

    /// The duration of the whole file in seconds.
    var formatDuration: Double? {
        values(
            "ffprobe -v error -show_entries format=duration -of default=noprint_wrappers=1 \(path)")[
                "duration"
            ].flatMap(Double.init)
    }
}

import LazyBase
import LazyMedia
import Support
import Testing

@testable import LazyEditing

@Suite struct `Edited sequences` {
    static let edits: [(String, ClipEdit)] = [
        ("piece", ClipEdit(segments: [.milliseconds(150) ..< .milliseconds(640)])),
        (
            "pieces",
            ClipEdit(segments: [.milliseconds(300) ..< .seconds(1), .zero ..< .milliseconds(300)])
        ),
        ("rate", ClipEdit(frameRate: Rational(7, 1))),
        ("reverse", ClipEdit(isReversed: true)),
        ("bounce", ClipEdit(frameRate: Rational(10, 1), isBouncing: true)),
        ("crossfade", ClipEdit(crossfade: .milliseconds(200))),
    ]
    static let clips = ["clip.mp4", "counter.gif", "vfr.mkv", "vp9.webm", "raw.y4m"]

    @Test(arguments: clips, edits.indices)
    func `frames are those of a sequential read, at random too`(
        _ name: String, _ number: Int
    ) async throws {
        let edit = Self.edits[number].1
        let source = try Clips.open(name)
        let all = try await Clips.frames(source)
        let index = try await source.frameIndex()
        let plan = try EditPlan(index, edit)
        let edited = try await source.edited(edit)
        #expect(edited.info.frameCount == plan.entries.count)
        let frames = try await Clips.frames(edited)
        #expect(frames.count == plan.entries.count)
        #expect(try await edited.frameIndex().timings == frames.map(\.timing))
        for (entry, frame) in zip(plan.entries, frames) {
            guard entry.blend == nil else { continue }
            #expect(frame.bitmap == all[entry.source].bitmap)
        }
        let reader = try edited.makeReader(ReaderOptions())
        var random = SplitMix(7)
        for _ in 0..<12 {
            let wanted = Int(random.next() % UInt64(frames.count))
            try reader.seek(toIndex: wanted)
            let frame = try #require(try reader.nextFrame())
            #expect(frame.bitmap == frames[wanted].bitmap)
            #expect(frame.timing == frames[wanted].timing)
        }
    }

    @Test(arguments: edits.indices)
    func `frames of 16 bits a sample keep them`(_ number: Int) async throws {
        let edit = Self.edits[number].1
        var options = ReaderOptions()
        (options.color, options.samples) = (.source, .sixteen)
        let source = try Clips.open("hdr10.mp4")
        let index = try await source.frameIndex()
        let plan = try EditPlan(index, edit)
        let all = try source.makeReader(options)
        var pictures: [DeepBitmap] = []
        while let frame = try all.nextFrame() { pictures.append(try #require(frame.deep)) }
        let reader = try await source.edited(edit).makeReader(options)
        for entry in plan.entries {
            let frame = try #require(try reader.nextFrame())
            let deep = try #require(frame.deep)
            let under = pictures[entry.source]
            guard let blend = entry.blend else {
                #expect(deep == under)
                continue
            }
            let over = pictures[blend.source][5, 5]
            for i in 0..<3 {
                let (a, b) = (Int(under[5, 5][i]), Int(over[i]))
                let mixed = (a * (256 - blend.share) + b * blend.share) / 256
                #expect(abs(Int(deep[5, 5][i]) - mixed) < 2)
            }
        }
    }

    @Test func `readers hear which frames are going to be sought`() async throws {
        let log = AnnouncedReader.Log()
        let walk = FrameWalk(keyframes: (0..<5000).map { $0 % 10 == 0 }) {
            () throws(MediaError) in
            AnnouncedReader(log)
        }
        func read(_ numbers: [Int]) throws {
            for place in numbers.indices {
                let frame = try walk.frame(numbers[place], ahead: numbers[place...])
                #expect(frame?.index == numbers[place])
            }
        }
        try read([0, 3, 3, 6, 7, 12])
        #expect(log.runs.withLock { $0 } == [[0, 3, 6, 7, 12]])
        // One after the other, nothing is left out.
        try read(Array(13..<20))
        #expect(log.runs.withLock { $0.count } == 1)
        // Backwards, groups of pictures are read forwards.
        try read([58, 55, 52, 48, 45])
        #expect(log.runs.withLock { $0.dropFirst().allSatisfy { $0 == $0.sorted() } })
        #expect(log.runs.withLock { $0.last } == [45, 48, 52, 55])
        log.runs.withLock { $0 = [] }
        try read(Array(stride(from: 100, to: 4000, by: 3)))
        #expect(log.runs.withLock { $0.map(\.count) } == [1000, 300])
    }

    @Test(arguments: [[0, 1], [1, 0]]) func `a frame that is shown for ages is not walked through`(
        numbers: [Int]
    ) throws {
        let walk = FrameWalk(keyframes: [true, true]) { () throws(MediaError) in
            AnnouncedReader(AnnouncedReader.Log())
        }
        for number in numbers {
            var steps = 0
            // The second one is requested a million times.
            let ahead = sequence(first: number) { _ in
                steps += 1
                return steps < 1_000_000 ? numbers[1] : nil
            }
            #expect(try walk.frame(number, ahead: ahead)?.index == number)
            #expect(steps <= 40_000, "\(steps)")
        }
    }

    @Test func `a frame that fades is mixed of two`() async throws {
        var media = ScriptedMedia(count: 8)
        media.colors = (0..<8).map { SIMD4(UInt8($0 * 20), 0, 0, 255) }
        let edited = try await FrameSequence(media).edited(ClipEdit(crossfade: .milliseconds(300)))
        let reds = try await Clips.frames(edited).map { $0.bitmap[0, 0].x }
        // 100, 120 and 140 with 43, 128 and 213 of 256 parts of 0, 20 and 40.
        #expect(reds == [60, 80, 83, 70, 57])
    }

    @Test func `a piece late in a clip decodes nothing of what is before`() async throws {
        let decoded = Locked<[Int]>([])
        var media = ScriptedMedia(count: 100)
        media.willDecode = { index in decoded.withLock { $0.append(index) } }
        let edited = try await FrameSequence(media).edited(
            ClipEdit(segments: [.seconds(9) ..< .seconds(10)]))
        _ = try await Clips.frames(edited)
        #expect(decoded.withLock { $0 } == Array(90..<100))
    }

    @Test func `reverse decodes each group of pictures once`() async throws {
        let decoded = Locked<[Int]>([])
        var media = ScriptedMedia(count: 40, size: PixelSize(width: 1920, height: 1080))
        media.keyframes = [0, 10, 20, 30]
        media.willDecode = { index in decoded.withLock { $0.append(index) } }
        let edited = try await FrameSequence(media).edited(ClipEdit(isReversed: true))
        var order: [UInt8] = []
        for try await frame in edited.frames(lookAhead: 1) { order.append(frame.bitmap[5, 5].x) }
        #expect(order == (0..<40).reversed().map { UInt8($0) })
        #expect(decoded.withLock { $0.count } <= 41)
    }

    @Test func `reverse keeps no more frames in memory than its budget`() async throws {
        // 60 frames of 8 MB are one group; all but a few of them wait in a file.
        let media = CountedMedia(
            ScriptedMedia(count: 60, size: PixelSize(width: 1920, height: 1080)))
        let edited = try await FrameSequence(media).edited(ClipEdit(isReversed: true))
        var order: [UInt8] = []
        for try await frame in edited.frames(lookAhead: 1) {
            order.append(frame.bitmap[1919, 1079].x)
        }
        #expect(order == (0..<60).reversed().map { UInt8($0) })
        #expect(media.live.counts.withLock { $0.most } <= 8)
    }

    @Test func `what damage cuts off ends the edit early`() async throws {
        let whole = try Media.array("clip.mp4")
        let cut = Array(try Media.array("fragmented.mp4").prefix(whole.count / 2))
        let media = try Clips.registry.open(MemoryBytes(cut), limits: .local)
        let edited = try await FrameSequence(media).edited(ClipEdit(isReversed: true))
        let frames = try await Clips.frames(edited)
        #expect(!frames.isEmpty)
    }

    @Test func `cancelling ends the reading`() async throws {
        let media = ScriptedMedia(count: 50)
        let edited = try await FrameSequence(media).edited(ClipEdit(isReversed: true))
        let flag = CancellationFlag()
        let reader = try edited.makeReader(ReaderOptions(cancellation: flag))
        _ = try reader.nextFrame()
        flag.cancel()
        #expect {
            try reader.seek(toIndex: 20)
            _ = try reader.nextFrame()
        } throws: { ($0 as? MediaError)?.code == .cancelled }
    }

    @Test func `planes go through with a cut at even places`() async throws {
        let media = PlanarMedia(size: PixelSize(width: 64, height: 32))
        let edited = try await FrameSequence(media).edited(
            ClipEdit(
                isReversed: true, size: TargetSize(width: 30, height: 32, fit: .cover),
                gravity: .point(0.42, 0.5)))
        let reader = try edited.makeReader(ReaderOptions(planes: true))
        let frame = try #require(try reader.nextFrame())
        let planes = try #require(frame.planes)
        #expect(planes.size == PixelSize(width: 30, height: 32))
        let left = Int(frame.bitmap[0, 0].x)
        #expect(left % 2 == 0)
        planes.withBytes { bytes in
            #expect(Int(bytes[0]) == left)
            #expect(Int(bytes[planes.layout.u]) == left / 2)
            #expect(Int(bytes[planes.layout.v + 1]) == left / 2 + 1)
        }
    }
}

extension `Edited sequences` {
    @Test func `cuts and fades of planes do not look at the bitmap`() async throws {
        let watch = LookWatch()
        var media = PlanarMedia(size: PixelSize(width: 64, height: 32))
        media.watch = watch
        let edit = ClipEdit(
            crossfade: .seconds(1), size: TargetSize(width: 32, height: 32, fit: .cover))
        let edited = try await FrameSequence(media).edited(edit)
        let frames = try Self.rest(edited.makeReader(ReaderOptions(planes: true)))
        #expect(frames.allSatisfy { $0.planes?.size == PixelSize(width: 32, height: 32) })
        #expect(watch.count == 0)
        let plain = try Self.rest(edited.makeReader(ReaderOptions()))
        #expect(frames.map(\.bitmap) == plain.map(\.bitmap))
        #expect(watch.count > 0)
    }

    @Test func `a fade of planes is the fade of their bitmaps`() async throws {
        let media = PlanarMedia(size: PixelSize(width: 64, height: 32))
        let edited = try await FrameSequence(media).edited(ClipEdit(crossfade: .seconds(1)))
        let frames = try Self.rest(edited.makeReader(ReaderOptions(planes: true)))
        for frame in frames {
            let planes = try #require(frame.planes)
            planes.withBytes { bytes in
                for x in 0..<64 { #expect(bytes[x] == frame.bitmap[x, 0].x) }
            }
        }
    }

    private static func rest(_ reader: any FrameReader) throws -> [Frame] {
        var frames: [Frame] = []
        while let frame = try reader.nextFrame() { frames.append(frame) }
        return frames
    }
}

/// Two frames whose bytes tell their column.
private struct PlanarMedia: OpenedMedia {
    let size: PixelSize
    var watch: LookWatch?
    var info: MediaInfo {
        MediaInfo(type: .mp4, codec: "scripted", size: size, frameCount: 2, duration: .seconds(2))
    }

    func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex {
        FrameIndex(
            (0..<2).map {
                FrameTiming(
                    index: $0, presentation: MediaTime(microseconds: Int64($0) * 1_000_000),
                    duration: MediaTime(microseconds: 1_000_000), isKeyframe: $0 == 0)
            })
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        Reader(self, options)
    }

    final class Reader: PlainReader {
        let media: PlanarMedia
        let options: ReaderOptions
        var position = 0
        let warnings: [MediaWarning] = []
        init(_ media: PlanarMedia, _ options: ReaderOptions) {
            self.media = media
            self.options = options
        }

        func frame() throws(MediaError) -> Frame? {
            guard position < 2 else { return nil }
            let size = media.size
            let bitmap = try Bitmap(size: size, isOpaque: true) { rows in
                for place in 0..<size.pixelCount {
                    let x = UInt8(place % size.width)
                    rows.storeBytes(
                        of: SIMD4(x, x, x, 255), toByteOffset: place * 4, as: SIMD4<UInt8>.self)
                }
            }
            let planes = try PlanarPicture(size: size, matrix: .bt709) { bytes in
                let layout = PlanarPicture.Layout(size)
                for place in 0..<layout.u { bytes[place] = UInt8(place % size.width) }
                for place in layout.u..<layout.byteCount {
                    bytes[place] = UInt8((place - layout.u) % layout.chromaWidth)
                }
            }
            defer { position += 1 }
            return Frame(
                bitmap: try media.watch?.late(bitmap) ?? bitmap,
                timing: media.frameIndex(options.cancellation).timings[position],
                planes: options.planes ? planes : nil)
        }

        func seek(toIndex index: Int) { position = index }
        func seek(toTime time: Duration) { position = time < .seconds(1) ? 0 : 1 }
    }
}

private final class Census: Sendable {
    let counts = Locked((now: 0, most: 0))
}

/// Counts the bitmaps that a reader has made and that are still held.
private struct CountedMedia: OpenedMedia {
    let base: ScriptedMedia
    let live = Census()

    init(_ base: ScriptedMedia) { self.base = base }

    var info: MediaInfo { base.info }

    func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex { base.index }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        Reader(try base.makeReader(options), live)
    }

    final class Reader: PlainReader {
        let base: any FrameReader
        let live: Census

        init(_ base: any FrameReader, _ live: Census) {
            self.base = base
            self.live = live
        }

        var warnings: [MediaWarning] { base.warnings }

        func frame() throws(MediaError) -> Frame? {
            guard let frame = try base.nextFrame() else { return nil }
            let live = self.live
            live.counts.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            let bitmap = frame.bitmap.whenFreed { live.counts.withLock { $0.now -= 1 } }
            return Frame(bitmap: bitmap, timing: frame.timing)
        }

        func seek(toIndex index: Int) throws(MediaError) { try base.seek(toIndex: index) }
        func seek(toTime time: Duration) throws(MediaError) { try base.seek(toTime: time) }
    }
}

/// Returns any frame, and notes what is announced.
private final class AnnouncedReader: PlainReader {
    final class Log: Sendable {
        let runs = Locked<[[Int]]>([])
    }

    private let log: Log
    private var next = 0

    init(_ log: Log) { self.log = log }

    var warnings: [MediaWarning] { [] }

    func willRead(_ indices: [Int]) { log.runs.withLock { $0.append(indices) } }

    func frame() throws(MediaError) -> Frame? {
        let bitmap = try Bitmap(size: PixelSize(width: 1, height: 1), isOpaque: true) {
            $0.copyBytes(from: [0, 0, 0, 255])
        }
        let timing = FrameTiming(
            index: next, presentation: .zero, duration: .zero, isKeyframe: next % 10 == 0)
        next += 1
        return Frame(bitmap: bitmap, timing: timing)
    }

    func seek(toIndex index: Int) { next = index }

    func seek(toTime time: Duration) {}
}

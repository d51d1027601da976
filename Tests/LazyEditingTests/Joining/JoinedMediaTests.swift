import LazyBase
import LazyMedia
import Support
import Testing

@testable import LazyEditing

/// Several sequences as one.
@Suite struct JoinedMediaTests {
    private static let small = PixelSize(width: 20, height: 10)

    private static func still(_ red: UInt8, _ size: PixelSize = small) throws -> FrameSequence {
        FrameSequence(
            still: try Bitmap(size: size, isOpaque: true) { rows in
                rows.bindMemory(to: SIMD4<UInt8>.self).update(
                    repeating: SIMD4(red, 0, 0, 255))
            })
    }

    private static func read(_ sequence: FrameSequence) async throws -> [Frame] {
        var frames: [Frame] = []
        for try await frame in sequence.frames() { frames.append(frame) }
        return frames
    }

    @Test func `pictures and clips follow each other without gaps`() async throws {
        let clip = try Clips.open("counter.gif")
        let index = try await clip.frameIndex()
        let joined = try await FrameSequence.joined(
            [Self.still(7, clip.info.size), clip, Self.still(9, clip.info.size)],
            pictureDuration: .milliseconds(250))
        let frames = try await Self.read(joined)
        #expect(frames.count == index.count + 2)
        #expect(joined.info.frameCount == frames.count)
        #expect(frames.map(\.index) == Array(0..<frames.count))
        #expect(frames[0].duration == .milliseconds(250))
        #expect(frames[1].presentationTime == .milliseconds(250))
        for (place, timing) in index.timings.enumerated() {
            #expect(frames[place + 1].duration == timing.duration.duration)
            #expect(frames[place + 1].bitmap == (try await clip.frame(place).bitmap))
        }
        for (one, next) in zip(frames, frames.dropFirst()) {
            #expect(one.presentationTime + one.duration == next.presentationTime)
        }
        #expect(frames.last?.bitmap[0, 0].x == 9)
        #expect(joined.info.duration == index.duration + .milliseconds(500))
    }

    @Test func `declined pictures are left out of each part`() async throws {
        let films = (0..<2).map { _ in
            FrameSequence(
                PaintedMedia(seconds: 0.3) { number, _, _ in SIMD4(UInt8(number), 0, 0, 255) })
        }
        let joined = try await FrameSequence.joined(films)
        let frames = try await Self.read(joined)
        let reader = try joined.makeReader(ReaderOptions())
        for whole in frames {
            let isWanted = whole.index % 5 == 2
            let next = try #require(try reader.nextFrame { $0.index % 5 == 2 })
            #expect(next.timing == whole.timing)
            #expect(next.frame?.bitmap == (isWanted ? whole.bitmap : nil))
        }
        #expect(try reader.nextFrame { _ in true } == nil)
    }

    @Test func `any order of seeks returns the frames of a sequential read`() async throws {
        let joined = try await FrameSequence.joined(
            [Clips.open("counter.gif"), Self.still(3), Clips.open("loop-3.gif")])
        let frames = try await Self.read(joined)
        for index in [frames.count - 1, 0, frames.count / 2, 1, frames.count - 2] {
            let found = try await joined.frame(index)
            #expect(found.bitmap == frames[index].bitmap)
            #expect(found.timing == frames[index].timing)
            let shown = try await joined.frame(at: frames[index].presentationTime)
            #expect(shown.index == index)
        }
    }

    @Test(arguments: [
        (PixelSize(width: 10, height: 10), PixelRect(x: 5, y: 0, width: 10, height: 10)),
        (PixelSize(width: 40, height: 10), PixelRect(x: 0, y: 2, width: 20, height: 5)),
        (PixelSize(width: 2, height: 1), PixelRect(x: 0, y: 0, width: 20, height: 10)),
    ])
    func `a picture of another size fits into the first and is centered`(
        size: PixelSize, place: PixelRect
    ) async throws {
        let joined = try await FrameSequence.joined([Self.still(1), Self.still(200, size)])
        #expect(joined.info.size == Self.small)
        #expect(joined.info.warnings.map(\.code) == [.sizeChange])
        let frames = try await Self.read(joined)
        for y in 0..<10 {
            for x in 0..<20 {
                let isInside =
                    (place.x..<place.right).contains(x) && (place.y..<place.bottom).contains(y)
                let expected: SIMD4<UInt8> = isInside ? SIMD4(200, 0, 0, 255) : .zero
                #expect(frames[1].bitmap[x, y] == expected, "\(x),\(y)")
            }
        }
        // The same place at another size.
        let half = try await joined.frame(1, size: TargetSize(width: 10))
        #expect(half.bitmap.size == PixelSize(width: 10, height: 5))
    }

    @Test func `films of other sizes have black edges`() async throws {
        let tall = PaintedMedia(seconds: 0.2, size: PixelSize(width: 8, height: 16)) { _, _, _ in
            SIMD4(90, 90, 90, 255)
        }
        let wide = PaintedMedia(seconds: 0.2, size: PixelSize(width: 16, height: 8)) { _, _, _ in
            SIMD4(50, 50, 50, 255)
        }
        let joined = try await FrameSequence.joined([FrameSequence(wide), FrameSequence(tall)])
        #expect(joined.info.type == .mp4)
        #expect(!joined.info.hasAlpha)
        let last = try await joined.frame(7).bitmap
        #expect(last[0, 0] == SIMD4(0, 0, 0, 255))
        #expect(last[8, 4] == SIMD4(90, 90, 90, 255))
        #expect(last.isOpaque)
    }

    @Test func `parts are opened one at a time, and again when they are read`() async throws {
        let opened = Locked<[String]>([])
        let parts = ["a", "b", "c"].map { name in
            JoinedPart(name) { () throws(MediaError) in
                opened.withLock { $0.append(name) }
                do { return try Self.still(1) } catch { throw .cancelled }
            }
        }
        let media = try JoinedMedia(parts, limits: .local)
        #expect(opened.withLock { $0 } == ["a", "b", "c"])
        let reader = try media.makeReader(ReaderOptions())
        _ = try reader.nextFrame()
        #expect(opened.withLock { $0 }.count == 4)
        while try reader.nextFrame() != nil {}
        #expect(opened.withLock { $0 } == ["a", "b", "c", "a", "b", "c"])
    }

    @Test func `ten thousand pictures are held as names and times`() async throws {
        let parts = (0..<10_000).map { number in
            JoinedPart("\(number)", duration: MediaTime(ticks: 1, base: Rational(1, 24))) {
                () throws(MediaError) in
                do { return try Self.still(UInt8(number % 256)) } catch { throw .cancelled }
            }
        }
        let media = try JoinedMedia(parts, limits: .local)
        #expect(media.info.frameCount == 10_000)
        // Exact: a 24th of a second is no number of microseconds.
        #expect(media.timings[9_999].presentation == MediaTime(ticks: 9_999, base: Rational(1, 24)))
        let frame = try await FrameSequence(media).frame(9_999)
        #expect(frame.bitmap[0, 0].x == UInt8(9_999 % 256))
    }

    @Test func `an error names the part`() throws {
        let parts = [
            JoinedPart("good.png", try Self.still(1)),
            JoinedPart("bad.png") { () throws(MediaError) in
                throw MediaError(.malformed, "The picture is damaged.")
            },
        ]
        let error = #expect(throws: MediaError.self) {
            try JoinedMedia(parts, limits: .local)
        }
        #expect(error?.message == "bad.png: The picture is damaged.")
        #expect(error?.code == .malformed)
    }

    @Test func `a file that lost its frames since is an error, not an end`() throws {
        let opened = Locked(0)
        let part = JoinedPart("clip.gif") { () throws(MediaError) in
            let count = opened.withLock { count in
                defer { count += 1 }
                return count
            }
            let seconds = count == 0 ? 1.0 : 0.1
            return FrameSequence(PaintedMedia(seconds: seconds) { _, _, _ in .zero })
        }
        // More clips than stay open.
        let media = try JoinedMedia(
            (0..<64).map { _ in
                JoinedPart("", FrameSequence(PaintedMedia(seconds: 0.1) { _, _, _ in .zero }))
            } + [part], limits: .local)
        let reader = try media.makeReader(ReaderOptions())
        try reader.seek(toIndex: 64 * 2)
        _ = try reader.nextFrame()
        _ = try reader.nextFrame()
        let error = #expect(throws: MediaError.self) { try reader.nextFrame() }
        #expect(error?.message == "clip.gif: The file ends before its frame 2.")
    }

    @Test func `limits count the frames of all parts`() throws {
        let part = JoinedPart("a", try Self.still(1))
        let limits = DecodingLimits(frames: 3)
        _ = try JoinedMedia([part, part, part], limits: limits)
        let error = #expect(throws: MediaError.self) {
            try JoinedMedia([part, part, part, part], limits: limits)
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test func `each part is told which of its frames are going to be sought`() throws {
        let told = Told()
        let joined = try JoinedMedia(
            ["a", "b"].map { name in
                JoinedPart(
                    name,
                    FrameSequence(ToldMedia(base: try Clips.open("counter.gif").media, name, told)))
            }, limits: .local)
        let count = joined.timings.count / 2
        let reader = try joined.makeReader(ReaderOptions())
        let wanted = [1, 3, count + 2, count + 5]
        let expected = try wanted.map { index in
            let other = try joined.makeReader(ReaderOptions())
            try other.seek(toIndex: index)
            return try other.nextFrame()?.bitmap
        }
        reader.willRead(wanted)
        for (index, bitmap) in zip(wanted, expected) {
            try reader.seek(toIndex: index)
            #expect(try reader.nextFrame()?.bitmap == bitmap)
        }
        #expect(told.runs.withLock { $0 } == ["a [1, 3]", "b [2, 5]"])
        // What was announced is over.
        try reader.seek(toIndex: 0)
        _ = try reader.nextFrame()
        #expect(told.runs.withLock { $0.count } == 2)
        reader.willRead([2, 4])
        #expect(told.runs.withLock { $0.last } == "a [2, 4]")
    }

    @Test func `nothing cannot be joined`() async {
        await #expect(throws: MediaError.self) { try await FrameSequence.joined([]) }
    }

    @Test(
        arguments: [
            (["counter.gif", "loop-0.gif"], "gif", nil),
            (["small.mp4", "vp9.webm"], "mp4", nil),
            (["small.mp4", "loop-0.gif"], "pictures", nil),
            (["still-rgb8.png", "still-rgba8.png"], "pictures", nil),
        ] as [([String], String, Int?)])
    func `the type is that of all parts`(
        names: [String], type: String, plays: Int?
    ) async throws {
        let joined = try await FrameSequence.joined(names.map { try Clips.open($0) })
        #expect(joined.info.type.name == type)
        #expect(joined.info.loop.plays == plays)
    }
}

/// What readers were told.
private final class Told: Sendable {
    let runs = Locked<[String]>([])
}

/// Media whose readers note what they are told of the frames that will be sought.
private struct ToldMedia: MappedMedia {
    let base: any OpenedMedia
    private let name: String
    private let told: Told

    init(base: any OpenedMedia, _ name: String, _ told: Told) {
        (self.base, self.name, self.told) = (base, name, told)
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        ToldReader(base: try base.makeReader(options), name, told)
    }
}

private final class ToldReader: MappedReader {
    let base: any FrameReader
    private let name: String
    private let told: Told

    init(base: any FrameReader, _ name: String, _ told: Told) {
        (self.base, self.name, self.told) = (base, name, told)
    }

    func mapped(_ frame: Frame) -> Frame { frame }

    func willRead(_ indices: [Int]) {
        told.runs.withLock { $0.append("\(name) \(indices)") }
        base.willRead(indices)
    }
}

import LazyBase
import LazyMedia
import Testing

@testable import LazyTerminal

/// Media that play beside each other.
@Suite struct GridMediaTests {
    private static let palette: [SIMD4<UInt8>] = [
        SIMD4(255, 0, 0, 255), SIMD4(0, 255, 0, 255), SIMD4(0, 0, 255, 255),
    ]

    /// Frames of one color each, of so many milliseconds.
    private static func clip(_ count: Int, of milliseconds: Int) throws -> PosterGrid.Item {
        let length = Duration.milliseconds(milliseconds)
        let frames = try (0..<count).map { number in
            (picture: try Pictures.bitmap(40, 20) { _, _ in palette[number] }, duration: length)
        }
        return PosterGrid.Item(FrameSequence(frames: frames), length: length * count, name: "clip")
    }

    private static let grid: PosterGrid = {
        var settings = PlayerSettings(
            encoders: EncoderRegistry(), grid: CellGrid(checking: 40, 13), traits: .full)
        settings.terminalProtocol = .blocks
        return PosterGrid(settings, shape: (columns: 2, rows: 1), isPlayed: true)
    }()

    /// The number of the color in the middle of a place.
    private static func color(_ place: Int, _ bitmap: Bitmap) -> Int? {
        palette.firstIndex(
            of: bitmap[bitmap.size.width * (place * 2 + 1) / 4, bitmap.size.height / 2])
    }

    private static func expectPictures(of frame: Frame, at time: Duration) {
        #expect(color(0, frame.bitmap) == Int(time.milliseconds) % 300 / 100)
        #expect(color(1, frame.bitmap) == Int(time.milliseconds) % 140 / 70)
    }

    @Test func `each place shows its frame at the time of all, and begins again`() throws {
        let sequence = Self.grid.sequence(of: [try Self.clip(3, of: 100), try Self.clip(2, of: 70)])
        #expect(sequence.info.frameCount == 8)
        let reader = try sequence.makeReader(ReaderOptions(limits: .web))
        var (end, count) = (Duration.zero, 0)
        while let frame = try reader.nextFrame() {
            #expect(frame.presentationTime == end)
            end = frame.presentationTime + frame.duration
            count += 1
            // Until the next frame nothing changes, within the 40 ms of a step.
            for time in [frame.presentationTime, end - .milliseconds(40)] {
                Self.expectPictures(of: frame, at: time)
            }
        }
        #expect(end == .milliseconds(320))
        #expect(count > 3)
        // After declined pictures too the cells are those of the time.
        let sparse = try sequence.makeReader(ReaderOptions(limits: .web))
        while let next = try sparse.nextFrame(where: { $0.index % 3 == 2 }) {
            #expect((next.frame != nil) == (next.timing.index % 3 == 2))
            if let frame = next.frame {
                Self.expectPictures(of: frame, at: frame.presentationTime)
            }
        }
        // Back, and to a time within a step.
        for time in [200, 40, 280, 130, 0] {
            try reader.seek(toTime: .milliseconds(time))
            let frame = try #require(try reader.nextFrame())
            Self.expectPictures(of: frame, at: .milliseconds(time / 40 * 40))
        }
        try reader.seek(toIndex: 5)
        Self.expectPictures(of: try #require(try reader.nextFrame()), at: .milliseconds(200))
    }

    @Test func `stills are one frame for all the time`() throws {
        let sequence = Self.grid.sequence(of: [try Self.clip(1, of: 0), try Self.clip(2, of: 1000)])
        let reader = try sequence.makeReader(ReaderOptions(limits: .web))
        let durations = [try reader.nextFrame(), try reader.nextFrame(), try reader.nextFrame()]
            .map { $0?.duration }
        #expect(durations == [.seconds(1), .seconds(1), nil])
    }

    @Test func `an empty place stays empty, and pictures end above their names`() throws {
        let empty = PosterGrid.Item(nil, length: .zero, name: "missing")
        let items = [empty, try Self.clip(2, of: 1000)]
        let sequence = Self.grid.sequence(of: items)
        // 40 columns and 12 lines: one is the status line's.
        let size = PixelSize(width: 40, height: 24)
        let reader = try sequence.makeReader(ReaderOptions(size: size, limits: .web))
        let bitmap = try #require(try reader.nextFrame()).bitmap
        #expect(bitmap.size == size)
        for y in 0..<24 {
            for x in 0..<40 {
                let isIn = (20..<39).contains(x) && (6..<15).contains(y)
                if bitmap[x, y] != (isIn ? Self.palette[0] : .zero) { Issue.record("\(x) \(y)") }
            }
        }
        #expect(
            Self.grid.captions(of: items) == "\u{1B}[0m\u{1B}[12;1Hmissing             clip")
    }
}

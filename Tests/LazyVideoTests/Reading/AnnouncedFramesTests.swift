import LazyMedia
import Support
import Testing

@testable import LazyVideo

/// Readers that know which frames will be sought leave out others, and return the same.
@Suite(.ownThreads) struct AnnouncedFramesTests {
    @Test(arguments: VideoFrameReaderTests.clips)
    func `announced frames are those of a sequential read`(name: String) throws {
        let media = try opened(name)
        let all = try frames(of: media)
        _ = try media.frameIndex(CancellationFlag())
        for threads in 1...3 {
            for step in [2, 3, 7] {
                let reader = try media.makeReader(ReaderOptions(threads: threads))
                let wanted = Array(stride(from: step == 3 ? 2 : 0, to: all.count, by: step))
                reader.willRead(wanted)
                for number in wanted {
                    try reader.seek(toIndex: number)
                    let frame = try #require(try reader.nextFrame())
                    #expect(frame.timing == all[number].timing)
                    #expect(frame.bitmap == all[number].bitmap, "frame \(number)")
                }
                #expect(reader.warnings.isEmpty)
            }
        }
    }

    @Test(arguments: VideoFrameReaderTests.clips)
    func `announced single frames are those of other single frames`(name: String) throws {
        let media = try opened(name)
        let count = try media.frameIndex(CancellationFlag()).count
        let plain = try media.makeReader(ReaderOptions(isSingleFrame: true))
        let told = try media.makeReader(ReaderOptions(isSingleFrame: true))
        for wanted in [
            Array(stride(from: 1, to: count, by: 4)), Array(stride(from: 0, to: count, by: 3)),
        ] {
            told.willRead(wanted)
            for number in wanted {
                try plain.seek(toIndex: number)
                try told.seek(toIndex: number)
                let (one, other) = (try plain.nextFrame(), try told.nextFrame())
                #expect(one?.timing == other?.timing && one?.bitmap == other?.bitmap, "\(number)")
            }
        }
    }

    @Test(arguments: [
        "clip.mp4", "hevc.mp4", "av1.mp4", "av1-layers.mp4", "h264.mkv", "vfr.mp4", "mpeg4.avi",
        "vp9.webm",
    ])
    func `other frames than those announced are returned, too`(name: String) throws {
        let media = try opened(name)
        let all = try frames(of: media)
        _ = try media.frameIndex(CancellationFlag())
        var random = SplitMix(11)
        for threads in [1, 3] {
            let reader = try media.makeReader(ReaderOptions(threads: threads))
            var next = 0
            for _ in 0..<120 {
                switch Int.random(in: 0..<8, using: &random) {
                case 0:
                    let start = Int.random(in: 0..<all.count, using: &random)
                    reader.willRead(
                        Array(
                            stride(
                                from: start, to: all.count,
                                by: Int.random(in: 2...5, using: &random))))
                case 1: reader.willRead([])
                case 2: next = .random(in: 0..<all.count, using: &random)
                case 3, 4: next = min(all.count - 1, next + .random(in: 0...6, using: &random))
                default: break
                }
                guard next < all.count else {
                    next = 0
                    continue
                }
                if Bool.random(using: &random) { try reader.seek(toIndex: next) }
                let isAtPlace = reader.position == next
                if !isAtPlace { try reader.seek(toIndex: next) }
                let frame = try #require(try reader.nextFrame())
                #expect(frame.timing == all[next].timing)
                #expect(frame.bitmap == all[next].bitmap, "frame \(next)")
                next += 1
            }
        }
    }

    @Test(arguments: ["clip.mp4", "av1-layers.mp4"])
    func `reading on behind announced frames leaves nothing out`(name: String) throws {
        let media = try opened(name)
        let all = try frames(of: media)
        _ = try media.frameIndex(CancellationFlag())
        let reader = try media.makeReader(ReaderOptions(threads: 2))
        reader.willRead([1, 5, 9])
        try reader.seek(toIndex: 1)
        #expect(try reader.nextFrame()?.index == 1)
        let rest = try rest(of: reader)
        #expect(rest.map(\.timing) == all[2...].map(\.timing))
        #expect(rest.map(\.bitmap) == all[2...].map(\.bitmap))
        // A complete reading afterwards still agrees with the index.
        #expect(try frames(of: media).map(\.timing) == all.map(\.timing))
    }

    @Test(arguments: ["clip.mp4", "av1-layers.mp4"], [[], [6, 60], [40]])
    func `an announcement may end early, or be replaced`(name: String, other: [Int]) throws {
        let media = try opened(name)
        let all = try frames(of: media)
        _ = try media.frameIndex(CancellationFlag())
        let reader = try media.makeReader(ReaderOptions(threads: 2))
        reader.willRead([1, 9, 30, 50])
        for number in [1, 9] {
            try reader.seek(toIndex: number)
            #expect(try reader.nextFrame()?.bitmap == all[number].bitmap)
        }
        reader.willRead(other)
        for number in 10..<14 {
            let frame = try reader.nextFrame()
            #expect(frame?.timing == all[number].timing && frame?.bitmap == all[number].bitmap)
        }
        for number in other {
            try reader.seek(toIndex: number)
            #expect(try reader.nextFrame()?.bitmap == all[number].bitmap)
        }
    }

    @Test(.needs("ffmpeg"), arguments: DeinterlacingTests.kinds.indices)
    func `pictures of fields have their neighbors`(number: Int) throws {
        let kind = DeinterlacingTests.kinds[number]
        let scratch = Scratch()
        let media = try opened(
            MemoryBytes(DeinterlacingTests.clip(kind.arguments, kind.name, scratch)))
        let all = try frames(of: media)
        _ = try media.frameIndex(CancellationFlag())
        let reader = try media.makeReader(ReaderOptions(threads: 2))
        let wanted = Array(stride(from: 1, to: all.count, by: 3))
        reader.willRead(wanted)
        for number in wanted {
            try reader.seek(toIndex: number)
            let frame = try #require(try reader.nextFrame())
            #expect(frame.timing == all[number].timing && frame.bitmap == all[number].bitmap)
        }
    }

    @Test func `damaged packets end it, and change nothing`() throws {
        var bytes = try Media.array("clip.mp4")
        var random = SplitMix(3)
        for _ in 0..<12 {
            let place = Int.random(in: 60_000..<130_000, using: &random)
            for offset in 0..<40 { bytes[place + offset] ^= .random(in: 0...255, using: &random) }
        }
        let media = try opened(MemoryBytes(bytes))
        let index = try media.frameIndex(CancellationFlag())
        let wanted = Array(stride(from: 0, to: index.count, by: 3))
        let plain = try media.makeReader(ReaderOptions())
        let skipping = try media.makeReader(ReaderOptions())
        skipping.willRead(wanted)
        for number in wanted {
            try plain.seek(toIndex: number)
            try skipping.seek(toIndex: number)
            let (one, other) = (try plain.nextFrame(), try skipping.nextFrame())
            #expect(one?.timing.presentation == other?.timing.presentation)
        }
    }

    @Test(arguments: ["clip.mp4", "hevc.mp4", "h264.mkv", "av1-layers.mp4"], [1, 3])
    func `pictures that nothing refers to are not decoded`(name: String, threads: Int) throws {
        let media = try #require(try opened(name) as? OpenedVideo)
        _ = try media.frameIndex(CancellationFlag())
        let index = try #require(media.skippingIndex)
        let ticks = stride(from: 0, to: index.frames.count, by: 4).map { index.frames[$0].ticks }
        let pictures = try media.makePictures(threads: threads, CancellationFlag())
        pictures.selection.expected = ticks
        var decoded: [Int64] = []
        while let picture = try pictures.next() { decoded.append(picture.ticks) }
        #expect(Set(ticks).isSubset(of: decoded))
        #expect(decoded.count * 10 < index.frames.count * 9, "\(decoded.count)")
        #expect(decoded == decoded.sorted())
    }
}

extension FrameReader {
    /// The number of the next frame of a video.
    fileprivate var position: Int? { (self as? VideoFrameReader)?.position.number }
}

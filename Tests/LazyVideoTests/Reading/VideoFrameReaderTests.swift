import LazyMedia
import LazyVideo
import Support
import Testing

@Suite struct VideoFrameReaderTests {
    static let clips = [
        "clip.mp4", "small.mp4", "fragmented.mp4", "edit-list.mp4", "h264.mkv", "h264.ts",
        "h264.flv",
        "hevc.mp4", "av1.mp4", "av1-layers.mp4", "vp8.webm", "vp9.webm", "vp8-alpha.webm",
        "mpeg4.avi", "mjpeg.avi",
        "theora.ogv", "prores.mov", "raw.y4m", "vfr.mkv", "vfr.mp4", "animation.png",
        "rotated-90.mp4",
    ]

    @Test(arguments: clips) func `frames after any seeks equal those of a sequential read`(
        name: String
    ) throws {
        let media = try opened(name)
        let all = try frames(of: media)
        let reader = try opened(name).makeReader(ReaderOptions())
        var random = SplitMix(7)
        for _ in 0..<12 {
            let wanted = Int.random(in: all.indices, using: &random)
            if Bool.random(using: &random) {
                try reader.seek(toIndex: wanted)
            } else {
                try reader.seek(toTime: all[wanted].presentationTime + all[wanted].duration / 2)
            }
            for place in wanted..<min(wanted + 2, all.count) {
                let frame = try #require(try reader.nextFrame())
                #expect(frame.timing == all[place].timing)
                #expect(frame.bitmap == all[place].bitmap, "frame \(place)")
            }
        }
    }

    @Test(arguments: clips)
    func `every third frame of a known index equals that of a sequential read`(
        name: String
    ) throws {
        let media = try opened(name)
        let all = try frames(of: media)
        _ = try media.frameIndex(CancellationFlag())
        for options in [ReaderOptions(), ReaderOptions(threads: 3)] {
            let reader = try media.makeReader(options)
            for wanted in stride(from: 0, to: all.count, by: 3) {
                try reader.seek(toIndex: wanted)
                let frame = try #require(try reader.nextFrame())
                #expect(frame.timing == all[wanted].timing)
                #expect(frame.bitmap == all[wanted].bitmap, "frame \(wanted)")
            }
        }
    }

    @Test(arguments: clips)
    func `pictures that are left out change nothing of the others`(name: String) throws {
        let media = try opened(name)
        let all = try frames(of: media)
        for planes in [false, true] {
            let reader = try media.makeReader(ReaderOptions(planes: planes))
            var asked: [FrameTiming] = []
            for whole in all {
                let (timing, frame) = try #require(
                    try reader.nextFrame { timing in
                        asked.append(timing)
                        return timing.index % 4 == 1
                    })
                #expect(timing == whole.timing)
                let isLast = timing.index == all.count - 1
                #expect((frame != nil) == (timing.index % 4 == 1 || isLast))
                if let frame {
                    #expect(frame.timing == timing)
                    #expect(frame.bitmap == whole.bitmap || planes)
                }
            }
            #expect(try reader.nextFrame { _ in true } == nil)
            // How long the last one is shown no other frame tells.
            #expect(asked == all.dropLast().map(\.timing))
        }
    }

    @Test(arguments: ["clip.mp4", "hevc.mp4", "vp9.webm", "av1.mp4"])
    func `the number of threads changes nothing`(name: String) throws {
        let media = try opened(name)
        let one = try frames(of: media)
        let many = try frames(of: media, ReaderOptions(threads: 3))
        #expect(one.map(\.timing) == many.map(\.timing))
        #expect(one.map(\.bitmap) == many.map(\.bitmap))
    }

    @Test func `after the end the reader returns nil`() throws {
        let reader = try opened("small.mp4").makeReader(ReaderOptions())
        try reader.seek(toIndex: 24)
        #expect(try reader.nextFrame() == nil)
        #expect(try reader.nextFrame() == nil)
        try reader.seek(toIndex: 1000)
        #expect(try reader.nextFrame() == nil)
        try reader.seek(toTime: .seconds(1000))
        #expect(try reader.nextFrame()?.bitmap.barcode == 23)
        #expect(try reader.nextFrame() == nil)
        try reader.seek(toTime: .seconds(-1))
        #expect(try reader.nextFrame()?.bitmap.barcode == 0)
        try reader.seek(toIndex: 0)
        #expect(try rest(of: reader).map(\.bitmap.barcode) == Array(0..<24))
    }

    @Test func `variable frame rates keep their times`() throws {
        let times = try frames(of: opened("vfr.mkv")).map(\.timing.presentation.microseconds)
        let said: [Int64] = (0..<24).map { (40 * $0 + 3 * $0 * $0) * 1000 }
        #expect(times == said)
    }

    @Test func `keyframes keep their numbers and times`() throws {
        let media = try opened("small.mp4")
        let all = try frames(of: media)
        let keys = try frames(of: media, ReaderOptions(keyframesOnly: true))
        #expect(keys.map(\.index) == [0, 8, 16])
        for key in keys {
            #expect(key.bitmap == all[key.index].bitmap)
            #expect(key.presentationTime == all[key.index].presentationTime)
        }
        let reader = try media.makeReader(ReaderOptions(keyframesOnly: true))
        try reader.seek(toIndex: 9)
        #expect(try reader.nextFrame()?.index == 16)
    }

    @Test func `a single-frame reader gives the same frame`() throws {
        let media = try opened("clip.mp4")
        let all = try frames(of: media)
        let reader = try media.makeReader(ReaderOptions(threads: 3, isSingleFrame: true))
        try reader.seek(toTime: .milliseconds(3880))
        let frame = try #require(try reader.nextFrame())
        #expect(frame.index == 97)
        #expect(frame.bitmap == all[97].bitmap)
    }

    /// Clip, and the size of its frames when scaled to fit 80 columns.
    @Test(arguments: [
        ("small.mp4", 80, 48), ("rotated-90.mp4", 80, 48), ("wide-pixels.mp4", 80, 48),
        ("odd.mp4", 80, 45), ("still.jpg", 80, 48), ("still-orientation-6.jpg", 80, 48),
    ]) func `frames have the requested size`(name: String, width: Int, height: Int) throws {
        let size = PixelSize(width: width, height: height)
        let frame = try #require(
            try opened(name).makeReader(ReaderOptions(size: size)).nextFrame())
        #expect(frame.bitmap.size == size)
        #expect(frame.bitmap.barcode == (name.hasPrefix("still") ? 7 : 0))
    }

    @Test(arguments: ["vp8-alpha.webm", "vp9-alpha.webm"]) func `alpha in a second stream is kept`(
        name: String
    ) throws {
        let frame = try #require(try opened(name).makeReader(ReaderOptions()).nextFrame())
        #expect(!frame.bitmap.isOpaque)
        for (column, alpha) in [255, 170, 85, 0].enumerated() {
            let pixel = frame.bitmap[20 + 40 * column, 60]
            #expect(abs(Int(pixel.w) - alpha) <= 8)
        }
    }

    @Test func `video without alpha is opaque`() throws {
        for name in ["small.mp4", "rotated-90.mp4", "odd.webm", "still.jpg"] {
            let frame = try #require(try opened(name).makeReader(ReaderOptions()).nextFrame())
            #expect(frame.bitmap.isOpaque, "\(name)")
            #expect(frame.bitmap[0, 0].w == 255)
        }
    }

    @Test func `frames keep the sequence's size when the coded one changes`() throws {
        let reader = try opened("size-change.ts").makeReader(ReaderOptions())
        let frames = try rest(of: reader)
        #expect(frames.map(\.bitmap.barcode) == Array(0..<16))
        #expect(Set(frames.map(\.bitmap.size)) == [PixelSize(width: 160, height: 96)])
        #expect(reader.warnings.contains { $0.code == .sizeChange })
    }

    @Test(arguments: [nil, PixelSize(width: 40, height: 24)])
    func `a change of the coded size is told in the sizes of the film`(size: PixelSize?) throws {
        let reader = try opened("size-change.ts").makeReader(ReaderOptions(size: size))
        _ = try rest(of: reader)
        let warning = try #require(reader.warnings.first { $0.code == .sizeChange })
        #expect(warning.message.contains("from 160x96 to "))
        #expect(!warning.message.contains("40x24"))
    }

    @Test func `the limit of frames counts decoded frames`() throws {
        let limits = DecodingLimits(frames: 3)
        let reader = try opened("small.mp4", limits: limits).makeReader(
            ReaderOptions(limits: limits))
        for _ in 0..<3 { #expect(try reader.nextFrame() != nil) }
        let error = #expect(throws: MediaError.self) { try reader.nextFrame() }
        #expect(error?.excess?.limit == "frames")
    }

    @Test func `a reader spends its limits`() throws {
        let media = try opened("small.mp4")
        let reader = try media.makeReader(ReaderOptions(limits: DecodingLimits(frames: 3)))
        let error = #expect(throws: MediaError.self) { try rest(of: reader) }
        #expect(error?.excess?.limit == "frames")
        let options = ReaderOptions(limits: DecodingLimits(totalPixels: 160 * 96 * 5))
        let other = #expect(throws: MediaError.self) { try frames(of: media, options) }
        #expect(other?.excess?.limit == "totalPixels")
    }

    @Test func `scaled frames cost their decoded size`() throws {
        let options = ReaderOptions(
            size: PixelSize(width: 16, height: 10),
            limits: DecodingLimits(totalPixels: 160 * 96 * 5))
        let media = try opened("small.mp4")
        let error = #expect(throws: MediaError.self) { try frames(of: media, options) }
        #expect(error?.excess?.limit == "totalPixels")
    }

    @Test func `a cancelled reader throws cancelled`() throws {
        let flag = CancellationFlag()
        let media = try opened("clip.mp4")
        let reader = try media.makeReader(ReaderOptions(cancellation: flag))
        #expect(try reader.nextFrame() != nil)
        flag.cancel()
        #expect(throws: MediaError.self) { try reader.nextFrame() }
        #expect(throws: MediaError.self) { try media.frameIndex(flag) }
        do { _ = try reader.nextFrame() } catch { #expect(error.code == .cancelled) }
        // Another reader of the same media is not affected.
        #expect(try media.makeReader(ReaderOptions()).nextFrame()?.bitmap.barcode == 0)
    }

    @Test func `concurrent readers of one file are independent`() async throws {
        let media = try opened("small.mp4")
        let bitmaps = try frames(of: media).map(\.bitmap)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for start in 0..<8 {
                group.addTask {
                    let reader = try media.makeReader(ReaderOptions(threads: 1 + start % 3))
                    try reader.seek(toIndex: start * 3)
                    return try rest(of: reader).map(\.bitmap) == Array(bitmaps[(start * 3)...])
                }
            }
            for try await isEqual in group { #expect(isEqual) }
        }
    }
}

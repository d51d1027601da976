import LazyMedia
import Support
import Testing

@testable import LazyCodecs

@Suite struct GIFFrameReaderTests {
    @Test(arguments: 1...12)
    func `frames in any order equal those of a sequential read`(_ seed: UInt64) throws {
        let bytes = randomGIF(seed: seed)
        let frames = readGIF(bytes).frames
        #expect(frames.count == 24)
        for threads in [1, 3] {
            let reader = try makeGIFReader(bytes, ReaderOptions(threads: threads))
            var random = SplitMix(seed)
            for _ in 0..<60 {
                let index = Int.random(in: 0..<frames.count, using: &random)
                try reader.seek(toIndex: index)
                for frame in frames[index...].prefix(Int.random(in: 1...3, using: &random)) {
                    let got = try #require(try reader.nextFrame())
                    #expect(got.timing == frame.timing)
                    #expect(got.bitmap == frame.bitmap, "frame \(frame.index) of seed \(seed)")
                }
            }
        }
    }

    @Test func `only the first few images that end early are reported`() throws {
        var forge = GIFForge(width: 4, height: 4)
        for _ in 0..<40 {
            forge.descriptor(width: 4, height: 4)
            // A clear code and an end code: no index at all, and in good order.
            forge.byte(2)
            forge.blocks([0x2C])
        }
        forge.trailer()
        let reader = try makeGIFReader(forge.bytes)
        try reader.seek(toIndex: 39)
        #expect(try reader.nextFrame()?.index == 39)
        #expect((1...16).contains(reader.warnings.count))
    }

    @Test(arguments: 1...6)
    func `threads make no difference`(_ seed: UInt64) {
        let bytes = randomGIF(seed: seed, images: 60, width: 70, height: 50)
        let one = readGIF(bytes).frames
        for threads in [2, 4] {
            let many = readGIF(bytes, ReaderOptions(threads: threads)).frames
            #expect(many.map(\.bitmap) == one.map(\.bitmap))
            #expect(many.map(\.timing) == one.map(\.timing))
        }
    }

    @Test func `a reader on many threads may be dropped at any frame`() throws {
        let bytes = randomGIF(seed: 3, images: 20, width: 200, height: 100)
        for count in 0...20 {
            let reader = try makeGIFReader(bytes, ReaderOptions(threads: 4))
            for index in 0..<count { #expect(try reader.nextFrame()?.index == index) }
        }
    }

    @Test func `only keyframes are read when only they are wanted`() throws {
        let bytes = randomGIF(seed: 9, images: 80)
        let keys = readGIF(bytes).frames.filter(\.isKeyframe)
        #expect(keys.count > 1 && keys.count < 80)
        for threads in [1, 2] {
            let options = ReaderOptions(threads: threads, keyframesOnly: true)
            #expect(readGIF(bytes, options).frames.map(\.bitmap) == keys.map(\.bitmap))
        }
    }

    @Test(arguments: [(-50, 0), (0, 0), (99, 0), (100, 1), (149, 1), (150, 2), (9999, 2)])
    func `a time leads to the frame shown then`(_ milliseconds: Int, _ index: Int) throws {
        var forge = GIFForge(width: 1, height: 1, palette: GIFForge.palette)
        for (delay, row) in [(10, "R"), (5, "G"), (20, "B")] {
            forge.control(delay: delay)
            forge.picture([row])
        }
        let reader = try makeGIFReader(forge.bytes)
        try reader.seek(toTime: .milliseconds(milliseconds))
        #expect(try reader.nextFrame()?.index == index)
    }

    @Test func `there is no frame at the end, and one before it again`() throws {
        let reader = try makeGIFReader(randomGIF(seed: 2))
        try reader.seek(toIndex: 24)
        #expect(try reader.nextFrame() == nil)
        try reader.seek(toIndex: 1000)
        #expect(try reader.nextFrame() == nil)
        try reader.seek(toIndex: -3)
        #expect(try reader.nextFrame()?.index == 0)
    }

    @Test func `a size scales each composed frame`() throws {
        var forge = GIFForge(width: 4, height: 2, palette: GIFForge.palette)
        forge.picture(["RRBB", "RRBB"])
        forge.picture(left: 2, ["GG", "GG"])
        let options = ReaderOptions(size: PixelSize(width: 2, height: 1))
        let frames = readGIF(forge.bytes, options).frames
        #expect(frames.map(\.bitmap.letters) == [["RB"], ["RG"]])
        #expect(frames.map(\.bitmap.isOpaque) == [true, true])
    }

    @Test func `a set flag ends reading at once`() throws {
        let options = ReaderOptions(threads: 2)
        let reader = try makeGIFReader(randomGIF(seed: 1), options)
        #expect(try reader.nextFrame() != nil)
        options.cancellation.cancel()
        let error = #expect(throws: MediaError.self) { try reader.nextFrame() }
        #expect(error?.code == .cancelled)
    }

    @Test func `opening a GIF gives all but pixels`() throws {
        var forge = GIFForge(width: 3, height: 2, palette: GIFForge.palette)
        forge.loop(3)
        forge.control(delay: 50)
        forge.picture(["RRR", "RRR"])
        forge.trailer()
        let info = try openGIF(forge.bytes).info
        #expect(info.type == .gif)
        #expect(info.codec == "gif")
        #expect(info.size == PixelSize(width: 3, height: 2))
        #expect(info.frameCount == 1)
        #expect(info.duration == .milliseconds(500))
        #expect(info.loop == LoopCount(raw: 3, plays: 4))
        #expect(!info.hasAlpha)
        #expect(!info.isTruncated)
        #expect(info.warnings == [])
        #expect(info.streams.map(\.codec) == ["gif"])
    }

    @Test func `only GIF is opened`() {
        let decoder = GIFDecoder()
        #expect(decoder.name == "giflib")
        #expect(decoder.canOpen(.gif))
        #expect(!decoder.canOpen(.png))
    }

    @Test func `every handle is freed, however reading ends`() async {
        await #expect(processExitsWith: .success) {
            for length in stride(from: 0, through: randomGIF(seed: 4).count, by: 17) {
                _ = readGIF(Array(randomGIF(seed: 4)[..<length]), ReaderOptions(threads: 2))
            }
            _ = try makeGIFReader(randomGIF(seed: 4), ReaderOptions(threads: 3)).nextFrame()
            precondition(LiveHandles.count == 0)
        }
    }
}

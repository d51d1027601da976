import LazyMedia
import LazyVideo
import Support
import Testing

@Suite struct SingleFrameTests {
    @Test(arguments: VideoFrameReaderTests.clips)
    func `single frames in any order equal those of a sequential read`(name: String) throws {
        let media = try opened(name)
        let all = try frames(of: media)
        let keys = all.indices.filter { all[$0].timing.isKeyframe }
        for threads in [1, 3] {
            let options = ReaderOptions(threads: threads, isSingleFrame: true)
            let reader = try opened(name).makeReader(options)
            var random = SplitMix(11)
            // A decoder may be asked for keyframes only.
            let places = keys + (0..<6).map { _ in Int.random(in: all.indices, using: &random) }
            for wanted in (places + keys).shuffled(using: &random) {
                try reader.seek(toIndex: wanted)
                for place in wanted..<min(wanted + 2, all.count) {
                    let frame = try #require(try reader.nextFrame(), "frame \(place)")
                    #expect(frame.timing.presentation == all[place].timing.presentation)
                    #expect(frame.index == place)
                    #expect(frame.bitmap == all[place].bitmap, "frame \(place)")
                }
            }
        }
    }

    @Test(arguments: VideoFrameReaderTests.clips)
    func `first frames without a seek equal those of a sequential read`(name: String) throws {
        let all = try frames(of: try opened(name))
        let reader = try opened(name).makeReader(ReaderOptions(isSingleFrame: true))
        for place in 0..<min(3, all.count) {
            let frame = try #require(try reader.nextFrame(), "frame \(place)")
            #expect(frame.timing.presentation == all[place].timing.presentation)
            #expect(frame.index == place)
            #expect(frame.bitmap == all[place].bitmap, "frame \(place)")
        }
    }

    @Test(arguments: ["small.mp4", "rotated-90.mp4", "h264.mov"])
    func `the first frame of H.264 needs no packet but its own`(name: String) throws {
        let first = try #require(
            try opened(name).makeReader(ReaderOptions(isSingleFrame: true)).nextFrame())
        var bytes = try Media.array(name)
        for index in try #require(Self.secondPicture(in: bytes)) { bytes[index] = 0xFF }
        let reader = try opened(MemoryBytes(bytes)).makeReader(ReaderOptions(isSingleFrame: true))
        #expect(try reader.nextFrame()?.bitmap == first.bitmap)
        #expect(reader.warnings.isEmpty)
        // The damage is found where it matters.
        _ = try reader.nextFrame()
        #expect(reader.warnings.map(\.code) == [.corruptPackets])
    }

    /// The first slice of a movie's second picture, without the byte that tells its type.
    private static func secondPicture(in bytes: [UInt8]) -> Range<Int>? {
        guard var place = bytes.firstRange(of: Array("mdat".utf8))?.upperBound else { return nil }
        while place + 4 < bytes.count {
            let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            if bytes[place + 4] & 31 == 1 { return place + 5..<place + 4 + length }
            place += 4 + length
        }
        return nil
    }

    @Test(arguments: ["clip.mp4", "hevc.mp4", "vp9.webm", "rotated-90.mp4", "h264.ts"])
    func `the last frame at another size equals that of a reader of the size`(
        name: String
    ) throws {
        let media = try opened(name)
        let (small, large) = (PixelSize(width: 32, height: 20), PixelSize(width: 88, height: 64))
        let reader = try media.makeReader(ReaderOptions(size: small, isSingleFrame: true))
        let other = try media.makeReader(ReaderOptions(size: large))
        #expect(try reader.lastFrame(at: large) == nil)
        for wanted in [0, 9, 3, 8] {
            try reader.seek(toIndex: wanted)
            try other.seek(toIndex: wanted)
            let first = try #require(try reader.nextFrame())
            #expect(first.bitmap.size == small)
            let frame = try #require(try reader.lastFrame(at: large))
            #expect(frame.bitmap == (try other.nextFrame())?.bitmap)
            #expect(frame.timing == first.timing)
        }
    }
}

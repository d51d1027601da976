import LazyMedia
import LazyVideo
import Support
import Testing

/// Remote bytes are read only where needed, and the frames are the same.
@Suite struct RemoteVideoTests {
    /// Behaves like a server, and counts each read byte.
    private final class Remote: ByteSource {
        let counting: CountingBytes
        let announced = Locked<[Range<Int>]>([])

        init(_ bytes: [UInt8]) throws { counting = CountingBytes(try MemoryBytes(bytes)) }

        var count: Int { counting.count }
        var isRemote: Bool { true }

        func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
            counting.read(at: offset, into: buffer)
        }

        func willRead(_ range: Range<Int>) { announced.withLock { $0.append(range) } }

        func contiguous() -> MemoryBytes { counting.contiguous() }
    }

    @Test(arguments: VideoFrameReaderTests.clips + ["h264.mov", "hevc-10bit.mp4", "odd.webm"])
    func `a single remote frame equals that of a sequential read`(name: String) throws {
        let all = try frames(of: opened(name))
        let bytes = try Media.array(name)
        let media = try opened(Remote(bytes))
        for (number, wanted) in all.enumerated() where number % 5 == 3 || number > all.count - 3 {
            for instant in [wanted.presentationTime, wanted.presentationTime + wanted.duration / 2]
            {
                let reader = try media.makeReader(ReaderOptions(threads: 2, isSingleFrame: true))
                try reader.seek(toTime: instant)
                let frame = try #require(try reader.nextFrame())
                #expect(frame.bitmap == wanted.bitmap, "frame \(number)")
                #expect(frame.timing.presentation == wanted.timing.presentation)
                // Matroska's cues do not count frames: the number is estimated from a constant rate.
                if name != "vfr.mkv" { #expect(frame.index == number) }
            }
        }
        let reader = try media.makeReader(ReaderOptions(isSingleFrame: true))
        try reader.seek(toTime: .seconds(1000))
        #expect(try reader.nextFrame()?.bitmap == all.last?.bitmap)
        try reader.seek(toTime: .zero)
        #expect(try reader.nextFrame()?.bitmap == all.first?.bitmap)
    }

    @Test(arguments: VideoFrameReaderTests.clips) func `tables and packets give the same index`(
        name: String
    ) throws {
        let packets = try opened(name).frameIndex(CancellationFlag())
        let tables = try opened(Remote(Media.array(name))).frameIndex(CancellationFlag())
        #expect(packets.timings == tables.timings)
        let index = try opened(name).containerIndex(CancellationFlag())
        #expect(index.count == packets.count)
        #expect(index.duration == packets.duration)
    }

    /// The request, and the most bytes that may be read of some 10 million.
    @Test(
        arguments: [
            (PosterChoice.first, 260_000), (.at(.milliseconds(3880)), 460_000),
            (.percent(50), 460_000),
            (.auto, 1_400_000), (.index(60), 500_000), (.index(-1), 500_000),
        ], [true, false])
    func `a poster reads the tables and one group of pictures`(
        poster: (choice: PosterChoice, most: Int), tablesFirst: Bool
    ) async throws {
        let clip = try Media.array("clip.mp4")
        let long = MovieForge.spread(clip, room: 2_000_000, tablesFirst: tablesFirst)
        let near = try await FrameSequence(opened(MemoryBytes(clip))).poster(poster.choice)
        let remote = try Remote(long)
        let far = try await FrameSequence(opened(remote)).poster(poster.choice)
        #expect(near.bitmap == far.bitmap)
        #expect(near.timing?.presentation == far.timing?.presentation)
        #expect(near.timing?.index == far.timing?.index)
        #expect(remote.counting.bytesRead < poster.most)
    }

    @Test func `the description needs only the tables`() async throws {
        for isFirst in [true, false] {
            let clip = try Media.array("clip.mp4")
            let remote = try Remote(MovieForge.spread(clip, room: 2_000_000, tablesFirst: isFirst))
            let info = try await FrameSequence(opened(remote)).detailedInfo()
            #expect(info.frameCount == 125)
            #expect(remote.counting.bytesRead < 260_000)
        }
    }

    @Test(arguments: [true, false])
    func `the tables are announced before they are read, wherever they are`(isFirst: Bool) throws {
        let bytes = MovieForge.spread(
            try Media.array("clip.mp4"), room: 2_000_000, tablesFirst: isFirst)
        let remote = try Remote(bytes)
        _ = try opened(remote)
        let tables = try #require(MovieForge.tables(of: bytes))
        let announced = remote.announced.withLock { $0 }
        // Behind the samples the whole rest of the file is announced before it is known what it is.
        #expect(announced == (isFirst ? [tables.content] : [tables.box, tables.content]))
    }

    @Test func `empty and short boxes for samples announce nothing`() throws {
        let bytes = try Media.array("moov-last.mp4")
        for count in 0..<20 {
            // Where FFmpeg's writer has one, too: behind the type and before the tables.
            let box = HostileForge.box("mdat", [UInt8](repeating: 0, count: count))
            let type = Int(bytes[3])
            let remote = try Remote(Array(bytes[..<type]) + box + bytes[type...])
            _ = try? opened(remote)
            #expect(remote.announced.withLock { $0 }.allSatisfy { $0.upperBound == remote.count })
        }
    }

    @Test func `samples and fragments are not announced`() throws {
        for name in ["fragmented.mp4", "edit-list.mp4"] {
            let bytes = try Media.array(name)
            let remote = try Remote(bytes)
            let media = try opened(remote)
            _ = try media.frameIndex(CancellationFlag())
            let tables = try #require(MovieForge.tables(of: bytes))
            let announced = remote.announced.withLock { $0 }
            #expect(announced.allSatisfy { $0.lowerBound >= tables.box.lowerBound })
            #expect(announced.contains(tables.content))
            #expect(announced.reduce(0) { $0 + $1.count } <= 2 * tables.box.count)
        }
    }

    @Test func `tables that list every picture as a keyframe are detected`() throws {
        // Without a list of keyframes all pictures are keyframes (8.6.2); the packets differ.
        var bytes = try Media.array("clip.mp4")
        let list = try #require(bytes.firstRange(of: Array("stss".utf8)))
        bytes.replaceSubrange(list, with: Array("free".utf8))
        let all = try frames(of: opened("clip.mp4"))
        let media = try opened(Remote(bytes))
        for number in [13, 60, 124] {
            let reader = try media.makeReader(ReaderOptions(isSingleFrame: true))
            try reader.seek(toTime: all[number].presentationTime)
            let frame = try #require(try reader.nextFrame())
            #expect(frame.bitmap == all[number].bitmap)
            #expect(frame.index == number)
        }
    }

    /// Fails every read beyond an offset, like a cancelled load.
    private final class Cancelled: ByteSource {
        let bytes: MemoryBytes
        let end: Int

        init(_ bytes: MemoryBytes, beyond end: Int) {
            self.bytes = bytes
            self.end = end
        }

        var count: Int { bytes.count }

        func read(
            at offset: Int, into buffer: UnsafeMutableRawBufferPointer
        ) throws(MediaError) -> Int {
            if offset >= end { throw .cancelled }
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(end - offset))
            return bytes.read(at: offset, into: part)
        }

        func contiguous() -> MemoryBytes { bytes }
    }

    @Test(arguments: ["clip.mp4", "moov-last.mp4", "fragmented.mp4", "vp9.webm", "h264.ts"])
    func `a cancelled read makes opening throw cancelled`(name: String) throws {
        let bytes = try Media.bytes(name)
        for end in [0, 20, 1000] {
            let error = #expect(throws: MediaError.self) {
                let source = Cancelled(bytes, beyond: end)
                _ = try VideoDecoder().open(source, type: videoType(bytes), limits: .web)
            }
            #expect(error?.code == .cancelled, "beyond \(end)")
        }
    }
}

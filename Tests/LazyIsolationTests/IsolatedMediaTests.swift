import Glibc
import LazyBase
import LazyIsolation
import LazyKit
import LazyMedia
import Support
import Testing

@Suite(.ownThreads) struct IsolatedMediaTests {
    private static let host = Hosts.standard()
    private static let registry = DecoderRegistry.standard.isolated(by: host)

    /// A clip opened in both ways, or the errors of both.
    private func pair(_ name: String) throws -> (here: any OpenedMedia, there: any OpenedMedia)? {
        let path = Media.path(name)
        let here = Result { () throws(MediaError) in
            try DecoderRegistry.standard.open(FileBytes(path: path), limits: .local)
        }
        let there = Result { () throws(MediaError) in
            try Self.registry.open(FileBytes(path: path), limits: .local)
        }
        switch (here, there) {
        case (.success(let here), .success(let there)): return (here, there)
        case (.failure(let here), .failure(let there)):
            #expect(here.code == there.code && here.message == there.message)
            return nil
        default:
            Issue.record("\(name): \(here) and \(there)")
            return nil
        }
    }

    private func expectEqual(_ here: Frame?, _ there: Frame?, _ place: String) {
        #expect(here?.timing == there?.timing, "\(place)")
        #expect(here?.bitmap == there?.bitmap, "\(place)")
        #expect(here?.deep == there?.deep, "\(place)")
        #expect(here?.color == there?.color, "\(place)")
        #expect(here?.bitmap.isOpaque == there?.bitmap.isOpaque, "\(place)")
        #expect((here?.planes == nil) == (there?.planes == nil), "\(place)")
        if let here = here?.planes, let there = there?.planes {
            #expect(here.matrix == there.matrix && here.isFullRange == there.isFullRange)
            #expect(here.withBytes { Array($0) } == there.withBytes { Array($0) }, "\(place)")
        }
    }

    private func expectEqual(
        _ pair: (here: any OpenedMedia, there: any OpenedMedia), _ options: ReaderOptions,
        _ name: String, atMost most: Int = 60
    ) throws {
        let here = Result { () throws(MediaError) in try pair.here.makeReader(options) }
        let there = Result { () throws(MediaError) in try pair.there.makeReader(options) }
        guard case .success(let here) = here, case .success(let there) = there else {
            #expect((try? here.get()) == nil && (try? there.get()) == nil, "\(name)")
            return
        }
        for number in 0..<most {
            let frames = (
                Result { () throws(MediaError) in try here.nextFrame() },
                Result { () throws(MediaError) in try there.nextFrame() }
            )
            switch frames {
            case (.success(let left), .success(let right)):
                expectEqual(left, right, "\(name), frame \(number)")
                if left == nil {
                    #expect(here.warnings == there.warnings)
                    return
                }
            case (.failure(let left), .failure(let right)):
                #expect(left.code == right.code && left.message == right.message)
                return
            default:
                Issue.record("\(name), frame \(number): \(frames)")
                return
            }
        }
    }

    @Test(arguments: Media.names)
    func `All media come out as in this process`(_ name: String) throws {
        guard let pair = try pair(name) else { return }
        let (here, there) = (pair.here.info, pair.there.info)
        #expect(String(describing: here) == String(describing: there))
        try expectEqual(pair, ReaderOptions(limits: .local), name)
        let size = PixelSize(width: 57, height: 31)
        try expectEqual(
            pair, ReaderOptions(size: size, limits: .local, planes: true), name, atMost: 5)
        var deep = ReaderOptions(limits: .local)
        (deep.color, deep.samples) = (.source, .sixteen)
        try expectEqual(pair, deep, name, atMost: 3)
        try expectEqual(
            pair, ReaderOptions(limits: .local, keyframesOnly: true, isSingleFrame: true), name,
            atMost: 1)
        #expect(String(describing: pair.here.info) == String(describing: pair.there.info))
    }

    @Test(
        arguments: [
            "clip.mp4", "interlaced.mp4", "counter.gif", "vp9.webm", "animation.webp",
            "animation.png",
        ])
    func `Seeks give the same frames in any order`(_ name: String) throws {
        let pair = try #require(try pair(name))
        let (here, there) = (
            try pair.here.makeReader(ReaderOptions(limits: .local)),
            try pair.there.makeReader(ReaderOptions(limits: .local))
        )
        let count = try pair.here.frameIndex(CancellationFlag()).count
        for number in [count - 1, 0, count / 2, count / 2 + 1, 3, count + 5, 1] {
            try here.seek(toIndex: number)
            try there.seek(toIndex: number)
            for _ in 0..<3 {
                expectEqual(try here.nextFrame(), try there.nextFrame(), "\(name), \(number)")
            }
        }
        for time in [0.0, 0.51, 99, -1, 0.2] {
            try here.seek(toTime: .seconds(time))
            try there.seek(toTime: .seconds(time))
            expectEqual(try here.nextFrame(), try there.nextFrame(), "\(name), \(time) s")
        }
    }

    @Test(arguments: Media.names)
    func `Indexes, posters and films are the same`(_ name: String) throws {
        guard let pair = try pair(name) else { return }
        let flag = CancellationFlag()
        let options = ReaderOptions(limits: .local)
        func result<Value>(_ work: () throws(MediaError) -> Value) -> Result<Value, MediaError> {
            Result { () throws(MediaError) in try work() }
        }
        func same<Value: Equatable>(_ work: (any OpenedMedia) throws(MediaError) -> Value) {
            let here = result { () throws(MediaError) in try work(pair.here) }
            let there = result { () throws(MediaError) in try work(pair.there) }
            switch (here, there) {
            case (.success(let here), .success(let there)): #expect(here == there, "\(name)")
            case (.failure(let here), .failure(let there)):
                #expect(here.code == there.code && here.message == there.message, "\(name)")
            default: Issue.record("\(name): \(here) and \(there)")
            }
        }
        same { (media) throws(MediaError) in try media.frameIndex(flag).timings }
        same { (media) throws(MediaError) in try media.containerIndex(flag).timings }
        same { (media) throws(MediaError) in try media.cheapFrameIndex(flag)?.timings }
        // Counting the frames may have changed what the header said.
        same { (media) throws(MediaError) in String(describing: media.info) }
        same { (media) throws(MediaError) in try media.embeddedPoster(options) }
        same { (media) throws(MediaError) in
            try media.motionFilm().contiguous().withBytes { Array($0) }
        }
        same { (media) throws(MediaError) in try media.soundTrack(.standard, flag)?.format }
        same { (media) throws(MediaError) in
            guard let reader = try media.soundTrack(.standard, flag)?.makeReader(flag) else {
                return [[UInt8]]()
            }
            var packets: [[UInt8]] = []
            while let packet = try reader.next() {
                packets.append(packet.bytes + Array("\(packet.start) \(packet.length)".utf8))
            }
            return packets
        }
        same { (media) throws(MediaError) in try media.subtitleTrack(.standard, flag) }
    }

    @Test(arguments: [
        "clip.mp4", "counter.gif", "still.jpg", "vp9.webm", "photo.heic", "animation.avif",
    ])
    func `Bytes that the host reads itself give the same frames`(_ name: String) throws {
        let source = RangesOnly(try Media.bytes(name))
        let there = try Self.registry.open(source, limits: .local)
        let here = try DecoderRegistry.standard.open(
            RangesOnly(try Media.bytes(name)), limits: .local)
        try expectEqual((here, there), ReaderOptions(limits: .local), name)
        #expect(source.readCount.withLock { $0 } > 0)
    }

    @Test func `An open file is passed on, and not read by the host`() throws {
        let source = UnreadFile(try FileBytes(path: Media.path("counter.gif")))
        let there = try Self.registry.open(source, as: .gif, limits: .local)
        let here = try DecoderRegistry.standard.open(
            FileBytes(path: Media.path("counter.gif")), limits: .local)
        try expectEqual((here, there), ReaderOptions(limits: .local), "counter.gif")
    }

    @Test(arguments: ["clip.mp4", "av1.mp4", "counter.gif"])
    func `Announced frames are the same`(_ name: String) throws {
        let pair = try #require(try pair(name))
        let count = try pair.here.frameIndex(CancellationFlag()).count
        _ = try pair.there.frameIndex(CancellationFlag())
        let (here, there) = (
            try pair.here.makeReader(ReaderOptions(limits: .local)),
            try pair.there.makeReader(ReaderOptions(limits: .local, threads: 2))
        )
        let wanted = Array(stride(from: 1, to: count, by: 3))
        there.willRead(wanted)
        for number in wanted {
            try here.seek(toIndex: number)
            try there.seek(toIndex: number)
            let frame = try #require(try there.nextFrame())
            expectEqual(try here.nextFrame(), frame, "\(name), frame \(number)")
        }
        // What was not announced.
        try here.seek(toIndex: 3)
        try there.seek(toIndex: 3)
        expectEqual(try here.nextFrame(), try there.nextFrame(), name)
    }

    @Test(arguments: ["clip.mp4", "counter.gif", "vp9.webm", "interlaced.mp4"], [2, 5, 25])
    func `Pictures that are declined are left out as in this process`(
        _ name: String, _ every: Int
    ) throws {
        let pair = try #require(try pair(name))
        let readers = try [pair.here, pair.there].map {
            try $0.makeReader(ReaderOptions(limits: .local, threads: 2))
        }
        var leftOut = [0, 0]
        var count = 0
        // Every frame after the 30th is wanted, so that reading ahead begins again.
        let isWanted = { (timing: FrameTiming) in timing.index > 30 || timing.index % every == 1 }
        while true {
            let next = try readers.map { try $0.nextFrame(where: isWanted) }
            #expect(next[0]?.timing == next[1]?.timing, "\(name), frame \(count)")
            guard let here = next[0], let there = next[1] else { break }
            if isWanted(here.timing) {
                expectEqual(here.frame, there.frame, "\(name), frame \(count)")
            }
            for (number, step) in [here, there].enumerated() where step.frame == nil {
                leftOut[number] += 1
            }
            count += 1
        }
        // The host cannot decline the first one before it has it.
        #expect(leftOut[1] == max(0, leftOut[0] - 1))
        #expect(readers[0].warnings == readers[1].warnings)
    }

    @Test
    func `A reader may be sought after a declined picture, and lasts while it waits`() throws {
        let pair = try #require(try pair("clip.mp4"))
        let readers = try [pair.here, pair.there].map {
            try $0.makeReader(ReaderOptions(limits: .local))
        }
        for wanted in [0, 20, 7] {
            for reader in readers { try reader.seek(toIndex: wanted) }
            for _ in 0..<3 {
                let next = try readers.map { try $0.nextFrame { $0.index % 9 == 8 } }
                #expect(next[0]?.timing == next[1]?.timing)
                if let there = next[1]?.frame { expectEqual(next[0]?.frame ?? there, there, "") }
            }
            expectEqual(
                try readers[0].nextFrame(), try readers[1].nextFrame(), "after \(wanted)")
        }
    }

    @Test
    func `The host hears which tables are going to be read`() throws {
        let source = RangesOnly(try Media.bytes("moov-last.mp4"))
        _ = try Self.registry.open(source, limits: .local)
        let tables = source.announced.withLock { $0.first }
        let here = RangesOnly(try Media.bytes("moov-last.mp4"))
        _ = try DecoderRegistry.standard.open(here, limits: .local)
        #expect(try #require(tables).upperBound == source.count)
        #expect(here.announced.withLock { $0 } == source.announced.withLock { $0 })
    }

    @Test(arguments: [("counter.gif", 3), ("clip.gif", 0), ("animation.webp", 3)])
    func `Loops are changed as in this process`(_ name: String, _ plays: Int) throws {
        guard Media.names.contains(name) else { return }
        let bytes = try Media.bytes(name)
        let rewriter = try #require(try MediaType.sniffing(bytes).rewriter)
        let change = TimingChange(plays: plays == 0 ? .forever : .times(plays), delays: .speed(2))
        var (here, there): ([UInt8], [UInt8]) = ([], [])
        try rewriter.rewrite(bytes, change, limits: .local) { here += $0 }
        try #require(DecoderRegistry.standard.isolated(by: Self.host).rewriter(for: rewriter.type))
            .rewrite(bytes, change, limits: .local) { there += $0 }
        #expect(here == there && !here.isEmpty)
    }

    @Test
    func `A reader continues where it was after its decoder has ended`() throws {
        // One decoder for two media: each call ends that of the other.
        let registry = DecoderRegistry.standard.isolated(
            by: Hosts.standard { $0.maximumProcesses = 1 })
        let names = ["clip.mp4", "counter.gif"]
        let expected = try names.map {
            try DecoderRegistry.standard.open(FileBytes(path: Media.path($0)), limits: .local)
                .makeReader(ReaderOptions(limits: .local))
        }
        let readers = try names.map {
            try registry.open(FileBytes(path: Media.path($0)), limits: .local)
                .makeReader(ReaderOptions(limits: .local))
        }
        for number in 0..<8 {
            for (here, there) in zip(expected, readers) {
                expectEqual(try here.nextFrame(), try there.nextFrame(), "frame \(number)")
            }
        }
    }

    @Test
    func `A decoder that nobody uses ends, and its media can be used again`() async throws {
        let host = Hosts.standard { $0.idleTime = .milliseconds(20) }
        let registry = DecoderRegistry.standard.isolated(by: host)
        let media = FrameSequence(
            try registry.open(FileBytes(path: Media.path("clip.mp4")), limits: .local))
        let first = try await media.frame(3)
        while host.liveDecoders > 0 { try await Task.sleep(for: .milliseconds(5)) }
        let again = try await media.frame(3)
        #expect(first.bitmap == again.bitmap)
    }

    @Test
    func `Many readers of one media read at once`() async throws {
        let media = FrameSequence(
            try Self.registry.open(FileBytes(path: Media.path("clip.mp4")), limits: .local))
        let expected = FrameSequence(
            try DecoderRegistry.standard.open(
                FileBytes(path: Media.path("clip.mp4")), limits: .local))
        var bitmaps: [Bitmap] = []
        for try await frame in expected.frames() { bitmaps.append(frame.bitmap) }
        let wanted = bitmaps
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    var number = 0
                    for try await frame in media.frames() {
                        #expect(frame.bitmap == wanted[number])
                        number += 1
                    }
                    #expect(number == wanted.count)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test
    func `Media that its decoder declines goes to the next one`() throws {
        // A precision that libjpeg does not have.
        var bytes = try Media.array("still.jpg")
        let frame = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xC0]) })
        bytes[frame + 4] = 12
        let source = try MemoryBytes(bytes)
        let registry = DecoderRegistry.standard.isolated(by: Hosts.standard())
        let outcomes = [DecoderRegistry.standard, registry].map { registry in
            Result { () throws(MediaError) in try registry.open(source, limits: .local).info }
        }
        #expect(String(describing: outcomes[0]) == String(describing: outcomes[1]))
    }

    @Test
    func `Processes forked ahead decode as others do`() throws {
        let registry = DecoderRegistry.standard.isolated(
            by: Hosts.standard { $0.isolation = .pooled(2) })
        for name in ["clip.mp4", "counter.gif", "still.jpg", "clip.mp4", "animation.webp"] {
            let here = try DecoderRegistry.standard.open(
                FileBytes(path: Media.path(name)), limits: .local)
            let there = try registry.open(FileBytes(path: Media.path(name)), limits: .local)
            try expectEqual((here, there), ReaderOptions(limits: .local), name, atMost: 5)
        }
    }

    @Test
    func `Cancelling ends a decoder that works, and frees its place`() async throws {
        let host = Hosts.standard { $0.maximumProcesses = 1 }
        let registry = DecoderRegistry.standard.isolated(by: host)
        let media = FrameSequence(
            try registry.open(FileBytes(path: Media.path("clip.mp4")), limits: .local))
        let task = Task {
            for try await _ in media.frames(looping: .forever) {}
        }
        while host.liveDecoders == 0 { try await Task.sleep(for: .milliseconds(1)) }
        task.cancel()
        _ = await task.result
        let other = try registry.open(FileBytes(path: Media.path("counter.gif")), limits: .local)
        #expect(try other.makeReader(ReaderOptions(limits: .local)).nextFrame()?.index == 0)
    }

    @Test
    func `Lent pixels are those of copies`() throws {
        let pair = try #require(try pair("clip.mp4"))
        var options = ReaderOptions(limits: .local)
        options.lendsPixels = true
        let reader = try pair.there.makeReader(options)
        var frames: [Frame] = []
        while let frame = try reader.nextFrame() { frames.append(frame) }
        let here = try pair.here.makeReader(ReaderOptions(limits: .local))
        for frame in frames { expectEqual(try here.nextFrame(), frame, "frame \(frame.index)") }
    }

    @Test(arguments: Media.names.filter { $0.hasPrefix("still") })
    func `A still is read again while the first picture is still lent`(_ name: String) throws {
        guard let pair = try pair(name) else { return }
        var options = ReaderOptions(limits: .local)
        options.lendsPixels = true
        let reader = try pair.there.makeReader(options)
        var frames: [Frame] = []
        for _ in 0..<12 {
            frames.append(try #require(try reader.nextFrame()))
            try reader.seek(toIndex: 0)
        }
        let expected = try pair.here.makeReader(ReaderOptions(limits: .local)).nextFrame()
        for (number, frame) in frames.enumerated() {
            expectEqual(expected, frame, "\(name), reading \(number)")
        }
    }
}

/// A file that is open, and that cannot be read by its source.
private final class UnreadFile: FileReading {
    private let file: FileBytes

    init(_ file: FileBytes) { self.file = file }

    var openFile: CInt? { file.openFile }
    var count: Int { file.count }

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int {
        throw MediaError(.environment, "It was read.")
    }

    func contiguous() throws(MediaError) -> MemoryBytes {
        throw MediaError(.environment, "It was read.")
    }
}

/// Bytes that are only read range by range, as those of a server are.
private final class RangesOnly: ByteSource {
    private let bytes: MemoryBytes
    let readCount = Locked(0)
    let announced = Locked<[Range<Int>]>([])

    init(_ bytes: MemoryBytes) { self.bytes = bytes }

    var count: Int { bytes.count }
    var isRemote: Bool { true }

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int {
        readCount.withLock { $0 += 1 }
        return bytes.read(at: offset, into: buffer)
    }

    func willRead(_ range: Range<Int>) { announced.withLock { $0.append(range) } }

    func contiguous() throws(MediaError) -> MemoryBytes { bytes }
}

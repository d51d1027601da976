import FoundationEssentials
import LazyBase
import LazyLoading
import LazyMedia
import LazyPipeline
import LazyRenditions
import LazyVideo
import Support
import Testing

/// Long recordings at a server whose headers count no frames: their ends tell as much as the whole.
@Suite(.ownThreads) struct RemoteRecordingTests {
    /// How a recording is written: words for ffmpeg, its file, and whether its index is removed.
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: String
        let name: String
        var isPiped = false
        var hasCues = true

        static let cues = Kind(testDescription: "Matroska", words: "", name: "a.mkv")
        static let piped = Kind(
            testDescription: "Matroska without a size", words: "-f matroska", name: "piped.mkv",
            isPiped: true)
        static let fragments = Kind(
            testDescription: "MP4 of fragments", words: "-movflags frag_keyframe+empty_moov",
            name: "a.mp4")
        static let segments = Kind(
            testDescription: "MP4 of segments",
            words: "-movflags dash+global_sidx+skip_trailer -frag_duration 4000000",
            name: "dash.mp4")
        static let transport = Kind(
            testDescription: "MPEG-TS", words: "", name: "a.ts")
        static let withoutCues = Kind(
            testDescription: "Matroska without cues", words: "", name: "b.mkv", hasCues: false)
        static let withoutIndex = Kind(
            testDescription: "MP4 of fragments without an index",
            words: "-movflags frag_keyframe+empty_moov+skip_trailer", name: "b.mp4")

        static let quick = [cues, withoutCues, piped, fragments, segments, transport]
    }

    /// A clip of four seconds and some 800 kB, which is repeated.
    private static let clip =
        "-f lavfi -i testsrc2=s=320x180:r=25:d=4,noise=alls=30 -f lavfi -i sine=duration=4"
        + " -pix_fmt yuv420p -c:v libx264 -preset ultrafast -bf 2 -g 50 -qp 20 -c:a aac"

    private static func run(_ arguments: String) {
        _ = Peer.output(of: "ffmpeg -v error -y \(arguments) </dev/null 2>&1")
    }

    private static func recording(_ kind: Kind, times: Int, _ scratch: Scratch) -> [UInt8] {
        let clip = scratch.path("clip.mp4")
        if scratch["clip.mp4"].isEmpty { run("\(Self.clip) \(clip)") }
        let file = scratch.path(kind.name)
        run(
            "-stream_loop \(times - 1) -i \(clip) -c copy \(kind.words)"
                + (kind.isPiped ? " - >\(file)" : " \(file)"))
        return kind.hasCues ? scratch[kind.name] : withoutCues(scratch[kind.name])
    }

    /// Empty space of the same size in place of the cues.
    private static func withoutCues(_ bytes: [UInt8]) -> [UInt8] {
        let name: [UInt8] = [0x1C, 0x53, 0xBB, 0x6B]
        guard let place = bytes.indices.last(where: { bytes[$0...].starts(with: name) }) else {
            return []
        }
        var bytes = bytes
        let width = bytes[place + 4].leadingZeroBitCount + 1
        let size = bytes[place + 4..<place + 4 + width].reduce(0) { $0 << 8 | UInt64($1) }
        let number = size & (1 << (7 * UInt64(width)) - 1) | 1 << (7 * UInt64(width + 3))
        bytes[place] = 0xEC
        for digit in 0..<width + 3 {
            bytes[place + 1 + digit] = UInt8(
                truncatingIfNeeded: number >> UInt64(8 * (width + 2 - digit)))
        }
        return bytes
    }

    /// A server of bytes by ranges.
    private static func server(_ bytes: [UInt8]) -> ScriptedLoader {
        ScriptedLoader { request in
            guard case .bytes(let asked)? = request.range else { return .init([bytes]) }
            let range = asked.clamped(to: 0..<bytes.count)
            let head = ResponseHead(
                url: request.url, status: 206, headers: HTTPHeaders(), expectedCount: range.count,
                contentRange: (range, bytes.count), origin: .network)
            return .init([Array(bytes[range])], head: head)
        }
    }

    private func open(
        _ loader: ScriptedLoader, _ use: MediaOpening.Wanted.Use, _ kind: Kind
    ) async throws -> MediaOpening.Opened {
        try await OpeningRig(loader: loader).opening().open(
            .url(Given.url(kind.name)), for: .init(use), trust: .init(.stranger))
    }

    private func near(_ bytes: [UInt8]) throws -> FrameSequence {
        FrameSequence(
            try DecoderRegistry(formats: MediaFormat.video).open(MemoryBytes(bytes)))
    }

    /// What is said of a recording, but for the number of its frames.
    private func facts(_ info: MediaInfo) -> String {
        var info = info
        (info.frameCount, info.estimatedFrameCount) = (nil, nil)
        return "\(info)"
    }

    @Test(.needs("ffmpeg"), arguments: Kind.quick)
    func `few requests tell the facts of the whole, and bring a picture of it`(
        kind: Kind
    ) async throws {
        let bytes = Self.recording(kind, times: 30, Scratch())
        try #require(bytes.count > 16_000_000)
        let loader = Self.server(bytes)
        let opened = try await open(loader, .facts, kind)
        let info = try await opened.frames.detailedInfo()
        #expect(loader.requests.count <= 8)
        #expect(opened.transfer?.origin == "ranges")
        #expect(opened.transfer?.byteCount ?? .max < 4_500_000)
        #expect(info.frameCount == nil)
        #expect(abs((info.estimatedFrameCount ?? 0) - 3000) <= 30)
        let near = try near(bytes)
        #expect(facts(info) == facts(try await near.detailedInfo()))
        if kind.name != Kind.transport.name {
            let index = try await near.frameIndex()
            #expect(info.start == index[0].presentation.duration)
            #expect(info.duration == index.duration)
        }
        for time in [Duration.zero, .seconds(3.97), .seconds(61.3), .seconds(119.9)] {
            let before = loader.requests.count
            let far = try await open(loader, .picture(.at(time)), kind)
            let poster = try await far.frames.poster(.at(time))
            let expected = try await near.poster(.at(time))
            #expect(poster.bitmap == expected.bitmap, "\(time)")
            #expect(poster.timing?.presentation == expected.timing?.presentation, "\(time)")
            #expect(loader.requests.count - before <= 16, "\(time)")
            #expect(far.transfer?.byteCount ?? .max < 7_500_000, "\(time)")
        }
        // A picture that is found by its number is found in all of them.
        let far = try await open(loader, .picture(.index(1234)), kind)
        let poster = try await far.frames.poster(.index(1234))
        #expect(poster.bitmap == (try await near.poster(.index(1234))).bitmap)
    }

    @Test(.needs("ffmpeg"), arguments: Kind.quick + [.withoutIndex])
    func `several recordings are read whole`(kind: Kind) async throws {
        let scratch = Scratch()
        let long = Self.recording(kind, times: 14, scratch)
        try #require(long.count > 8 << 20)
        let short = Self.recording(kind, times: 2, scratch)
        for bytes in [long + short, short + long] {
            let far = try await open(Self.server(bytes), .facts, kind).frames
            #expect(far.info.estimatedFrameCount == nil)
            // FFmpeg takes fragments of several movies for those of one, whose times are not in order.
            guard !kind.name.hasSuffix("mp4") else { continue }
            let info = try await far.detailedInfo()
            #expect(info.duration == (try await near(bytes).detailedInfo()).duration)
            #expect(info.frameCount == 1600 && info.estimatedFrameCount == nil)
        }
    }

    /// Clips before one of 40 times as much: of less than is read of the beginning, and of more.
    @Test(.needs("ffmpeg"), arguments: [Kind.piped, .transport], [1, 2, 3])
    func `a short recording before a long one is seen`(kind: Kind, times: Int) async throws {
        let scratch = Scratch()
        let long = Self.recording(kind, times: 40, scratch)
        let bytes = Self.recording(kind, times: times, scratch) + long
        let far = try await open(Self.server(bytes), .facts, kind).frames
        #expect(far.info.estimatedFrameCount == nil)
        let alone = try await open(Self.server(long), .facts, kind).frames
        #expect(alone.info.estimatedFrameCount != nil)
    }

    /// The number of a picture, counted from the end, its presentation or decoding time, and seconds that are added to it.
    @Test(.needs("ffmpeg"), arguments: [1, 3, 700], [(0, 20_000), (0, 60), (5, 20_000), (5, -30)])
    func `a damaged time stamp is no length`(number: Int, damage: (field: Int, late: Int))
        async throws
    {
        var bytes = Self.recording(.transport, times: 14, Scratch())
        let sound = try await near(bytes).detailedInfo()
        let start: [UInt8] = [0, 0, 1, 0xE0]
        let places = bytes.indices.filter {
            // Three in four have a decoding time, too.
            bytes[$0] == 0 && bytes[$0...].starts(with: start) && bytes[$0 + 7] >> 6 == 3
        }
        let place = try #require(places.dropLast(number - 1).last) + 9 + damage.field
        // ISO/IEC 13818-1, 2.4.3.7: 33 bits in three parts, a marker behind each.
        let old = (0..<5).reduce(0) { $0 << 8 | Int(bytes[place + $1]) }
        let time =
            (old >> 3 & 0x1_C000_0000 | old >> 2 & 0x3FFF_8000 | old >> 1 & 0x7FFF)
            + damage.late * 90_000
        let parts = (time >> 30) << 33 | (time >> 15 & 0x7FFF) << 17 | (time & 0x7FFF) << 1
        let new = old & 0xF0_0000_0000 | parts | 0x1_0001_0001
        for byte in 0..<5 { bytes[place + byte] = UInt8(new >> (32 - 8 * byte) & 0xFF) }
        let far = try await open(Self.server(bytes), .facts, .transport).frames.detailedInfo()
        let near = try near(bytes)
        let index = try await near.frameIndex()
        for duration in [far.duration, try await near.detailedInfo().duration, index.duration] {
            let error = (duration ?? .zero) - (sound.duration ?? .zero)
            #expect((.milliseconds(-100)...(.milliseconds(100))).contains(error))
        }
        #expect(index.count == 1400)
    }

    @Test(.needs("ffmpeg")) func `fragments that no index lists are all read`() async throws {
        let bytes = Self.recording(.withoutIndex, times: 14, Scratch())
        try #require(bytes.count > 8 << 20)
        let info = try await open(Self.server(bytes), .facts, .withoutIndex).frames.detailedInfo()
        #expect(info.frameCount == 1400 && info.estimatedFrameCount == nil)
    }

    @Test(.needs("ffmpeg")) func `a transport stream of uneven pictures is loaded at once`()
        async throws
    {
        let scratch = Scratch()
        Self.run(
            "-f lavfi -i \"testsrc2=s=320x180:r=25:d=60,noise=alls=40:enable='gt(t,30)'\" -pix_fmt yuv420p"
                + " -c:v libx264 -preset ultrafast -qp 16 \(scratch.path("a.ts"))")
        let bytes = scratch["a.ts"]
        try #require(bytes.count > 8 << 20)
        let opened = try await open(Self.server(bytes), .facts, .transport)
        #expect(opened.transfer?.origin == "network")
        let info = try await opened.frames.detailedInfo()
        #expect(facts(info) == facts(try await near(bytes).detailedInfo()))
    }

    /// Bytes of a network that come in their order, and how far they were read.
    private final class Arriving: ByteSource {
        private let bytes: MemoryBytes
        let end = Locked(0)

        init(_ bytes: [UInt8]) throws { self.bytes = try MemoryBytes(bytes) }

        var count: Int { bytes.count }
        var isRemote: Bool { true }

        func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let length = bytes.read(at: offset, into: buffer)
            end.withLock { $0 = max($0, offset + length) }
            return length
        }

        func contiguous() -> MemoryBytes { bytes }
    }

    @Test(.needs("ffmpeg")) func `the end of what arrives in order is not waited for`() throws {
        let bytes = Self.recording(.piped, times: 14, Scratch())
        let arriving = try Arriving(bytes)
        _ = try DecoderRegistry(formats: MediaFormat.video).open(arriving)
        #expect(arriving.end.withLock { $0 } < bytes.count / 2)
    }
}

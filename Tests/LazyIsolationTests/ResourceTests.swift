import Glibc
import LazyBase
import LazyCodecs
import LazyIsolation
import LazyKit
import LazyMedia
import Support
import Testing
import ToolSupport

/// What decoders need of the machine, and what becomes of those that do not get it.
@Suite(.ownThreads, .enabled(if: !Sanitizer.isLinked))
struct ResourceTests {
    private static func frames(_ name: String, _ registry: DecoderRegistry) throws -> [Frame] {
        let reader = try registry.open(FileBytes(path: Media.path(name)), limits: .local)
            .makeReader(ReaderOptions(limits: .local))
        var frames: [Frame] = []
        while frames.count < 5, let frame = try reader.nextFrame() { frames.append(frame) }
        return frames
    }

    @Test(arguments: ["clip.mp4", "counter.gif", "animation.webp", "still.jpg", "vp9.webm"])
    func `Less and less memory gives the same frames or an error`(_ name: String) throws {
        guard Media.names.contains(name) else { return }
        let expected = try Self.frames(name, .standard)
        var isDecoded: [Bool] = []
        for megabytes in [512, 192, 128, 96, 64, 48, 32, 24, 16, 12, 8, 4, 1] {
            let program = WatchedProgram("ulimit -d \(megabytes << 10)")
            let host = DecoderHost(IsolationPolicy(program: program.path))
            do {
                let frames = try Self.frames(name, .standard.isolated(by: host))
                #expect(frames.count == expected.count)
                for (one, other) in zip(frames, expected) {
                    #expect(one.bitmap == other.bitmap, "\(megabytes) MB, frame \(one.index)")
                }
                isDecoded.append(true)
            } catch let error as MediaError {
                let codes: [MediaError.Code] = [.limitExceeded, .decoderCrashed, .environment]
                #expect(codes.contains(error.code), "\(megabytes) MB: \(error)")
                isDecoded.append(false)
            }
        }
        #expect(isDecoded.first == true && isDecoded.last == false, "\(isDecoded)")
    }

    @Test
    func `Later forks take few pages`() throws {
        let program = WatchedProgram()
        let host = DecoderHost(IsolationPolicy(program: program.path))
        let registry = DecoderRegistry.standard.isolated(by: host)
        // The first ones load the libraries, and decode samples.
        for _ in 0..<5 { _ = try Self.frames("clip.mp4", registry) }
        usleep(300_000)
        let media = try registry.open(FileBytes(path: Media.path("clip.mp4")), limits: .local)
        let faults = try #require(program.newest?.pageFaults)
        // Some 830; each takes time.
        #expect(faults > 0 && faults < 1000, "\(faults) page faults")
        withExtendedLifetime(media) {}
    }

    @Test
    func `A large picture takes no more of the host than its limits say`() throws {
        let scratch = Scratch()
        let size = PixelSize(width: 7000, height: 7000)
        let picture = try Bitmap(size: size, isOpaque: true) { pixels in
            _ = pixels.initializeMemory(as: UInt8.self, repeating: 255)
        }
        let bytes = try PNGEncoder(level: .fast).encode(picture) { Array($0) }
        let words = [
            "poster", scratch.write(bytes, "large.png"), "-o", scratch.path("poster.png"),
            "--limits", "untrusted",
        ]
        let process = Tool.start(words)
        let peaks = WatchedProcess.peaks(until: process)
        #expect(peaks.status == 0)
        // What `lazyimg help limits` says: 300 MB and some 60 for the program, and 256 MiB more and two frames for a
        // decoder.
        #expect(peaks.host < 360_000_000, "\(peaks)")
        #expect(peaks.decoders > 0 && peaks.decoders < 960_000_000, "\(peaks)")
    }

    @Test
    func `A file that states more than its decoder may have is damaged`() throws {
        var bytes = try Media.array("hdr.avif")
        // The length of its item: 914 MB.
        bytes.replaceSubrange(124..<128, with: [0x36, 0x80, 0, 0])
        let registry = DecoderRegistry.standard.isolated(by: Hosts.standard())
        let media = try registry.open(MemoryBytes(bytes), limits: .untrusted)
        let reader = try media.makeReader(ReaderOptions(limits: .untrusted))
        let error = #expect(throws: MediaError.self) { try reader.nextFrame() }
        #expect(error?.code == .truncated)
    }

    @Test(.enabled(if: geteuid() == 0))
    func `A decoder has no capability left that a program could be given`() throws {
        let program = WatchedProgram()
        let host = DecoderHost(IsolationPolicy(program: program.path))
        let media = try DecoderRegistry.standard.isolated(by: host).open(
            FileBytes(path: Media.path("counter.gif")), limits: .local)
        let decoder = try #require(program.newest)
        for set in ["CapInh:", "CapPrm:", "CapEff:", "CapBnd:", "CapAmb:"] {
            #expect(decoder.field(set).flatMap { UInt64($0, radix: 16) } == 0, "\(set)")
        }
        withExtendedLifetime(media) {}
    }
}

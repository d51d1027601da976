import CFFmpeg
import LazyMedia
import Support
import Testing

@testable import LazyVideo

@Suite struct UnreferencedPacketsTests {
    private func demuxer(_ name: String) throws -> (Demuxer, AVCodecID) {
        let video = try #require(try opened(name) as? OpenedVideo)
        guard case .demuxer(let format) = video.stream.container.kind else {
            throw MediaError(.unsupported, "not a film")
        }
        let demuxer = try Demuxer(
            video.bytes, format: format, limits: .web, cancellation: CancellationFlag())
        if video.stream.needsExamining { try demuxer.examine() }
        demuxer.choose(video.stream.index)
        return (demuxer, video.stream.codec)
    }

    /// The presentation times of all packets, and of those that can be left out.
    private func times(_ name: String) throws -> (all: [Int64?], unreferenced: Set<Int64>) {
        let (demuxer, codec) = try demuxer(name)
        let unreferenced = try #require(
            UnreferencedPackets(codec, extradata: demuxer.extradata))
        let packet = try Packet()
        var (all, left) = ([Int64?](), Set<Int64>())
        while try demuxer.read(into: packet) {
            all.append(packet.pts)
            if unreferenced.canDrop(packet.bytes) {
                left.insert(try #require(packet.pts))
            }
        }
        return (all, left)
    }

    private func pictures(
        _ name: String, _ wanted: AVDiscard, without left: Set<Int64> = []
    ) throws -> [Int64: Bitmap] {
        let video = try #require(try opened(name) as? OpenedVideo)
        let (demuxer, codec) = try demuxer(name)
        let source = try PictureSource(Remaining(demuxer, without: left), id: codec, threads: 1) {
            (source, threads, _) throws(MediaError) in
            try VideoCodec(
                codec, demuxer.parameters,
                VideoCodec.Setup(threads: threads, timeBase: AVRational(num: 1, den: 90_000)))
        }
        source.selection.discard = wanted
        var pictures: [Int64: Bitmap] = [:]
        while let picture = try source.next() {
            let size = try #require(picture.size)
            let converter = FrameConverter(
                to: size, .upright,
                PictureOutput(colors: video.stream.colors, output: ReaderOptions().color),
                isAlwaysOpaque: true)
            pictures[picture.ticks] = try converter.bitmap(picture)
        }
        #expect(source.damage.count == 0)
        return pictures
    }

    @Test(arguments: ["clip.mp4", "h264.ts", "h264.mkv", "small.mp4", "hevc.mp4", "hevc-10bit.mp4"])
    func `FFmpeg skips the same pictures`(name: String) throws {
        let (all, left) = try times(name)
        #expect(!left.isEmpty && left.count < all.count)
        let kept = try pictures(name, AVDISCARD_NONREF)
        #expect(left == Set(all.compactMap { $0 }).subtracting(kept.keys))
    }

    @Test(arguments: ["clip.mp4", "h264.ts", "hevc.mp4"])
    func `pictures are the same without them`(name: String) throws {
        let (all, left) = try times(name)
        #expect(!left.isEmpty && left.count < all.count)
        let whole = try pictures(name, AVDISCARD_DEFAULT)
        let rest = try pictures(name, AVDISCARD_DEFAULT, without: left)
        #expect(rest == whole.filter { !left.contains($0.key) })
        #expect(rest.count == whole.count - left.count)
    }

    @Test func `arbitrary bytes are parsed without reading past them`() throws {
        for name in ["clip.mp4", "hevc.mp4"] {
            let (demuxer, codec) = try demuxer(name)
            let packet = try Packet()
            var random = SplitMix(3)
            while try demuxer.read(into: packet) {
                for _ in 0..<20 {
                    var bytes = Array(packet.bytes.prefix(Int.random(in: 0...200, using: &random)))
                    for index in bytes.indices where Int.random(in: 0..<20, using: &random) == 0 {
                        bytes[index] = .random(in: .min ... .max, using: &random)
                    }
                    let unreferenced = try #require(
                        UnreferencedPackets(codec, extradata: demuxer.extradata))
                    let canDrop = bytes.withUnsafeBufferPointer {
                        unreferenced.canDrop($0)
                    }
                    #expect(!canDrop || bytes.count > 3)
                }
            }
        }
    }
}

/// The packets of a stream but those of some times.
private final class Remaining: PacketSource {
    let demuxer: Demuxer
    let left: Set<Int64>

    var cancellation: CancellationFlag {
        get { demuxer.cancellation }
        set { demuxer.cancellation = newValue }
    }
    var damage: String? { demuxer.damage }

    init(_ demuxer: Demuxer, without left: Set<Int64>) {
        (self.demuxer, self.left) = (demuxer, left)
    }

    func read(into packet: Packet) throws(MediaError) -> Bool {
        while try demuxer.read(into: packet) {
            guard let pts = packet.pts, left.contains(pts) else { return true }
            packet.clear()
        }
        return false
    }

    func restart() throws(MediaError) { try demuxer.restart() }
    func seek(to time: Int64) -> Bool { demuxer.seek(to: time) }
}

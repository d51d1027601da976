import CFFmpeg
import LazyMedia
import Support
import Testing

@testable import LazyVideo

@Suite(.ownThreads) struct AV1ReferencesTests {
    private struct Film {
        let media: OpenedVideo
        let demuxer: Demuxer
        let packets: [Packet]

        var references: AV1References { AV1References(extradata: demuxer.extradata) }

        init(_ name: String) throws { try self.init(#require(try opened(name) as? OpenedVideo)) }

        init(_ media: OpenedVideo) throws {
            self.media = media
            demuxer = try #require(try media.makeSource(CancellationFlag()) as? Demuxer)
            var packets: [Packet] = []
            while case let packet = try Packet(), try demuxer.read(into: packet) {
                packets.append(packet)
            }
            self.packets = packets
        }

        /// What becomes of the packets where some are wanted.
        func fates(_ wanted: Set<Int>, _ range: Range<Int>) -> [AV1References.Fate] {
            var references = references
            for number in range {
                references.add(packets[number].bytes, isWanted: wanted.contains(number))
            }
            return references.fates()
        }
    }

    /// A clip that Debian's FFmpeg encodes, where it can.
    private static func encoded(_ options: String) throws -> OpenedVideo? {
        let scratch = Scratch()
        let path = scratch.path("a.mp4")
        _ = Peer.output(
            of: "ffmpeg -v error -y -f lavfi -i testsrc2=s=128x96:r=25:d=2.4 -pix_fmt yuv420p"
                + " \(options) \(path) </dev/null 2>&1")
        return try opened(MemoryBytes(scratch["a.mp4"])) as? OpenedVideo
    }

    private static let encoders = [
        "-c:v libsvtav1 -preset 6 -g 40", "-c:v libsvtav1 -preset 10 -crf 50 -g 250",
        "-c:v libaom-av1 -cpu-used 8 -g 30 -error-resilience 1",
        "-c:v libaom-av1 -usage realtime -cpu-used 8 -g 100",
        "-c:v libaom-av1 -cpu-used 6 -tiles 2x2 -lag-in-frames 19",
        "-c:v librav1e -speed 10 -g 30",
    ]

    /// Compares the pictures of wanted packets, and those after the last, with those of all packets.
    private func check(_ media: OpenedVideo, _ name: String, threads: Int) throws {
        var whole: [Int64: Bitmap] = [:]
        let converter = FrameConverter(
            to: media.info.size, .upright,
            PictureOutput(colors: media.stream.colors, output: ReaderOptions().color),
            isAlwaysOpaque: true)
        let all = try media.makePictures(threads: threads, CancellationFlag())
        while let picture = try all.next() { whole[picture.ticks] = try converter.bitmap(picture) }
        let times = whole.keys.sorted()
        #expect(times.count > 10)
        var random = SplitMix(5)
        for round in 0..<12 {
            let last = times.indices.randomElement(using: &random) ?? 0
            let expected = times[...last].enumerated().filter {
                $0.offset == last || Int.random(in: 0..<(round + 2), using: &random) == 0
            }.map(\.element)
            let some = try media.makePictures(threads: threads, CancellationFlag())
            some.selection.expected = expected
            var seen: [Int64] = []
            while let picture = try some.next() {
                seen.append(picture.ticks)
                if expected.contains(picture.ticks) || picture.ticks > times[last] {
                    let bitmap = try converter.bitmap(picture)
                    #expect(
                        bitmap == whole[picture.ticks], "\(name): \(picture.ticks) of \(expected)")
                }
            }
            #expect(Set(expected).union(times[(last + 1)...]).isSubset(of: seen))
            #expect(seen == seen.sorted() && some.damage.count == 0)
            if round > 6, last > 40, name == "av1-layers.mp4" { #expect(seen.count < times.count) }
        }
    }

    @Test(arguments: ["av1.mp4", "av1-layers.mp4"], [1, 3])
    func `pictures are the same without the frames that they do not need`(
        name: String, threads: Int
    ) throws {
        try check(try #require(try opened(name) as? OpenedVideo), name, threads: threads)
    }

    @Test(.needs("ffmpeg"), arguments: encoders)
    func `pictures of other encoders are the same, too`(options: String) throws {
        let media = try #require(try Self.encoded(options))
        try check(media, options, threads: 2)
    }

    @Test func `a picture of layers needs few others`() throws {
        let film = try Film("av1-layers.mp4")
        #expect(film.packets.count == 72)
        // Of the 42 coded frames before it, 27 are referred to; five of those, and what the slots hold at the end.
        let fates = film.fates([40], 0..<41)
        #expect(fates.count { $0 == .drop } == 35)
        #expect(fates.last == .keep)
        let bytes = film.packets[..<41].reduce(0) { $0 + $1.size }
        let kept = zip(film.packets, fates).reduce(0) { sum, entry in
            switch entry.1 {
            case .keep: sum + entry.0.size
            case .drop: sum
            case .reduce(let parts): sum + parts.reduce(0) { $0 + $1.count }
            }
        }
        #expect(kept < bytes)
    }

    @Test func `where every picture is wanted, every packet is kept`() throws {
        for name in ["av1.mp4", "av1-layers.mp4"] {
            let film = try Film(name)
            let all = Set(film.packets.indices)
            #expect(film.fates(all, film.packets.indices).allSatisfy { $0 == .keep })
        }
    }

    @Test func `an unknown sequence header, and what is not understood, keep everything`() throws {
        let film = try Film("av1-layers.mp4")
        var unknown = AV1References(extradata: UnsafeBufferPointer(start: nil, count: 0))
        // The sequence header is in the first packet, too, which is left out.
        for packet in film.packets[1...] { unknown.add(packet.bytes, isWanted: false) }
        #expect(unknown.fates().allSatisfy { $0 == .keep })

        var references = film.references
        let broken = Array(film.packets[20].bytes) + [0x7F, 0xFF]
        for number in 0..<40 {
            if number == 20 {
                broken.withUnsafeBufferPointer { references.add($0, isWanted: false) }
            } else {
                references.add(film.packets[number].bytes, isWanted: false)
            }
        }
        let fates = references.fates()
        #expect(fates[20] == .keep)
        #expect(fates.contains(.drop))
        // What the slots held then is kept as for a picture that refers to all.
        var before = film.references
        for number in 0..<20 { before.add(film.packets[number].bytes, isWanted: false) }
        #expect(Array(fates[..<20]) == before.fates())
    }

    @Test func `frames of a packet with metadata are kept or dropped together`() throws {
        let film = try Film("av1-layers.mp4")
        // A content light level before the frames.
        let metadata: [UInt8] = [5 << 3 | 2, 6, 1, 0, 100, 0, 50, 0x80]
        let reduced = film.fates([], 0..<40).indices.filter {
            if case .reduce = film.fates([], 0..<40)[$0] { true } else { false }
        }
        let place = try #require(reduced.first)
        var references = film.references
        for number in 0..<40 {
            let bytes = (number == place ? metadata : []) + Array(film.packets[number].bytes)
            bytes.withUnsafeBufferPointer { references.add($0, isWanted: false) }
        }
        #expect(references.fates()[place] == .keep)
    }

    @Test func `packets that are read ahead are bounded, and fail where reading fails`() throws {
        let film = try Film("av1-layers.mp4")
        for limit in [0, 1, 17, 30] {
            let source = Failing(
                try #require(try media(film).makeSource(CancellationFlag()) as? Demuxer),
                after: limit)
            var ahead = PacketsAhead(extradata: source.demuxer.extradata)
            let packet = try Packet()
            var outcomes = 0
            #expect(throws: MediaError.self) {
                while try ahead.read(
                    into: packet, from: source, wanted: WantedTimes(start: .max)) != .end
                {
                    outcomes += 1
                }
            }
            #expect(outcomes == limit)
        }
        // Far more packets than are held, and none wanted.
        let endless = Endless(film.packets[1])
        var ahead = PacketsAhead(extradata: film.demuxer.extradata)
        let packet = try Packet()
        _ = try ahead.read(into: packet, from: endless, wanted: WantedTimes(start: .max))
        #expect(endless.count == 128)
        endless.padding = 3 << 20
        ahead.forget()
        endless.count = 0
        _ = try ahead.read(into: packet, from: endless, wanted: WantedTimes(start: .max))
        #expect(endless.count == 3)
    }

    private func media(_ film: Film) -> OpenedVideo { film.media }

    /// How many packets are read for the first one.
    private func countAhead(_ film: Film, _ wanted: WantedTimes) throws -> Int {
        let demuxer = try #require(try film.media.makeSource(CancellationFlag()) as? Demuxer)
        let source = Failing(demuxer, after: 1000)
        var ahead = PacketsAhead(extradata: demuxer.extradata)
        _ = try ahead.read(into: try Packet(), from: source, wanted: wanted)
        return 1000 - source.left
    }

    @Test func `no packets are read ahead that may not be needed`() throws {
        // Up to the next keyframe, which is number 8.
        #expect(try countAhead(Film("av1.mp4"), WantedTimes(start: .max)) == 9)
        let film = try Film("av1-layers.mp4")
        let times = film.packets.compactMap(\.pts)
        #expect(try countAhead(film, WantedTimes()) == 1)
        #expect(try countAhead(film, WantedTimes(start: times[40])) == 41)
        #expect(
            try countAhead(film, WantedTimes(expected: [times[3], times[10], times[30]])) == 31)
        // The reader may find a keyframe before a picture that is far away.
        #expect(
            try countAhead(film, WantedTimes(expected: [times[3], times[10], times[60]])) == 11)
    }

    @Test func `wanted times are those expected from a start on, and all after the last`() {
        let all = WantedTimes()
        #expect(all.end == nil && all.contains(3) && all.contains(nil) && all.next(after: 3) == nil)
        let late = WantedTimes(start: 10)
        #expect(late.end == 10 && !late.contains(9) && late.contains(10) && late.contains(nil))
        let some = WantedTimes(start: 2, expected: [1, 4, 8])
        #expect((0..<12).filter { some.contains($0) } == [4, 8, 9, 10, 11])
        #expect(some.end == 8 && some.next(after: 4) == 8 && some.next(after: 8) == nil)
        #expect(WantedTimes(start: 9, expected: [1]).end == 9)
    }

    @Test func `arbitrary bytes are parsed without reading past them`() throws {
        for name in ["av1.mp4", "av1-layers.mp4"] {
            let film = try Film(name)
            var random = SplitMix(3)
            for _ in 0..<40 {
                var references = film.references
                var sizes: [Int] = []
                for packet in film.packets {
                    var bytes = Array(packet.bytes.prefix(Int.random(in: 0...200, using: &random)))
                    for index in bytes.indices where Int.random(in: 0..<30, using: &random) == 0 {
                        bytes[index] = .random(in: .min ... .max, using: &random)
                    }
                    sizes.append(bytes.count)
                    bytes.withUnsafeBufferPointer {
                        references.add($0, isWanted: Bool.random(using: &random))
                    }
                }
                let fates = references.fates()
                #expect(fates.count == sizes.count)
                for (fate, size) in zip(fates, sizes) {
                    guard case .reduce(let parts) = fate else { continue }
                    #expect(parts.allSatisfy { !$0.isEmpty && $0.upperBound <= size })
                    #expect(
                        zip(parts, parts.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
                }
            }
        }
    }
}

/// A demuxer that fails after some packets.
private final class Failing: PacketSource {
    let demuxer: Demuxer
    var left: Int
    var cancellation = CancellationFlag()
    var damage: String? { nil }

    init(_ demuxer: Demuxer, after count: Int) { (self.demuxer, left) = (demuxer, count) }

    func read(into packet: Packet) throws(MediaError) -> Bool {
        guard left > 0 else { throw MediaError(.truncated, "no more") }
        left -= 1
        return try demuxer.read(into: packet)
    }

    func restart() throws(MediaError) { try demuxer.restart() }
    func seek(to time: Int64) -> Bool { demuxer.seek(to: time) }
}

/// The same packet again and again, with an OBU of padding.
private final class Endless: PacketSource {
    let packet: Packet
    var padding = 0
    var count = 0
    var cancellation = CancellationFlag()
    var damage: String? { nil }

    init(_ packet: Packet) { self.packet = packet }

    func read(into target: Packet) throws(MediaError) -> Bool {
        count += 1
        let filler: [UInt8] = padding == 0 ? [] : [15 << 3]
        let bytes = Array(packet.bytes) + filler + [UInt8](repeating: 0, count: padding)
        try check(lz_packet_new(target.pointer, CInt(bytes.count)), "make a packet")
        target.pointer.pointee.data.update(from: bytes, count: bytes.count)
        target.pointer.pointee.pts = Int64(count)
        return true
    }

    func restart() {}
    func seek(to time: Int64) -> Bool { false }
}

import LazyMedia
import Support
import Testing

@testable import LazyVideo

@Suite struct ListedPacketsTests {
    private static let little = TrimmedTables.Extent(threshold: 0, kept: 4)

    private func demuxer(_ name: String) throws -> (Demuxer, MovieBytes) {
        let video = try #require(try opened(name) as? OpenedVideo)
        let movie = try #require(video.bytes as? MovieBytes)
        let demuxer = try Demuxer(
            movie, format: "mov", limits: .web, cancellation: CancellationFlag())
        demuxer.choose(video.stream.index)
        return (demuxer, movie)
    }

    private func packets(_ demuxer: Demuxer) throws -> [PacketFacts] {
        var packets: [PacketFacts] = []
        let packet = try Packet()
        while try demuxer.read(into: packet) { packets.append(PacketFacts(packet)) }
        return packets
    }

    @Test(arguments: [
        "clip.mp4", "moov-last.mp4", "sound.mp4", "small.mp4", "hevc.mp4", "av1.mp4", "vfr.mp4",
        "h264.mov", "rotated-90.mp4", "edit-list.mp4", "mirrored.mp4", "prores.mov",
    ])
    func `the tables of a movie list the packets that are read`(name: String) throws {
        let (demuxer, movie) = try demuxer(name)
        guard let listing = try demuxer.list(movie) else {
            // Edits may leave samples out: then packets are read.
            #expect(name == "edit-list.mp4")
            return
        }
        let read = try packets(demuxer)
        var cursor = SampleTable.Cursor(listing.table)
        for packet in read {
            let next = cursor.next()
            let sample = try #require(next)
            var expected = packet
            expected.duration = 0
            #expect(listing.facts(of: sample) == expected)
        }
        #expect(read.count == listing.table.count && cursor.number == read.count)

        try demuxer.restart()
        demuxer.adopt(listing)
        #expect(try packets(demuxer) == read)
    }

    @Test(arguments: ["clip.mp4", "moov-last.mp4", "sound.mp4", "hevc.mp4", "av1.mp4", "h264.mov"])
    func `FFmpeg reads the beginning of shortened tables`(name: String) throws {
        let (whole, movie) = try demuxer(name)
        let trimmed = try #require(try movie.trimmed(to: Self.little, CancellationFlag()))
        let demuxer = try Demuxer(
            trimmed, format: "mov", limits: .web, cancellation: CancellationFlag())
        demuxer.choose(try #require(whole.streamIndex))
        #expect((1...8).contains(demuxer.headerIndexCount))
        #expect(demuxer.headerIndexCount < whole.headerIndexCount)
        #expect(demuxer.frameRate == whole.frameRate && demuxer.duration == whole.duration)
        demuxer.adopt(try #require(try demuxer.list(trimmed)))
        #expect(demuxer.headerIndexCount == whole.headerIndexCount)
        #expect(demuxer.reorderingDepth == whole.reorderingDepth)
        let read = try packets(whole)
        #expect(try packets(demuxer) == read)
        for number in [read.count - 1, 0, read.count / 2, 7] {
            #expect(demuxer.goToListed(number))
            let packet = try Packet()
            #expect(try demuxer.read(into: packet))
            #expect(PacketFacts(packet) == read[number])
            try demuxer.putBack(packet)
            #expect(try demuxer.read(into: packet))
            #expect(PacketFacts(packet) == read[number])
        }
    }

    @Test(
        arguments:
            Media.names.filter {
                ($0.hasSuffix("mp4") || $0.hasSuffix("mov")) && $0 != "encrypted.mp4"
            })
    func `a movie is the same however much of its tables FFmpeg reads`(name: String) throws {
        let whole = try #require(try opened(name) as? OpenedVideo)
        let type = whole.header.type
        let movie = try MovieBytes(MemoryBytes(Media.array(name)), .web)
        let container = try #require(Container(type))
        let trimmed = try #require(
            try VideoOpening(
                bytes: movie, type: type, limits: .web, container: container, extent: Self.little
            ).open() as? OpenedVideo)
        #expect("\(trimmed.info)" == "\(whole.info)")
        var single = ReaderOptions()
        single.isSingleFrame = true
        let count = try whole.frameIndex(CancellationFlag()).count
        let index = try whole.containerIndex(CancellationFlag())
        #expect(try trimmed.containerIndex(CancellationFlag()).timings == index.timings)
        let numbers = Set([count - 1, 0, count / 2, count / 3, min(count - 1, 40)])
        for number in numbers {
            let readers = [try whole.makeReader(single), try trimmed.makeReader(single)]
            var frames: [Frame?] = []
            for reader in readers {
                try reader.seek(toIndex: number)
                frames.append(try reader.nextFrame())
            }
            #expect(frames[0]?.timing == frames[1]?.timing, "frame \(number)")
            #expect(frames[0]?.bitmap == frames[1]?.bitmap, "frame \(number)")
        }
    }

    @Test(arguments: ["clip.mp4", "sound.mp4", "moov-last.mp4", "edit-list.mp4"])
    func `damaged tables are listed as FFmpeg reads them, or not at all`(name: String) throws {
        let bytes = try Media.array(name)
        let start = try #require(
            bytes.indices.dropLast(4).first { bytes[$0..<$0 + 4].elementsEqual("moov".utf8) })
        let length = Int(bytes[(start - 4)..<start].reduce(0) { $0 << 8 | UInt32($1) })
        var random = SplitMix(7)
        for round in 0..<150 {
            var damaged = bytes
            for _ in 0...(round % 3) {
                damaged[start + 4 + Int(random.next() % UInt64(length - 8))] = UInt8(
                    truncatingIfNeeded: random.next())
            }
            guard let whole = try? media(damaged, .init(threshold: .max)) else { continue }
            let trimmed = try media(damaged, Self.little)
            #expect("\(trimmed.info)" == "\(whole.info)", "round \(round)")
            let indexes = [timings(whole), timings(trimmed)]
            #expect(indexes[0] == indexes[1], "round \(round)")
        }
    }

    private func timings(_ media: OpenedVideo) -> [FrameTiming]? {
        try? media.containerIndex(CancellationFlag()).timings
    }

    private func media(_ bytes: [UInt8], _ extent: TrimmedTables.Extent) throws -> OpenedVideo {
        let movie = try MovieBytes(MemoryBytes(bytes), .web)
        let container = try #require(Container(.mp4))
        let opening = VideoOpening(
            bytes: movie, type: .mp4, limits: .web, container: container, extent: extent)
        guard let media = try opening.open() as? OpenedVideo else {
            throw MediaError(.unsupported, "What is left is a song.")
        }
        return media
    }

    /// Ways in which ffmpeg writes fragments.
    @Test(
        .needs("ffmpeg"),
        arguments: [
            "-movflags frag_keyframe+empty_moov",
            "-movflags frag_keyframe+empty_moov+default_base_moof",
            "-movflags frag_keyframe+delay_moov", "-movflags frag_every_frame+empty_moov",
            "-movflags frag_keyframe+empty_moov+negative_cts_offsets",
            "-movflags dash+global_sidx+frag_keyframe", "-movflags cmaf -frag_duration 700000",
            "-movflags frag_keyframe+empty_moov -output_ts_offset 100",
        ])
    func `fragments list the packets that are read`(flags: String) throws {
        let scratch = Scratch()
        _ = Peer.output(
            of: "ffmpeg -v error -y -f lavfi -i testsrc2=s=96x64:r=25:d=4 -f lavfi -i sine=d=4"
                + " -c:v libx264 -preset veryfast -bf 2 -g 25 -c:a aac \(flags) -f mp4"
                + " \(scratch.path("a")) </dev/null 2>&1")
        let bytes = scratch["a"]
        try #require(bytes.count > 10_000)
        let movie = try MovieBytes(MemoryBytes(bytes), .web)
        let demuxer = try Demuxer(
            movie, format: "mov", limits: .web, cancellation: CancellationFlag())
        demuxer.choose(0)
        try expectListed(demuxer, movie)
        #expect(try movie.trimmed(to: Self.little, CancellationFlag()) == nil)
    }

    @Test func `fragments of a file are listed, or not at all where they are damaged`() throws {
        let (demuxer, movie) = try demuxer("fragmented.mp4")
        try expectListed(demuxer, movie)
        let bytes = try Media.array("fragmented.mp4")
        var random = SplitMix(11)
        for round in 0..<150 {
            var damaged = bytes
            let tables = bytes.indices.dropLast(4).filter {
                bytes[$0..<$0 + 4].elementsEqual("traf".utf8)
            }
            let start = try #require(tables.randomElement(using: &random))
            damaged[start + Int(random.next() % 300)] = UInt8(truncatingIfNeeded: random.next())
            let movie = MovieBytes(try MemoryBytes(damaged), .web)
            guard
                let demuxer = try? Demuxer(
                    movie, format: "mov", limits: .web, cancellation: CancellationFlag())
            else { continue }
            demuxer.choose(0)
            guard demuxer.streams.count == 1, let listing = try? demuxer.list(movie) else {
                continue
            }
            var cursor = SampleTable.Cursor(listing.table)
            for packet in try packets(demuxer) {
                let next = cursor.next()
                let sample = try #require(next, "round \(round)")
                var expected = packet
                (expected.duration, expected.isCorrupt) = (0, false)
                #expect(listing.facts(of: sample) == expected, "round \(round)")
            }
        }
    }

    /// The listing of fragments, and packets by it, are what FFmpeg reads.
    private func expectListed(_ demuxer: Demuxer, _ movie: MovieBytes) throws {
        let listing = try #require(try demuxer.list(movie))
        let read = try packets(demuxer)
        #expect(read.count == listing.table.count && read.count > 20)
        var cursor = SampleTable.Cursor(listing.table)
        for packet in read {
            let next = cursor.next()
            let sample = try #require(next)
            var expected = packet
            expected.duration = 0
            #expect(listing.facts(of: sample) == expected)
        }
        try demuxer.restart()
        demuxer.adopt(listing)
        let listed = try packets(demuxer)
        #expect(listed.map(\.pts) == read.map(\.pts) && listed.map(\.size) == read.map(\.size))
    }
}

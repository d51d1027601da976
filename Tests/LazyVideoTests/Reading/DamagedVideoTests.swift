import LazyMedia
import LazyVideo
import Support
import Testing

/// Truncated and corrupt files give frames or an error, and decoding always ends.
@Suite struct DamagedVideoTests {
    static let samples = [
        "small.mp4", "fragmented.mp4", "vp9.webm", "h264.ts", "mpeg4.avi", "av1.mp4", "theora.ogv",
        "still.jpg", "still.webp", "animation.png", "vp8-alpha.webm",
    ]

    static let codes: Set<MediaError.Code> = [
        .malformed, .truncated, .unsupported, .limitExceeded, .encrypted, .notFound,
    ]

    /// Decodes all it can; the number of frames, or nil where the file is rejected.
    private func decode(_ bytes: [UInt8], _ type: MediaType) throws(MediaError) -> Int? {
        let memory = try MemoryBytes(bytes)
        do throws(MediaError) {
            let media = try VideoDecoder().open(memory, type: type, limits: .untrusted)
            return try frames(of: media).count
        } catch {
            guard Self.codes.contains(error.code) else { throw error }
            #expect(!error.message.isEmpty)
            return nil
        }
    }

    @Test(arguments: samples) func `a file truncated anywhere decodes or fails cleanly`(
        name: String
    ) throws {
        let bytes = try Media.array(name)
        let type = try videoType(try Media.bytes(name))
        let whole = try #require(try decode(bytes, type))
        for part in 0..<24 {
            let count = try decode(Array(bytes.prefix(bytes.count * part / 24)), type)
            #expect(count ?? 0 <= whole)
        }
    }

    @Test(arguments: samples) func `a file with wrong bytes decodes or fails cleanly`(
        name: String
    ) throws {
        let bytes = try Media.array(name)
        let type = try videoType(try Media.bytes(name))
        var random = SplitMix(11)
        for _ in 0..<16 {
            var damaged = bytes
            for _ in 0..<8 {
                damaged[Int.random(in: damaged.indices, using: &random)] =
                    UInt8.random(in: 0...255, using: &random)
            }
            _ = try decode(damaged, type)
        }
    }

    /// A page of Ogg names a time far away, so the frames behind it are out of order.
    @Test func `keyframes whose times are out of order keep their numbers`() throws {
        var bytes = try Media.array("theora.ogv")
        let changes: [(Int, [UInt8])] = [
            (88, [0]), (91, [0x81, 0x6C, 0x31, 0xA9, 0x60]), (11344, [1, 0]), (11350, [0x20]),
            (11360, [0x7B, 0x2F, 0x95, 0x7F]),
        ]
        for (place, new) in changes { bytes.replaceSubrange(place..<place + new.count, with: new) }
        let media = try opened(MemoryBytes(bytes))
        let all = try frames(of: media).filter(\.timing.isKeyframe)
        let keys = try frames(of: media, ReaderOptions(keyframesOnly: true))
        #expect(keys.map(\.index) == [0, 8, 16])
        #expect(keys.map(\.bitmap) == all.map(\.bitmap))
    }

    @Test func `frames before the truncation are kept`() throws {
        let bytes = try Media.array("clip.mp4")
        let memory = try MemoryBytes(Array(bytes.prefix(bytes.count / 2)))
        let media = try opened(memory)
        #expect(media.info.isTruncated)
        #expect(media.info.frameCount == nil)
        #expect(media.info.warnings.map(\.code) == [.truncated])
        let frames = try frames(of: media)
        #expect(frames.count > 20 && frames.count < 125)
        let numbers: [Int?] = frames.prefix(20).map(\.bitmap.barcode)
        #expect(numbers == Array(0..<20))
    }

    struct Film: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let arguments: String
        let name: String
        /// Where the wrong byte is in the packet; nil where all are 0.
        var place: Int?
        /// The pictures of 24 that can be decoded: without a header of the container or a reference, those of the group are lost.
        var least = 23
        /// The damaged packet.
        var packet = 13
    }

    static let films = [
        Film(testDescription: "MJPEG", arguments: "-c:v mjpeg -pix_fmt yuvj420p", name: "a.mov"),
        Film(
            testDescription: "VP9, keyframes alone", arguments: "-c:v libvpx-vp9 -g 1",
            name: "a.mp4"),
        Film(testDescription: "VP9", arguments: "-c:v libvpx-vp9 -g 8", name: "a.mp4"),
        // The parser takes zeros for a second keyframe.
        Film(
            testDescription: "VP9, behind a keyframe", arguments: "-c:v libvpx-vp9 -g 8",
            name: "a.mp4", packet: 9),
        Film(testDescription: "WebM", arguments: "-c:v libvpx-vp9 -g 8", name: "a.webm", least: 21),
        Film(testDescription: "VP8", arguments: "-c:v libvpx -g 8", name: "a.mkv", least: 21),
        Film(
            testDescription: "AV1, keyframes alone",
            arguments: "-c:v libaom-av1 -cpu-used 8 -g 1", name: "a.mp4"),
        Film(
            testDescription: "AV1, a wrong byte",
            arguments: "-c:v libaom-av1 -cpu-used 8 -lag-in-frames 0 -g 8", name: "a.mp4", place: 9,
            least: 21),
        Film(
            testDescription: "H.264", arguments: "-c:v libx264 -g 8 -bf 0", name: "a.mp4"),
    ]

    /// One packet of 24 is zeros, or has a wrong byte: at most the rest of its group is lost, which is told, with any number of
    /// threads.
    @Test(.needs("ffmpeg"), arguments: films)
    func `pictures behind a damaged packet are decoded`(film: Film) throws {
        let scratch = Scratch()
        let path = scratch.path(film.name)
        let options = film.arguments.contains("pix_fmt") ? "" : "-pix_fmt yuv420p"
        _ = Peer.output(
            of: "ffmpeg -v error -y -f lavfi -i testsrc2=s=160x96:r=10:d=2.4 \(film.arguments)"
                + " \(options) \(path) </dev/null 2>&1")
        let places = Peer.output(
            of: "ffprobe -v error -show_entries packet=pos,size -of csv=p=0 \(path)")
        let lines = String(decoding: places, as: UTF8.self).split(separator: "\n")
        let packet = lines[film.packet].split(separator: ",").compactMap { Int($0) }
        try #require(packet.count == 2)
        let (size, start) = (packet[0], packet[1])
        var bytes = scratch[film.name]
        let whole = try frames(of: opened(MemoryBytes(bytes))).map(\.bitmap)
        if let place = film.place {
            bytes[start + place] ^= 0xFF
        } else {
            for place in start..<start + size { bytes[place] = 0 }
        }
        var all: [[Bitmap]] = []
        for threads in [1, 2, 4] {
            let reader = try opened(MemoryBytes(bytes)).makeReader(ReaderOptions(threads: threads))
            all.append(try rest(of: reader).map(\.bitmap))
            #expect(reader.warnings.map(\.code) == [.corruptPackets])
        }
        #expect((film.least...24).contains(all[0].count))
        #expect(all[0].suffix(8) == whole.suffix(8))
        #expect(all[1] == all[0] && all[2] == all[0])
    }

    @Test func `damaged packets are counted and seeks stay exact`() throws {
        var bytes = try Media.array("mjpeg.avi")
        for place in stride(from: bytes.count / 2, to: bytes.count / 2 + 3000, by: 7) {
            bytes[place] = 0x55
        }
        let media = try opened(MemoryBytes(bytes))
        let reader = try media.makeReader(ReaderOptions())
        let all = try rest(of: reader)
        #expect(reader.warnings.map(\.code) == [.corruptPackets])
        #expect(try media.frameIndex(CancellationFlag()).timings == all.map(\.timing))
        for place in [all.count - 1, 2, all.count / 2] {
            try reader.seek(toIndex: place)
            #expect(try reader.nextFrame()?.bitmap == all[place].bitmap)
        }
    }
}

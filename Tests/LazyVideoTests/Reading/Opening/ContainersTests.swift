import LazyMedia
import LazyVideo
import Support
import Testing

/// Containers and bare streams, made of `small.mp4` with FFmpeg: 24 numbered frames, 12 a second.
@Suite(.needs("ffmpeg")) struct ContainersTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let type: MediaType
        /// How FFmpeg writes it.
        let arguments: String
        let codec: String
        var clip = "small.mp4"
        /// The frames per second that come out; a bare stream may not tell them.
        var rate = 12.0
        /// What is done to the file.
        var change: @Sendable ([UInt8]) -> [UInt8] = { $0 }

        var testDescription: String { name }

        func bytes() throws -> MemoryBytes {
            let words =
                "file=$(mktemp) && ffmpeg -nostdin -v error -y -i \(Media.path(clip)) "
                + "\(arguments) \"$file\" && cat \"$file\"; rm -f \"$file\""
            return try MemoryBytes(change(Peer.output(of: words)))
        }
    }

    static let rows = [
        Row(
            name: "MXF", type: .mxf, arguments: "-r 25 -c:v mpeg2video -q:v 2 -f mxf",
            codec: "mpeg2video", rate: 25),
        Row(
            name: "MXF with a run-in", type: .mxf,
            arguments: "-r 25 -c:v mpeg2video -q:v 2 -f mxf", codec: "mpeg2video", rate: 25,
            change: { [UInt8](repeating: 7, count: 1000) + $0 }),
        Row(name: "H.264", type: .h264, arguments: "-c:v libx264 -g 8 -f h264", codec: "h264"),
        Row(
            name: "H.264 that begins with a delimiter", type: .h264,
            arguments: "-c:v libx264 -bf 0 -x264-params aud=1 -f h264", codec: "h264"),
        Row(
            name: "HEVC", type: .hevc,
            arguments: "-c:v libx265 -x265-params log-level=none:keyint=8:open-gop=0 -f hevc",
            codec: "hevc"),
        Row(
            name: "HEVC of open groups", type: .hevc,
            arguments: "-c:v libx265 -x265-params log-level=none:keyint=8:min-keyint=8 -f hevc",
            codec: "hevc"),
        Row(
            name: "AV1", type: .av1, arguments: "-c copy -f obu", codec: "av1", clip: "av1.mp4",
            rate: 25),
        Row(
            name: "AV1 with lengths", type: .av1AnnexB, arguments: "-c copy -f obu",
            codec: "av1", clip: "av1.mp4", rate: 25, change: annexB),
        Row(
            name: "MPEG-1", type: .mpegVideo,
            arguments: "-r 25 -c:v mpeg1video -q:v 2 -bf 2 -f mpeg1video", codec: "mpeg1video",
            rate: 25),
        Row(
            name: "MPEG-2", type: .mpegVideo,
            arguments: "-r 25 -c:v mpeg2video -q:v 2 -bf 2 -f mpeg2video", codec: "mpeg2video",
            rate: 25),
        Row(
            name: "MPEG-4", type: .mpeg4Video, arguments: "-c:v mpeg4 -q:v 2 -bf 2 -f m4v",
            codec: "mpeg4"),
        Row(
            name: "Motion JPEG", type: .mjpeg, arguments: "-c:v mjpeg -q:v 2 -f mjpeg",
            codec: "mjpeg", rate: 25),
        Row(
            name: "DV", type: .dv,
            arguments: "-r 25 -vf scale=720:576 -pix_fmt yuv420p -c:v dvvideo -f dv",
            codec: "dvvideo", rate: 25),
        Row(
            name: "RealMedia", type: .realMedia, arguments: "-c:v rv20 -g 1 -q:v 2 -f rm",
            codec: "rv20"),
        Row(name: "NUT", type: .nut, arguments: "-c:v ffv1 -f nut", codec: "ffv1"),
        Row(
            name: "3GP", type: .mp4, arguments: "-vf scale=176:144 -c:v h263 -q:v 2 -r 12 -f 3gp",
            codec: "h263"),
        Row(name: "3G2", type: .mp4, arguments: "-c:v mpeg4 -q:v 2 -f 3g2", codec: "mpeg4"),
        Row(
            name: "M2TS", type: .mpegTS,
            arguments: "-c:v libx264 -mpegts_m2ts_mode 1 -f mpegts", codec: "h264"),
        Row(
            name: "TS that begins within a packet", type: .mpegTS,
            arguments: "-c:v libx264 -f mpegts", codec: "h264",
            change: { [UInt8](repeating: 7, count: 99) + $0 }),
        Row(
            name: "VOB", type: .mpegPS, arguments: "-r 25 -c:v mpeg2video -q:v 2 -f vob",
            codec: "mpeg2video", rate: 25),
        Row(
            name: "PS with a late start code", type: .mpegPS,
            arguments: "-r 25 -c:v mpeg2video -q:v 2 -f vob", codec: "mpeg2video", rate: 25,
            change: { [UInt8](repeating: 7, count: 3000) + $0 }),
        Row(name: "FLV", type: .flv, arguments: "-c:v flv1 -q:v 2 -f flv", codec: "flv1"),
        Row(name: "SWF", type: .swf, arguments: "-c:v flv1 -q:v 2 -f swf", codec: "flv1"),
        Row(name: "WMV", type: .asf, arguments: "-c:v wmv2 -q:v 2 -f asf", codec: "wmv2"),
        Row(name: "IVF", type: .ivf, arguments: "-c:v libvpx -b:v 2M -f ivf", codec: "vp8"),
    ]

    @Test(arguments: rows) func `every frame has its time and its picture`(row: Row) throws {
        let bytes = try row.bytes()
        #expect(try videoType(bytes) == row.type)
        let media = try opened(bytes)
        #expect(media.info.type == row.type)
        #expect(media.info.codec == row.codec)
        let all = try frames(of: media)
        let numbers = all.compactMap(\.bitmap.barcode)
        #expect(all.count >= 24)
        #expect(numbers.count == all.count)
        #expect(numbers == numbers.sorted() && Set(numbers) == Set(0..<24))
        let index = try media.frameIndex(CancellationFlag())
        #expect(index.count == all.count)
        for frame in all {
            let time = frame.timing.presentation.duration / .seconds(1)
            // Matroska, FLV, RealMedia and ASF store milliseconds.
            #expect(abs(time - Double(frame.timing.index) / row.rate) < 0.0016, "\(time)")
            #expect(index[frame.timing.index].presentation == frame.timing.presentation)
        }
    }

    @Test(arguments: rows.filter { ["H.264", "HEVC"].contains($0.name) })
    func `the packets of a bare stream tell its times and its clean starts`(row: Row) throws {
        let media = try opened(row.bytes())
        let packets = try media.containerIndex(CancellationFlag())
        let exact = try media.frameIndex(CancellationFlag())
        #expect(packets.timings.map(\.presentation) == exact.timings.map(\.presentation))
        #expect(packets.keyframes.map(\.index) == [0, 8, 16])
        #expect(media.info.frameCount == 24)
    }

    @Test(arguments: ["H.264", "MPEG-2"])
    func `keyframes of a bare stream have the times of all frames`(name: String) throws {
        let row = try #require(Self.rows.first { $0.name == name })
        let media = try opened(row.bytes())
        let all = try frames(of: media)
        var options = ReaderOptions()
        options.keyframesOnly = true
        let keys = try frames(of: media, options)
        #expect(keys.count > 1)
        for key in keys {
            let same = all[key.timing.index]
            #expect(same.timing.presentation == key.timing.presentation)
            #expect(same.bitmap.barcode == key.bitmap.barcode)
        }
    }

    @Test(arguments: rows) func `a single frame is that of a sequential read`(row: Row) throws {
        let bytes = try row.bytes()
        let all = try frames(of: opened(bytes))
        for number in [all.count - 1, 13, 1] {
            let fresh = try opened(bytes)
            var options = ReaderOptions()
            options.isSingleFrame = true
            let reader = try fresh.makeReader(options)
            try reader.seek(toTime: all[number].timing.presentation.duration)
            let frame = try #require(try reader.nextFrame())
            #expect(frame.timing.presentation == all[number].timing.presentation)
            #expect(frame.bitmap.barcode == all[number].bitmap.barcode)
        }
    }
}

/// Temporal units of OBUs as AV1's Annex B has them: lengths instead of sizes.
@Sendable private func annexB(_ stream: [UInt8]) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] {
        value < 128 ? [UInt8(value)] : [UInt8(value & 127 | 128)] + number(value >> 7)
    }
    var units: [[UInt8]] = []
    var place = 0
    while place < stream.count {
        let header = stream[place]
        var (size, shift) = (0, 0)
        repeat {
            place += 1
            size |= Int(stream[place] & 127) << shift
            shift += 7
        } while stream[place] > 127
        place += 1
        if header >> 3 & 15 == 2 { units.append([]) }
        units[units.count - 1] +=
            number(size + 1) + [header & ~2] + stream[place..<place + size]
        place += size
    }
    return units.flatMap { unit in
        let frame = number(unit.count) + unit
        return number(frame.count) + frame
    }
}

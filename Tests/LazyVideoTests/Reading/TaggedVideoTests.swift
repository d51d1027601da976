import LazyMedia
import LazyVideo
import Support
import Testing

/// SDR comes out by its tags, and costs nothing where it is plain.
@Suite(.ownThreads) struct TaggedVideoTests {
    private static func clip(_ tags: ColorTags, _ codec: String, _ name: String) -> [UInt8] {
        let scratch = Scratch()
        // The filter `scale` has other names than `setparams`.
        let matrix = ["bt709": "bt709", "bt2020nc": "bt2020"][tags.matrix] ?? "bt601"
        _ = Peer.output(
            of: "ffmpeg -v error -y -f lavfi -i color=red:s=64x64:r=5:d=1 -f lavfi -i"
                + " color=white:s=64x64:r=5:d=1 -filter_complex '[0][1]hstack,format=gbrp,"
                + "scale=out_color_matrix=\(matrix):out_range=tv,format=yuv444p,"
                + "\(tags.filter)' \(codec) \(scratch.path(name)) </dev/null 2>&1")
        return scratch[name]
    }

    /// Green and blue that remain of a red of other primaries, and red that remains: clipped in sRGB.
    @Test(.needs("ffmpeg"))
    func `Wide primaries and other curves are converted`() throws {
        // PAL's red of gamma 2.8 is BT.709's; its white stays white.
        let pal = try Self.colors(ColorTags("bt470bg", "bt470bg", "bt470bg"))
        #expect(pal.white == [255, 255, 255])
        // The red of 525 lines counts as BT.709's with any curve.
        let ntsc = try Self.colors(ColorTags("smpte170m", "bt470m", "smpte170m"))
        #expect(ntsc.red.x >= 252 && ntsc.red.y <= 2)
        #expect(ntsc.white == [255, 255, 255])
    }

    @Test(
        .needs("ffmpeg"),
        arguments: [
            ("smpte432", "iec61966-2-1", "bt709"), ("bt2020", "bt2020-10", "bt2020nc"),
            ("smpte432", "bt709", "bt709"),
        ]) func `A red outside sRGB is its brightest red`(
            primaries: String, transfer: String, matrix: String
        ) throws
    {
        let tags = ColorTags(primaries, transfer, matrix)
        let (red, white) = try Self.colors(tags)
        #expect(red == [255, 0, 0])
        #expect(white == [255, 255, 255])
        let media = try opened(MemoryBytes(Self.clip(tags, "-c:v ffv1", "a.mkv")))
        let frame = try #require(try media.makeReader(ReaderOptions(planes: true)).nextFrame())
        #expect(frame.planes == nil)
    }

    private static func colors(_ tags: ColorTags) throws -> (red: SIMD3<UInt8>, white: SIMD3<UInt8>)
    {
        let media = try opened(MemoryBytes(clip(tags, "-c:v ffv1", "a.mkv")))
        let bitmap = try #require(try media.makeReader(ReaderOptions()).nextFrame()).bitmap
        let (red, white) = (bitmap[20, 20], bitmap[100, 20])
        return ([red.x, red.y, red.z], [white.x, white.y, white.z])
    }

    /// Tags that browsers do not convert in films.
    @Test(
        .needs("ffmpeg"),
        arguments: [
            ("bt709", "bt709", "bt709"), ("smpte170m", "smpte170m", "smpte170m"),
            ("smpte170m", "smpte240m", "bt470bg"), ("bt709", "iec61966-2-1", "bt709"),
            ("unknown", "unknown", "bt709"), ("bt2020", "unknown", "bt709"),
        ]) func `Plain tags change nothing`(
            primaries: String, transfer: String, matrix: String
        ) throws
    {
        let scratch = Scratch()
        _ = Peer.output(
            of: "ffmpeg -v error -y -f lavfi -i testsrc2=s=128x64:r=5:d=0.4 -vf"
                + " format=yuv420p,\(ColorTags(primaries, transfer, matrix).filter) -c:v libx264 -qp 0 \(scratch.path("a.mp4")) </dev/null"
        )
        let media = try opened(MemoryBytes(scratch["a.mp4"]))
        var source = ReaderOptions(planes: true)
        source.color = .source
        let plain = try #require(try media.makeReader(ReaderOptions(planes: true)).nextFrame())
        let kept = try #require(try media.makeReader(source).nextFrame())
        #expect(plain.bitmap == kept.bitmap)
        #expect(plain.planes?.withBytes { Array($0) } == kept.planes?.withBytes { Array($0) })
        #expect(plain.planes != nil)
        #expect(media.info.hdrFormat == nil)
        #expect(kept.color.matrix.description == matrix)
    }

    /// ffprobe's words for files of `media/`.
    @Test(
        .needs("ffprobe"),
        arguments: [
            "clip.mp4", "vp9.webm", "av1.mp4", "vp9-alpha.webm", "prores.mov", "odd.webm",
        ]) func `What the samples are equals ffprobe's`(name: String) throws
    {
        let theirs = Peer.output(
            of: "ffprobe -v error -select_streams v:0 -show_entries stream=pix_fmt,color_range,"
                + "color_space,color_transfer,color_primaries:format=bit_rate -of"
                + " default=noprint_wrappers=1 \(Media.path(name))")
        var values: [String: String] = [:]
        for line in String(decoding: theirs, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
        let info = try opened(name).info
        #expect(info.pixelFormat == values["pix_fmt"])
        #expect(info.color.matrix.description == values["color_space"])
        #expect(info.color.transfer.description == values["color_transfer"])
        #expect(info.color.primaries.description == values["color_primaries"])
        let range = info.color.isFullRange.map { $0 ? "pc" : "tv" } ?? "unknown"
        #expect(range == values["color_range"])
        let rate = try #require(Int64(values["bit_rate"] ?? ""))
        #expect(abs((info.bitRate ?? 0) - rate) <= rate / 100)
    }

    /// Of clocks that begin late, headers that lie by ten, and halves.
    @Test(.needs("ffmpeg"), arguments: ["mkv", "nut", "flv", "avi", "mp4"])
    func `the bit rate is about that of the length that is told`(ending: String) async throws {
        let scratch = Scratch()
        let path = scratch.path("a." + ending)
        let codec = ["nut", "avi"].contains(ending) ? "mpeg4" : "libx264"
        _ = Peer.output(
            of:
                "ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=10:d=5 -c:v \(codec) -output_ts_offset 3600 '\(path)' </dev/null"
        )
        let file = scratch["a." + ending]
        for bytes in [file, Array(file.prefix(file.count / 2))]
        where ending != "mp4" || bytes.count == file.count {
            let info = try await FrameSequence(opened(MemoryBytes(bytes))).detailedInfo()
            let length = try #require(info.duration) / .seconds(1)
            let wanted = Double(bytes.count) * 8 / length
            #expect(abs(Double(info.bitRate ?? 0) / wanted - 1) < 0.12, "\(length) s")
        }
    }
}

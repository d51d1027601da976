import LazyMedia
import LazyVideo
import Support
import Testing

/// Which matrix video has whose file does not say it.
@Suite(.ownThreads) struct UntaggedVideoTests {
    /// Y 100, U 80, V 190 by each matrix, as Chromium 156 draws it.
    enum Matrix: Sendable {
        case bt601
        case bt709

        var color: SIMD3<Int> { self == .bt601 ? [197, 66, 2] : [209, 75, 2] }
    }

    /// An untagged picture of one color.
    private func film(_ size: String, _ codec: String, _ filter: String = "null") -> [UInt8] {
        let scratch = Scratch()
        let words = codec.split(separator: " ")
        let path = scratch.path(String(words.last ?? ""))
        _ = Peer.output(
            of: "ffmpeg -v error -y -f lavfi -i color=c=black:s=\(size):r=5:d=0.4,format=yuv420p,"
                + "lutyuv=y=100:u=80:v=190,\(filter) \(words.dropLast().joined(separator: " "))"
                + " -frames:v 1 \(path) </dev/null")
        return scratch[String(words.last ?? "")]
    }

    private func expect(_ matrix: Matrix, _ bytes: [UInt8], _ label: String) throws {
        let media = try opened(MemoryBytes(bytes))
        #expect(media.info.color.matrix == .unspecified)
        let pixel = try #require(try media.makeReader(ReaderOptions()).nextFrame()).bitmap[100, 100]
        for channel in 0..<3 {
            #expect(abs(Int(pixel[channel]) - matrix.color[channel]) <= 2, "\(label)")
        }
        let target = PixelSize(width: 64, height: 64)
        let small = try #require(
            try media.makeReader(ReaderOptions(size: target)).nextFrame()
        ).bitmap[32, 32]
        for channel in 0..<3 {
            #expect(abs(Int(small[channel]) - matrix.color[channel]) <= 2, "\(label), small")
        }
    }

    @Test(
        .needs("ffmpeg"),
        arguments: [
            ("640x360", Matrix.bt601), ("1280x544", .bt601), ("960x640", .bt601),
            ("1280x718", .bt601), ("1280x720", .bt709), ("720x1280", .bt709),
            ("1920x1080", .bt709),
        ],
        [
            "-c:v libx264 -preset ultrafast -qp 0 a.mp4",
            "-c:v libvpx -deadline realtime -cpu-used 8 -crf 4 -b:v 5M a.webm",
        ]) func `H.264 and VP8 have the matrix of their rows, as in browsers`(
            size: (String, Matrix), codec: String
        ) throws
    {
        try expect(size.1, film(size.0, codec), size.0 + codec)
    }

    @Test(.needs("ffmpeg"))
    func `where the size changes on the way the declared one decides`() throws {
        let scratch = Scratch()
        let codec = "-c:v libvpx -deadline realtime -cpu-used 8 -crf 4 -b:v 5M a.webm"
        let list = ["1280x720", "160x96"].map { size in
            "file '" + scratch.write(film(size, codec), "\(size).webm") + "'"
        }
        let input = scratch.write(Array(list.joined(separator: "\n").utf8), "list.txt")
        _ = Peer.output(
            of: "ffmpeg -v error -y -f concat -safe 0 -i \(input) -c copy"
                + " \(scratch.path("a.webm")) </dev/null 2>&1")
        let media = try opened(MemoryBytes(scratch["a.webm"]))
        let pictures = try frames(of: media).map(\.bitmap)
        #expect(pictures.count == 2)
        for picture in pictures {
            for channel in 0..<3 {
                let wanted = Matrix.bt709.color[channel]
                #expect(abs(Int(picture[100, 100][channel]) - wanted) <= 2)
            }
        }
    }

    /// The rows count that square pixels have, before rotation.
    @Test(
        .needs("ffmpeg"),
        arguments: [
            ("640x360", "setsar=1/2", false, Matrix.bt709),
            ("640x360", "setsar=4/1", false, .bt601),
            ("1280x544", "null", true, .bt601), ("1280x720", "null", true, .bt709),
        ]) func `Pixel aspect counts, and rotation does not`(
            size: String, filter: String, isTurned: Bool, matrix: Matrix
        ) throws
    {
        var movie = film(size, "-c:v libx264 -preset ultrafast -qp 0 a.mp4", filter)
        if isTurned {
            movie = Self.turned(movie)
            #expect(try opened(MemoryBytes(movie)).info.rotation == 90)
        }
        try expect(matrix, movie, "\(size) \(filter) \(isTurned)")
    }

    /// A movie with the matrix of a quarter turn in the header of its track (ISO/IEC 14496-12, 8.3.2).
    private static func turned(_ movie: [UInt8]) -> [UInt8] {
        let kind = Array("tkhd".utf8)
        guard let place = movie.indices.first(where: { movie[$0...].starts(with: kind) }) else {
            return []
        }
        let matrix: [UInt32] = [0, 1 << 16, 0, UInt32(bitPattern: -1 << 16), 0, 0, 0, 0, 1 << 30]
        var movie = movie
        movie.replaceSubrange(
            place + 44..<place + 80, with: matrix.flatMap { HEICForge.number(Int($0), 4) })
        return movie
    }

    /// Chromium takes VP9 and AV1 for BT.601 at any size, and plays no MPEG-4.
    @Test(
        .needs("ffmpeg"),
        arguments: [
            ("640x360", Matrix.bt601), ("720x576", .bt601), ("960x640", .bt709),
            ("1280x544", .bt709), ("1280x720", .bt709),
        ],
        [
            "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -lossless 1 a.webm",
            "-c:v libaom-av1 -usage realtime -cpu-used 8 -crf 4 a.mp4",
            "-c:v mpeg4 -q:v 1 a.mp4", "-c:v ffv1 a.mkv",
        ]) func `Other codecs have the matrix of their size`(
            size: (String, Matrix), codec: String
        ) throws
    {
        try expect(size.1, film(size.0, codec), size.0 + codec)
    }
}

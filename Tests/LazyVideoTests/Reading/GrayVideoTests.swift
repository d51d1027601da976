import LazyMedia
import LazyVideo
import Support
import Testing

/// Films without chroma.
@Suite(.ownThreads) struct GrayVideoTests {
    /// An encoder, the layout of its samples, the range, and whether that is written.
    static let kinds = [
        ("-c:v libaom-av1 -cpu-used 8 -crf 4", "gray", "tv"),
        ("-c:v libaom-av1 -cpu-used 8 -crf 4", "gray10le", "tv"),
        ("-c:v libaom-av1 -cpu-used 8 -crf 4", "gray", "pc"),
        ("-c:v ffv1", "gray", "pc"), ("-c:v ffv1", "gray16le", "pc"),
        ("-c:v ffv1", "gray", "tv"),
    ]

    @Test(.needs("ffmpeg"), arguments: kinds.indices, [64, 32])
    func `black is black and white is white`(index: Int, width: Int) throws {
        let (codec, format, range) = Self.kinds[index]
        let scratch = Scratch()
        _ = Peer.output(
            of: "ffmpeg -v error -y -f lavfi -i color=black:s=32x64:r=5:d=1"
                + " -f lavfi -i color=white:s=32x64:r=5:d=1 -filter_complex"
                + " '[0][1]hstack,format=yuv420p,scale=in_range=tv:out_range=\(range),format=\(format)'"
                + " -color_range \(range) \(codec) \(scratch.path("a.mkv")) </dev/null 2>&1")
        let media = try opened(MemoryBytes(scratch["a.mkv"]))
        let options = ReaderOptions(size: PixelSize(width: width, height: width))
        let bitmap = try #require(try frames(of: media, options).first?.bitmap)
        #expect(bitmap[4, 4].x <= 1, "\(codec) \(format) \(range)")
        #expect(bitmap[width - 5, 4].x >= 254, "\(codec) \(format) \(range)")
    }
}

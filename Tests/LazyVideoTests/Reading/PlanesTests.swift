import LazyMedia
import LazyVideo
import Support
import Testing

@Suite(.ownThreads) struct PlanesTests {
    static func first(_ name: String, _ options: ReaderOptions) throws -> Frame {
        try #require(try opened(name).makeReader(options).nextFrame())
    }

    @Test(.needs("ffmpeg"), arguments: ["clip.mp4", "vp9.webm", "odd.webm", "av1.mp4"])
    func `unscaled planes equal the decoder's`(name: String) throws {
        let frame = try Self.first(name, ReaderOptions(planes: true))
        let planes = try #require(frame.planes)
        let theirs = Peer.output(
            of: "ffmpeg -v error -i \(Media.path(name)) -frames:v 1 -f rawvideo"
                + " -pix_fmt yuv420p - </dev/null")
        #expect(planes.withBytes { Array($0) } == theirs)
        #expect(planes.matrix == (name == "clip.mp4" ? .bt709 : .bt601))
        #expect(!planes.isFullRange)
    }

    @Test func `requesting planes does not change unscaled bitmaps`() throws {
        let media = try opened("clip.mp4")
        let plain = try frames(of: media)
        let planar = try frames(of: media, ReaderOptions(planes: true))
        #expect(plain.map(\.bitmap) == planar.map(\.bitmap))
        #expect(plain.allSatisfy { $0.planes == nil })
        #expect(planar.allSatisfy { $0.planes?.size == $0.bitmap.size })
    }

    /// Sizes with code paths of their own in swscale, and the older full range.
    @Test(
        .needs("ffmpeg"),
        arguments: [
            "64x48 yuv420p", "67x48 yuv420p", "66x35 yuv420p", "33x17 yuv420p", "16x2 yuv420p",
            "2x2 yuv420p", "854x60 yuv420p", "80x46 yuvj420p", "81x47 yuvj420p",
        ]) func `deferred bitmaps equal direct ones`(kind: String) throws
    {
        let (size, format) = (kind.split(separator: " ")[0], kind.split(separator: " ")[1])
        let bytes = Peer.output(
            of: "ffmpeg -v error -f lavfi -i testsrc2=s=256x128:r=5:d=1 -vf scale=\(size),setsar=1"
                + " -pix_fmt \(format) -c:v ffv1 -f matroska - </dev/null")
        let media = try opened(MemoryBytes(bytes))
        let plain = try frames(of: media)
        let late = try frames(of: media, ReaderOptions(planes: true))
        #expect(plain.count == 5)
        #expect(late.allSatisfy { $0.planes != nil })
        for (one, other) in zip(plain, late) { #expect(one.bitmap == other.bitmap) }
    }

    @Test func `deferred bitmaps outlive their reader on any thread`() async throws {
        let media = try opened("clip.mp4")
        let plain = try frames(of: media).map(\.bitmap)
        let late = try frames(of: media, ReaderOptions(planes: true)).map(\.bitmap)
        let equal = await withTaskGroup(of: Bool.self) { group in
            for (one, other) in zip(plain, late) {
                for _ in 0..<2 {
                    group.addTask(executorPreference: BlockingPool.shared) { one == other }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(equal == plain.count * 2)
    }

    @Test(arguments: [(80, 48), (79, 47), (33, 20), (1, 1), (320, 192)])
    func `scaled bitmaps from planes and from pictures are alike`(width: Int, height: Int) throws {
        let size = PixelSize(width: width, height: height)
        let plain = try Self.first("small.mp4", ReaderOptions(size: size)).bitmap
        let frame = try Self.first("small.mp4", ReaderOptions(size: size, planes: true))
        #expect(frame.planes?.size == size)
        #expect(frame.bitmap.size == size)
        #expect(frame.bitmap.isOpaque)
        // Colored bars of a few pixels: every edge shows the subsampled chroma.
        #expect(meanDifference(plain, frame.bitmap) < 5)
    }

    /// Size and tags, and swscale's options for them.
    @Test(
        .needs("ffmpeg"),
        arguments: [
            ("64x36", PlanarPicture.Matrix.bt601, false), ("65x37", .bt709, false),
            ("63x35", .bt601, true), ("64x64", .bt709, true),
        ]) func `flat areas have swscale's colors`(
            name: String, matrix: PlanarPicture.Matrix, isFullRange: Bool
        ) throws
    {
        let sides = name.split(separator: "x").compactMap { Int($0) }
        let size = PixelSize(width: sides[0], height: sides[1])
        let layout = PlanarPicture.Layout(size)
        var random = SplitMix(5)
        // Blocks of one color: the interpolation of chroma does not matter inside them.
        let values = (0..<3).map { _ in
            (0..<16).map { _ in UInt8.random(in: 16...235, using: &random) }
        }
        let picture = try PlanarPicture(size: size, matrix: matrix, isFullRange: isFullRange) {
            (bytes) throws(MediaError) in
            func fill(_ start: Int, _ width: Int, _ height: Int, _ block: Int, _ plane: Int) {
                let values = values[plane]
                for y in 0..<height {
                    for x in 0..<width {
                        bytes[start + y * width + x] =
                            values[min(3, x / block) + 4 * min(3, y / block)]
                    }
                }
            }
            fill(0, size.width, size.height, 16, 0)
            fill(layout.u, layout.chromaWidth, layout.chromaHeight, 8, 1)
            fill(layout.v, layout.chromaWidth, layout.chromaHeight, 8, 2)
        }
        let scratch = Scratch()
        let path = scratch.write(picture.withBytes { Array($0) }, "in.yuv")
        let space = matrix == .bt709 ? "bt709" : "bt601"
        let range = isFullRange ? "full" : "limited"
        let theirs = Peer.output(
            of: "ffmpeg -v error -f rawvideo -pix_fmt yuv420p -s \(name) -i \(path) -vf"
                + " scale=in_color_matrix=\(space):in_range=\(range):flags=accurate_rnd"
                + "+full_chroma_int -f rawvideo -pix_fmt rgba - </dev/null")
        let ours = try picture.bitmap()
        #expect(theirs.count == size.rgbaByteCount)
        for y in stride(from: 8, to: size.height, by: 16) {
            for x in stride(from: 8, to: size.width, by: 16) {
                let place = (y * size.width + x) * 4
                for channel in 0..<4 {
                    let difference = Int(theirs[place + channel]) - Int(ours[x, y][channel])
                    #expect(abs(difference) <= 2, "channel \(channel) at \(x),\(y)")
                }
            }
        }
    }

    @Test(arguments: ["vp9-alpha.webm", "prores.mov", "animation.png", "rotated-90.mp4"])
    func `pictures that are not opaque upright 4 2 0 have no planes`(name: String) throws {
        let plain = try Self.first(name, ReaderOptions())
        let frame = try Self.first(name, ReaderOptions(planes: true))
        #expect(frame.planes == nil)
        #expect(frame.bitmap == plain.bitmap)
    }
}

/// The mean difference of two pictures' channels, in levels.
func meanDifference(_ one: Bitmap, _ other: Bitmap) -> Double {
    let sum = one.withBytes { a in
        other.withBytes { b in zip(a, b).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) } }
    }
    return Double(sum) / Double(one.byteCount)
}

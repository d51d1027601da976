import LazyCodecs
import LazyMedia
import LazyPipeline
import LazyVideo
import Support
import Testing

@Suite struct PreviewDecoderTests {
    private static let decoders = DecoderRegistry(
        formats: [.gif, .jpeg, .png] + MediaFormat.video)

    private func maker(_ decoders: DecoderRegistry = decoders) -> PreviewDecoder {
        PreviewDecoder(decoders: decoders, limits: .web, delayRule: .browsers)
    }

    /// The previews of bytes that arrive in pieces, and how much was there for each.
    private func previews(
        _ bytes: [UInt8], step: Int, _ policy: PreviewPolicy = .incremental,
        size: TargetSize? = nil
    ) -> [(count: Int, container: ImageContainer)] {
        let maker = maker()
        return stride(from: 1, to: bytes.count, by: step).compactMap { count in
            let prefix = Blob(Array(bytes[..<count]))
            return maker.makePreview(of: prefix, policy: policy, size: size).map { (count, $0) }
        }
    }

    private func picture(_ width: Int, _ height: Int) throws -> Bitmap {
        try Picture.make(width, height) { x, y in
            let isInside = (x / 20 + y / 20).isMultiple(of: 2)
            return SIMD4(UInt8(x * 255 / width), UInt8(y * 255 / height), isInside ? 220 : 20, 255)
        }
    }

    private func difference(_ a: Bitmap, _ b: Bitmap) -> Int {
        a.withBytes { a in
            b.withBytes { b in zip(a, b).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) } }
        }
    }

    @Test func `each scan of a JPEG is shown once, each better than the previous one`() throws {
        let picture = try picture(320, 200)
        let bytes = try JPEGEncoder(isProgressive: true).encode(picture)
        let scans = bytes.indices.dropLast().count { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
        let previews = previews(bytes, step: 97)
        // The end of the last scan is the end of the file.
        #expect(previews.count == scans - 1)
        #expect(scans == 10)
        var errors: [Int] = []
        for preview in previews {
            #expect(preview.container.isPreview)
            #expect(preview.container.data == nil)
            #expect(preview.container.image.size == picture.size)
            #expect(preview.container.image.isOpaque)
            #expect(!preview.container.isAnimated)
            errors.append(difference(preview.container.image, picture))
        }
        // A scan of one color may take from the others what smoothing had lent them.
        for (before, after) in zip(errors, errors.dropFirst()) {
            #expect(after <= before + before / 10)
        }
        #expect(try #require(errors.last) < #require(errors.first) / 2)
    }

    @Test func `a JPEG preview can be scaled down`() throws {
        let bytes = try JPEGEncoder(isProgressive: true).encode(picture(320, 200))
        let previews = previews(bytes, step: 500, size: TargetSize(width: 80))
        #expect(!previews.isEmpty)
        for preview in previews {
            #expect(preview.container.image.size == PixelSize(width: 80, height: 50))
            #expect(preview.container.frames.info.size == preview.container.image.size)
        }
    }

    @Test func `a baseline JPEG shows its rows only on request`() throws {
        let bytes = try JPEGEncoder().encode(picture(320, 200))
        let prefix = Blob(Array(bytes[..<1000]))
        #expect(maker().defaultPolicy(for: .jpeg, prefix: prefix) == .disabled)
        var last = 0
        for preview in previews(bytes, step: 200) {
            let image = preview.container.image
            let rows = (0..<200).count { image[0, $0].w == 255 }
            #expect(rows >= last)
            last = rows
        }
        #expect(last > 100)
    }

    @Test func `complete frames of a GIF play while the rest is downloaded`() async throws {
        let bytes = try Media.array("counter.gif")
        let whole = try FrameSequence(Self.decoders.open(MemoryBytes(bytes)))
        var last = 0
        for preview in previews(bytes, step: max(1, bytes.count / 40)) {
            let frames = preview.container.frames
            let count = try #require(frames.info.frameCount)
            #expect(count > last)
            last = count
            #expect(preview.container.image.barcode == 0)
            let index = count - 1
            let frame = try await frames.frame(index)
            #expect(try await frame.bitmap == whole.frame(index).bitmap)
            #expect(frame.timing == (try await whole.frameIndex()).timings[index])
        }
        #expect(last > 4)
    }

    @Test func `a GIF of many frames is not opened for each of them`() throws {
        var forge = GIFForge(width: 1, height: 1, palette: [0, 0xFFFFFF])
        var ends: [Int] = []
        for index in 0..<1000 {
            forge.control(delay: 10)
            forge.image(width: 1, height: 1, indices: [UInt8(index % 2)], codeSize: 2)
            ends.append(forge.bytes.count)
        }
        forge.trailer()
        let maker = maker()
        let made = ends.count { end in
            let prefix = Blob(Array(forge.bytes[..<end]))
            return maker.makePreview(of: prefix, policy: .incremental) != nil
        }
        #expect((10...60).contains(made))
    }

    @Test(arguments: [
        "clip.mp4", "fragmented.mp4", "vp9.webm", "vp8.webm", "h264.mkv", "h264.ts",
    ]) func `a video has one preview, its poster`(name: String) async throws {
        let bytes = try Media.array(name)
        let whole = try FrameSequence(Self.decoders.open(MemoryBytes(bytes)))
        let poster = try await whole.poster().bitmap
        let previews = previews(bytes, step: max(1, bytes.count / 50))
        #expect(previews.count == 1)
        let preview = try #require(previews.first)
        #expect(preview.container.image == poster)
        #expect(preview.count < bytes.count * 3 / 4, "\(preview.count) of \(bytes.count)")
        #expect(!preview.container.isAnimated)
    }

    @Test func `a video with its header at the end has no preview`() throws {
        let bytes = try Media.array("moov-last.mp4")
        #expect(previews(bytes, step: bytes.count / 50).isEmpty)
    }

    @Test func `an embedded thumbnail is delivered once`() throws {
        let cover = previews(try Media.array("cover-art.mp4"), step: 700, .thumbnail)
        #expect(cover.count <= 1)
        let none = previews(try Media.array("still.jpg"), step: 100, .thumbnail)
        #expect(none.isEmpty)
    }

    @Test(arguments: PreviewPolicy.allCases) func `arbitrary bytes are harmless`(
        policy: PreviewPolicy
    ) {
        var random = SplitMix(1)
        for magic in [
            [0xFF, 0xD8, 0xFF, 0xC2], Array("GIF89a".utf8), [0x1A, 0x45, 0xDF, 0xA3], [],
        ] {
            let bytes = magic + (0..<3000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            for preview in previews(bytes, step: 111, policy) {
                #expect(preview.container.isPreview)
            }
        }
    }

    @Test func `a disabled policy gives no previews`() throws {
        #expect(previews(try Media.array("counter.gif"), step: 300, .disabled).isEmpty)
    }

    @Test(arguments: [
        ("counter.gif", PreviewPolicy.incremental), ("clip.mp4", .incremental),
        ("vp9.webm", .incremental), ("h264.mov", .incremental), ("still.jpg", .disabled),
        ("still-progressive.jpg", .incremental), ("still-rgb8.png", .disabled),
        ("still.webp", .disabled), ("still.avif", .disabled), ("animation.webp", .disabled),
    ]) func `the default policy enables formats that profit from previews`(
        name: String, policy: PreviewPolicy
    ) throws {
        let bytes = try Media.array(name)
        let type = try Self.decoders.type(of: MemoryBytes(bytes))
        #expect(maker().defaultPolicy(for: type, prefix: Blob(bytes)) == policy)
    }

    @Test func `a missing frame header gives the disabled policy`() throws {
        let bytes = try Media.array("still-progressive.jpg")
        #expect(
            maker().defaultPolicy(for: .jpeg, prefix: Blob(Array(bytes[..<30]))) == .disabled
        )
    }
}

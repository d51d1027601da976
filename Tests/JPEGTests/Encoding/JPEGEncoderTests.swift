import LazyCodecs
import LazyMedia
import Support
import Testing

@Suite struct JPEGEncoderTests {
    @Test func `quality decides size and likeness`() throws {
        let picture = try JPEGs.picture(160, 96)
        var sizes: [Int] = []
        var errors: [Int] = []
        for quality in [-5, 30, 80, 100, 900] {
            let bytes = try JPEGEncoder(quality: quality).encode(picture)
            let back = JPEGs.rgb(try JPEGs.read(bytes).bitmap)
            sizes.append(bytes.count)
            errors.append(
                zip(back, JPEGs.rgb(picture)).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) })
        }
        #expect(sizes == sizes.sorted())
        #expect(errors == errors.sorted(by: >))
        #expect(sizes[3] == sizes[4])
        #expect(errors[2] / (160 * 96 * 3) < 6)
    }

    @Test(.needs("jpegtran"), arguments: [2, 80, 100], [false, true])
    func `the scans are those that jpegtran makes of the same coefficients`(
        _ quality: Int, isNoisy: Bool
    ) throws {
        for (width, height) in [(1, 1), (17, 33), (333, 250)] {
            // Noise has coefficients of more than 8 bits, and few that are zero.
            let picture = try JPEGs.picture(width, height).mapPixels {
                isNoisy ? SIMD4($0.x &* 37, $0.y &* 91, $0.x &* $0.y &* 53, 255) : $0
            }
            for isFullColor in [false, true] {
                let encoder = { (isProgressive: Bool) in
                    JPEGEncoder(
                        quality: quality, isProgressive: isProgressive, isFullColor: isFullColor)
                }
                let scratch = Scratch()
                let path = scratch.write(try encoder(false).encode(picture), "a.jpg")
                let theirs = withExtendedLifetime(scratch) {
                    Peer.output(of: "jpegtran -copy all -progressive \(path)")
                }
                #expect(try encoder(true).encode(picture) == theirs, "\(width)x\(height)")
            }
        }
    }

    @Test func `a single picture is written by its encoder`() async throws {
        let picture = try JPEGs.picture(20, 10)
        let still = FrameSequence(still: picture)
        let bytes = Locked<[UInt8]>([])
        try await MediaFormat.jpeg.encoders[0].makeEncoder(EncodingOptions(effort: 0)).encode(
            still.frames(), info: still.info, loop: .still
        ) { piece in
            bytes.withLock { $0 += piece }
        }
        #expect(bytes.withLock { $0 } == (try JPEGEncoder().encode(picture)))
    }

    @Test func `an animation is refused`() async throws {
        let media = ScriptedMedia(count: 2)
        let error = await #expect(throws: MediaError.self) {
            try await MediaFormat.jpeg.encoders[0].makeEncoder().encode(
                FrameSequence(media).frames(), info: media.info, loop: .still
            ) { _ in }
        }
        #expect(error?.code == .notWritable)
    }

    @Test func `transparent pixels become white`() throws {
        let size = PixelSize(width: 16, height: 16)
        let clear = try Bitmap(size: size, isOpaque: false) { bytes in
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
        }
        let back = try JPEGs.read(JPEGEncoder().encode(clear)).bitmap
        #expect(back[8, 8] == [255, 255, 255, 255])
    }

    @Test func `sides that the format has no room for are refused`() throws {
        let long = try JPEGs.picture(65_501, 1)
        #expect(throws: MediaError.self) { try JPEGEncoder().encode(long) }
    }

    @Test func `the library has a version`() {
        #expect(MediaFormat.jpeg.libraries()[0].version?.first?.isNumber == true)
    }
}

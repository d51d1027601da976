import LazyMedia
import Support
import Testing

@testable import LazyCodecs

@Suite struct GIFScanTests {
    private func scan(_ forge: GIFForge) throws -> GIFScan {
        try #require(try GIFScan(MemoryBytes(forge.bytes), limits: .web))
    }

    private func forge(
        width: Int = 4, height: Int = 4, _ write: (inout GIFForge) -> Void
    ) -> GIFForge {
        var forge = GIFForge(width: width, height: height, palette: GIFForge.palette)
        write(&forge)
        return forge
    }

    @Test func `an image's descriptor and graphic control are read`() throws {
        let scan = try scan(
            forge {
                $0.control(delay: 300, disposal: 3, transparent: 7)
                $0.image(
                    left: 1, top: 2, width: 3, height: 2, palette: [1, 2, 3, 4, 5],
                    isInterlaced: true, indices: Array(repeating: 0, count: 6), codeSize: 5)
                $0.trailer()
            })
        let image = try #require(scan.images.first)
        #expect(image.rect == PixelRect(x: 1, y: 2, width: 3, height: 2))
        #expect(image.delay == 300)
        #expect(image.disposal == .restore)
        #expect(image.transparentIndex == 7)
        #expect(image.isInterlaced)
        #expect(image.localColorCount == 8)
        #expect(image.minimumCodeSize == 5)
        #expect(image.isTerminated)
        #expect(scan.damage == nil)
    }

    @Test(arguments: [
        (0, LayeredCanvas.Disposal.keep), (1, .keep), (2, .clear), (3, .restore), (4, .restore),
        (5, .keep), (7, .keep),
    ])
    func `disposals beyond 3 are those of the browsers`(
        _ raw: Int, _ disposal: LayeredCanvas.Disposal
    ) {
        #expect(LayeredCanvas.Disposal(gif: raw) == disposal)
    }

    /// Loop extensions in the order they stand around one image, and what they mean.
    struct Loop: Sendable, CustomStringConvertible {
        var counts: [Int]
        var application = "NETSCAPE2.0"
        var raw: Int?
        var plays: Int?
        var description: String { "\(application) \(counts)" }
    }

    @Test(arguments: [
        Loop(counts: [], raw: nil, plays: 1),
        Loop(counts: [0], raw: 0, plays: nil),
        Loop(counts: [1], raw: 1, plays: 2),
        Loop(counts: [65535], raw: 65535, plays: 65536),
        Loop(counts: [5], application: "ANIMEXTS1.0", raw: 5, plays: 6),
        Loop(counts: [5], application: "NETSCAPE3.0", raw: nil, plays: 1),
        // Seen in Chromium 156: the last of several counts.
        Loop(counts: [50, 30, 40], raw: 50, plays: 41),
    ])
    func `the loop is as the browsers read it`(_ loop: Loop) throws {
        let forge = forge {
            for count in loop.counts { $0.loop(count, application: loop.application) }
            $0.picture(["R"])
            $0.trailer()
        }
        #expect(try openGIF(forge.bytes).info.loop == LoopCount(raw: loop.raw, plays: loop.plays))
    }

    /// The data blocks of a loop extension, and the number in them; all seen in Chromium 156.
    @Test(arguments: [
        ([[1, 9, 1], [2, 0, 0, 1, 0]], 265), ([[2, 0, 0, 1, 0], [1, 9, 0]], nil),
        ([[1, 7, 0], [1, 9, 0]], 7), ([[0, 7, 0]], nil), ([[1, 7, 0, 0]], nil), ([], nil),
    ])
    func `only the first block of a loop extension is the loop`(
        _ blocks: [[UInt8]], _ raw: Int?
    ) throws {
        let forge = forge {
            $0.extension_(0xFF, [Array("NETSCAPE2.0".utf8)] + blocks)
            $0.picture(["R"])
            $0.trailer()
        }
        let info = try openGIF(forge.bytes).info
        #expect(info.loop.raw == raw)
        #expect(!info.isTruncated)
    }

    @Test(arguments: [(0, 10), (1, 10), (2, 2), (3, 3), (10, 10), (65535, 65535)])
    func `delays of 10 ms and less last 100 ms unless the rule is raw`(
        _ raw: Int, _ effective: Int
    ) throws {
        let forge = forge {
            for _ in 0..<2 {
                $0.control(delay: raw)
                $0.picture(["R"])
            }
            $0.trailer()
        }
        let media = try openGIF(forge.bytes)
        let last = try #require(try media.frameIndex(CancellationFlag()).timings.last)
        #expect(last.rawDuration.microseconds == Int64(raw) * 10_000)
        #expect(last.duration.microseconds == Int64(effective) * 10_000)
        #expect(last.presentation.microseconds == Int64(effective) * 10_000)
        #expect(media.info.duration == .milliseconds(effective * 20))
        let exact = readGIF(forge.bytes, ReaderOptions(delayRule: .raw)).frames[1]
        #expect(exact.timing.presentation.microseconds == Int64(raw) * 10_000)
        #expect(exact.timing.duration == exact.timing.rawDuration)
    }

    @Test func `only the last of several controls counts, and only for the next image`() throws {
        let scan = try scan(
            forge {
                $0.control(delay: 5, disposal: 2, transparent: 1)
                $0.extension_(0xFE, [Array("words".utf8)])
                $0.control(delay: 7, disposal: 1)
                $0.picture(["R"])
                $0.picture(["G"])
            })
        #expect(scan.images.map(\.delay) == [7, 0])
        #expect(scan.images.map(\.transparentIndex) == [nil, nil])
        #expect(scan.images[0].disposal == .keep)
    }

    @Test func `comments, plain text and unknown extensions are skipped`() throws {
        let scan = try scan(
            forge {
                $0.extension_(0xFE, [])
                $0.extension_(0x01, [Array(repeating: 1, count: 12), [0x41]])
                $0.extension_(0x77, [[1, 2, 3]])
                $0.extension_(0xFF, [Array("XMP DataXMP".utf8), Array(repeating: 9, count: 255)])
                $0.extension_(0xFF, [])
                $0.picture(["R"])
                $0.trailer()
            })
        #expect(scan.images.count == 1)
        #expect(scan.damage == nil)
    }

    @Test func `bytes after the trailer are ignored`() throws {
        let scan = try scan(
            forge {
                $0.picture(["R"])
                $0.trailer()
                $0.picture(["G"])
            })
        #expect(scan.images.count == 1)
        #expect(scan.damage == nil)
    }

    @Test func `a missing trailer and an unknown block are damage`() throws {
        var forge = forge { $0.picture(["R"]) }
        #expect(try scan(forge).damage == .noTrailer)
        let offset = forge.bytes.count
        forge.byte(0x99)
        #expect(try scan(forge).damage == .unknownBlock(0x99, offset: offset))
        #expect(readGIF(forge.bytes).frames.count == 1)
        #expect(readGIF(forge.bytes).warnings.map(\.code) == [.malformed])
    }

    /// Screen, first image's left, top, width, height, and the canvas.
    @Test(arguments: [
        ([4, 4], [0, 0, 4, 4], [4, 4]),
        ([4, 4], [2, 2, 4, 4], [4, 4]),
        ([4, 4], [9, 9, 2, 2], [4, 4]),
        ([4, 4], [0, 0, 5, 2], [5, 4]),
        ([4, 4], [1, 2, 5, 6], [6, 8]),
        ([0, 0], [0, 0, 3, 2], [3, 2]),
        ([0, 7], [1, 0, 3, 2], [4, 7]),
    ])
    func `a first image larger than the screen makes the canvas`(
        _ screen: [Int], _ rect: [Int], _ canvas: [Int]
    ) throws {
        let forge = forge(width: screen[0], height: screen[1]) {
            $0.image(
                left: rect[0], top: rect[1], width: rect[2], height: rect[3],
                indices: Array(repeating: 1, count: rect[2] * rect[3]), codeSize: 2)
            $0.trailer()
        }
        #expect(
            try openGIF(forge.bytes).info.size == PixelSize(width: canvas[0], height: canvas[1]))
    }

    @Test func `keyframes need no frame before them`() throws {
        let full = Array(repeating: "RRRR", count: 4)
        let forge = forge {
            $0.picture(full)  // Begins on nothing.
            $0.picture(full)  // Covers all.
            $0.control(transparent: 4)
            $0.picture(full)  // May let something through.
            $0.control(disposal: 3)
            $0.picture(full)  // Covers all, but what it restores must be known.
            $0.control(disposal: 2)
            $0.picture(left: 1, ["R"])  // Covers a little.
            $0.control(disposal: 2)
            $0.picture(full)  // Covers all, and leaves nothing.
            $0.control(disposal: 3)
            $0.picture(["R"])  // Begins on nothing, and leaves it.
            $0.picture(["G"])  // Begins on nothing.
            $0.picture(["B"])  // Needs the one before.
            $0.trailer()
        }
        let keys = try scan(forge).images.map(\.isKeyframe)
        // The colors 4 to 7 of three-bit data are missing in the palette, but they are opaque.
        #expect(keys == [true, true, false, false, false, true, true, true, false])
    }

    @Test func `images that cover decide on alpha`() throws {
        let full = Array(repeating: "RRRR", count: 4)
        func covering(_ make: (inout GIFForge) -> Void) throws -> [Int]? {
            try scan(forge(make)).coveringImages
        }
        let changed = try covering {
            $0.picture(full)
            $0.control(disposal: 2, transparent: 4)
            $0.picture(["R"])
        }
        #expect(changed == [])
        #expect(try covering { $0.picture(["RRRR"]) } == nil)
        let declared = try covering {
            $0.control(transparent: 1)
            $0.picture(full)
        }
        #expect(declared == [0])
        let cleared = try covering {
            $0.control(disposal: 2)
            $0.picture(full)
            $0.control(disposal: 2, transparent: 1)
            $0.picture(full)
        }
        #expect(cleared == [1])
        let uncovered = try covering {
            $0.control(disposal: 2)
            $0.picture(full)
            $0.picture(["R"])
        }
        #expect(uncovered == nil)
        let restored = try covering {
            $0.control(disposal: 3)
            $0.picture(full)
            $0.picture(["R"])
        }
        #expect(restored == nil)
    }

    @Test(arguments: [(UInt8(1), false), (2, true)])
    func `a transparent color that no pixel has is no alpha`(
        color: UInt8, isUsed: Bool
    ) throws {
        let bytes = forge {
            $0.control(transparent: color)
            $0.picture(Array(repeating: "GGGG", count: 4))
            $0.control(transparent: 3)
            $0.picture(["R"])
        }
        let media = try OpenedGIF(MemoryBytes(bytes.bytes), limits: DecodingLimits())
        #expect(media.info.hasAlpha == isUsed)
    }
}

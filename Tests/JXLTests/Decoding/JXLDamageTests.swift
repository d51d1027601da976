import LazyMedia
import Support
import Testing

@testable import LazyCodecs

/// Truncated, damaged and hostile files, and files that are still arriving.
@Suite(.ownThreads) struct JXLDamageTests {
    @Test(arguments: ["animation.jxl", "still.jxl"])
    func `a file cut anywhere gives frames or an error`(name: String) throws {
        let whole = try Media.array(name)
        let all = try Decoded.frames(Decoded.media(whole)).map(\.bitmap)
        var most = 0
        for end in stride(from: 0, to: whole.count, by: 7) {
            guard let media = try? Decoded.media(Array(whole[..<end])),
                let reader = try? media.makeReader(ReaderOptions(delayRule: .raw))
            else { continue }
            var frames: [Bitmap] = []
            while let frame = try? reader.nextFrame() { frames.append(frame.bitmap) }
            let isComplete = reader.warnings.isEmpty
            #expect(isComplete == (frames.count == all.count) || name == "still.jxl")
            #expect(frames.count >= most, "cut at \(end)")
            most = max(most, frames.count)
            // The first frame may be a coarse one.
            #expect(frames.dropFirst().elementsEqual(all.dropFirst().prefix(max(0, most - 1))))
            if !isComplete { #expect(reader.warnings.allSatisfy { $0.code == .truncated }) }
        }
        #expect(most >= all.count - 1)
    }

    @Test(arguments: ["animation.jxl", "still.jxl"])
    func `a flipped bit gives frames of the stated size or an error`(name: String) throws {
        let whole = try Media.array(name)
        var decoded = 0
        for place in stride(from: 0, to: whole.count, by: 3) {
            var bytes = whole
            bytes[place] ^= 1 << UInt8(place % 8)
            guard let media = try? Decoded.media(bytes, limits: .untrusted),
                let frames = try? Decoded.frames(media, ReaderOptions(limits: .untrusted))
            else { continue }
            #expect(frames.allSatisfy { $0.bitmap.size == media.info.size }, "byte \(place)")
            decoded += 1
        }
        #expect(decoded > 0)
    }

    @Test func `limits, cancellation and sizes are respected`() throws {
        let bytes = try Media.array("animation.jxl")
        for limits in [
            DecodingLimits(pixelsPerFrame: 1000), DecodingLimits(memory: 60_000),
            DecodingLimits(openTime: .zero),
        ] {
            let error = #expect(throws: MediaError.self) {
                try Decoded.media(bytes, limits: limits)
            }
            #expect(error?.code == .limitExceeded)
        }
        let media = try Decoded.media(bytes)
        for limits in [
            DecodingLimits(frames: 3), DecodingLimits(totalPixels: 20_000),
            DecodingLimits(decodeTime: .zero),
        ] {
            let error = #expect(throws: MediaError.self) {
                try Decoded.frames(media, ReaderOptions(limits: limits))
            }
            #expect(error?.code == .limitExceeded)
        }
        let flag = CancellationFlag()
        flag.cancel()
        let reader = try media.makeReader(ReaderOptions(cancellation: flag))
        let error = #expect(throws: MediaError.self) { try reader.nextFrame() }
        #expect(error?.code == .cancelled)
    }

    @Test(arguments: [(1 << 30, 1 << 30), (1 << 18, 1 << 18), (1, 1 << 30), (9000, 9000)])
    func `a huge picture is refused before memory is asked for`(
        width: Int, height: Int
    ) throws {
        var forge = JXLForge()
        forge.side = (width, height)
        let bytes = try forge.replacingHeader(of: Media.array("animation.jxl"))
        let error = #expect(throws: MediaError.self) {
            try Decoded.media(bytes, limits: .untrusted)
        }
        #expect(error?.code == .limitExceeded || error?.code == .malformed)
    }

    @Test(.needs("cjxl")) func `a picture that is arriving is shown coarse, then better`() throws {
        let bytes = try JXLTool.encoded("contact.png", "-d 1 -p")
        let all = try #require(try Decoded.frames(Decoded.media(bytes)).first?.bitmap)
        var errors: [Double] = []
        for part in 1...10 {
            let source = ArrivingBytes(try MemoryBytes(bytes[..<(bytes.count * part / 10)]))
            guard let media = try? JXLDecoder().open(source, type: .jpegXL, limits: .web),
                let reader = try? media.makeReader(ReaderOptions()),
                let frame = try? reader.nextFrame()
            else { continue }
            #expect(reader.warnings.isEmpty == (part == 10))
            errors.append(Decoded.distance(frame.bitmap, all))
        }
        #expect(errors.count > 3)
        #expect(errors.first ?? 0 > errors[errors.count / 2])
        #expect(errors.last == 0)
    }

    @Test func `an arriving animation has whole frames only`() throws {
        let bytes = try Media.array("animation.jxl")
        let all = try Decoded.frames(Decoded.media(bytes)).map(\.bitmap)
        var counts: [Int] = []
        for part in 1...10 {
            let source = ArrivingBytes(try MemoryBytes(bytes[..<(bytes.count * part / 10)]))
            guard let media = try? JXLDecoder().open(source, type: .jpegXL, limits: .web) else {
                continue
            }
            let frames = try Decoded.frames(media).map(\.bitmap)
            #expect(frames == Array(all.prefix(frames.count)))
            counts.append(frames.count)
        }
        #expect(counts.last == 6)
        #expect(counts == counts.sorted() && Set(counts).count > 2)
    }
}

/// The first bytes of a file that is still arriving.
private final class ArrivingBytes: ByteSource {
    private let bytes: MemoryBytes
    init(_ bytes: MemoryBytes) { self.bytes = bytes }
    var count: Int { bytes.count }
    var isPartial: Bool { true }
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        bytes.read(at: offset, into: buffer)
    }
    func contiguous() -> MemoryBytes { bytes }
}

import LazyMedia
import Support
import Testing

@testable import LazyCodecs

@Suite struct GIFDamageTests {
    /// Small files of each kind of structure.
    static let samples: [[UInt8]] = {
        var plain = GIFForge(version: "87a", width: 5, height: 4, palette: GIFForge.palette)
        plain.image(
            width: 5, height: 4, isInterlaced: true,
            indices: (0..<20).map { UInt8($0 % 4) }, codeSize: 2, blockSize: 3)
        plain.trailer()
        var rich = GIFForge(width: 4, height: 3, palette: GIFForge.palette)
        rich.loop(2)
        rich.extension_(0xFE, [Array("words".utf8)])
        rich.control(delay: 4, disposal: 1)
        rich.picture(["RRRR", "GGGG", "BBBB"])
        rich.control(delay: 5, disposal: 2, transparent: 4)
        rich.picture(left: 1, ["R.R"])
        rich.image(
            left: 1, top: 1, width: 2, height: 2, palette: [0xFFFFFF, 0x123456],
            indices: [0, 1, 1, 0], codeSize: 2)
        rich.trailer()
        return [plain.bytes, rich.bytes, randomGIF(seed: 8, images: 5, width: 9, height: 6)]
    }()

    @Test(arguments: samples)
    func `a file cut at any length gives its complete frames and a warning`(_ bytes: [UInt8]) {
        let whole = readGIF(bytes).frames.map(\.bitmap)
        for length in 0..<bytes.count {
            let reading = readGIF(Array(bytes[..<length]))
            #expect(reading.frames.map(\.bitmap) == Array(whole.prefix(reading.frames.count)))
            if reading.frames.isEmpty {
                #expect(reading.error?.code == .truncated, "at \(length)")
            } else {
                #expect(reading.error == nil)
                #expect(reading.warnings.map(\.code) == [.truncated], "at \(length)")
            }
        }
    }

    @Test(arguments: samples)
    func `a cut file's frame count is the number of frames it gives`(_ bytes: [UInt8]) throws {
        for length in 0..<bytes.count {
            let cut = Array(bytes[..<length])
            guard let media = try? openGIF(cut) else { continue }
            #expect(media.info.frameCount == readGIF(cut).frames.count, "at \(length)")
            #expect(media.info.isTruncated)
        }
    }

    /// The third of five images has no code of an end, and a code that means nothing in its place.
    @Test func `images behind one that cannot be decoded are not counted`() throws {
        var forge = GIFForge(width: 4, height: 4, palette: GIFForge.palette)
        for number in 0..<5 {
            let indices = (0..<16).map { UInt8(($0 + number) % 4) }
            if number == 2 {
                forge.raw([0x2C, 0, 0, 0, 0, 4, 0, 4, 0, 0, 2])
                // Clear, 0, and a code that is not there yet.
                forge.raw([4, 0b1100_0100, 0xFF, 0xFF, 0xFF, 0])
            } else {
                forge.image(width: 4, height: 4, indices: indices, codeSize: 2)
            }
        }
        forge.trailer()
        let reading = readGIF(forge.bytes)
        let info = try openGIF(forge.bytes).info
        #expect(reading.frames.count == 2)
        #expect(info.frameCount == reading.frames.count)
        #expect(info.warnings.map(\.code) == [.malformed])
    }

    @Test(arguments: samples)
    func `a file with any byte flipped decodes or fails cleanly`(_ bytes: [UInt8]) {
        for place in bytes.indices {
            for mask: UInt8 in [0x01, 0x80, 0xFF] {
                var broken = bytes
                broken[place] ^= mask
                let limits = DecodingLimits(pixelsPerFrame: 1_000_000, frames: 100)
                let reading = readGIF(broken, ReaderOptions(limits: limits))
                #expect(!reading.frames.isEmpty || reading.error != nil)
                if !reading.frames.isEmpty {
                    #expect(reading.error?.code ?? .limitExceeded == .limitExceeded)
                }
            }
        }
    }

    @Test func `a senseless code ends the sequence before its frame`() throws {
        var forge = GIFForge(width: 2, height: 2, palette: GIFForge.palette)
        forge.picture(["RR", "RR"])
        forge.picture(["GG", "GG"])
        forge.descriptor(width: 2, height: 2)
        forge.byte(2)
        forge.blocks([0b0011_1100])
        forge.picture(["BB", "BB"])
        forge.trailer()
        for threads in [1, 2] {
            let reading = readGIF(forge.bytes, ReaderOptions(threads: threads))
            #expect(reading.frames.map(\.bitmap.letters) == [["RR", "RR"], ["GG", "GG"]])
            #expect(reading.warnings.map(\.code) == [.malformed])
            #expect(reading.error == nil)
        }
    }

    @Test func `a senseless code in the only frame is an error`() {
        var forge = GIFForge(width: 2, height: 2, palette: GIFForge.palette)
        forge.descriptor(width: 2, height: 2)
        forge.byte(2)
        forge.blocks([0b0011_1100])
        forge.trailer()
        #expect(readGIF(forge.bytes).error?.code == .malformed)
    }

    @Test func `an incomplete covering image is no keyframe`() throws {
        var forge = GIFForge(width: 2, height: 2, palette: GIFForge.palette)
        forge.picture(["RR", "RR"])
        forge.descriptor(width: 2, height: 2)
        forge.byte(2)
        forge.blocks(LZWForge.encode([2], codeSize: 2))
        forge.picture(["B"])
        let reader = try openGIF(forge.bytes).makeReader(ReaderOptions())
        try reader.seek(toIndex: 2)
        #expect(try reader.nextFrame()?.bitmap.letters == ["BR", "RR"])
        try reader.seek(toIndex: 1)
        #expect(try reader.nextFrame()?.bitmap.letters == ["GR", "RR"])
    }

    @Test func `bytes without an image give an error that says why`() {
        let empty = GIFForge(width: 2, height: 2, palette: GIFForge.palette)
        #expect(readGIF(empty.bytes).error?.code == .truncated)
        var ended = empty
        ended.trailer()
        #expect(readGIF(ended.bytes).error?.code == .malformed)
        #expect(readGIF(Array("GIF8".utf8)).error?.code == .truncated)
        #expect(readGIF(Array("no GIF at all, but long".utf8)).error?.code == .malformed)
    }

    /// A limit, and the name by which its excess is told; the file has 3 frames of 4 x 4, 30 s each.
    @Test(arguments: [
        (DecodingLimits(pixelsPerFrame: 15), "pixelsPerFrame"),
        (DecodingLimits(frames: 2), "frames"),
        (DecodingLimits(totalPixels: 47), "totalPixels"),
    ])
    func `each limit is an error of its name`(_ limits: DecodingLimits, _ name: String) {
        var forge = GIFForge(width: 4, height: 4, palette: GIFForge.palette)
        for _ in 0..<3 {
            forge.control(delay: 3000)
            forge.picture(Array(repeating: "RRRR", count: 4))
        }
        let error = readGIF(forge.bytes, ReaderOptions(limits: limits)).error
        #expect(error?.code == .limitExceeded)
        #expect(error?.excess?.limit == name)
        let enough = DecodingLimits(
            pixelsPerFrame: 16, frames: 3, totalPixels: 48)
        #expect(readGIF(forge.bytes, ReaderOptions(limits: enough)).frames.count == 3)
    }

    @Test func `a screen of 4 gigapixels is refused before memory is asked for`() {
        var forge = GIFForge(width: 65535, height: 65535, palette: GIFForge.palette)
        forge.picture(["R"])
        #expect(readGIF(forge.bytes).error?.excess?.limit == "pixelsPerFrame")
    }

    @Test func `a later image of 4 gigapixels is refused, and the frames before it are kept`() {
        var forge = GIFForge(width: 2, height: 1, palette: GIFForge.palette)
        forge.picture(["RG"])
        forge.image(width: 65535, height: 0, indices: [], codeSize: 2)
        forge.descriptor(width: 65535, height: 65535)
        forge.byte(2)
        forge.blocks(LZWForge.encode([1], codeSize: 2))
        forge.trailer()
        for threads in [1, 2] {
            let reading = readGIF(forge.bytes, ReaderOptions(threads: threads))
            #expect(reading.frames.map(\.bitmap.letters) == [["RG"], ["RG"]])
            #expect(reading.error?.excess?.limit == "pixelsPerFrame")
        }
    }
}

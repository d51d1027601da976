import LazyMedia
import Support
import Testing

@testable import LazyCodecs

@Suite struct GIFWindowTests {
    /// Bytes that cannot be read from a certain offset on.
    private final class BrokenSource: ByteSource {
        let bytes: MemoryBytes
        let good: Int
        var count: Int { bytes.count }

        init(_ bytes: [UInt8], good: Int) throws(MediaError) {
            self.bytes = try MemoryBytes(bytes)
            self.good = good
        }

        func read(
            at offset: Int, into buffer: UnsafeMutableRawBufferPointer
        ) throws(MediaError) -> Int {
            guard offset < good else { throw MediaError(.environment, "The disk is gone.") }
            let length = min(buffer.count, good - offset)
            return bytes.read(
                at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<length]))
        }

        func contiguous() throws(MediaError) -> MemoryBytes { bytes }
    }

    @Test(arguments: [1, 7, 64, 100, 1000])
    func `bytes are the same whatever the window's size`(_ size: Int) throws {
        let bytes = (0..<100).map { UInt8($0 * 2) }
        var window = GIFWindow(try MemoryBytes(bytes), size: size)
        var random = SplitMix(1)
        for _ in 0..<500 {
            let offset = Int.random(in: -5...110, using: &random)
            let expected = bytes.indices.contains(offset) ? bytes[offset] : nil
            #expect(window.byte(at: offset) == expected)
            let start = Int.random(in: 0...100, using: &random)
            var target = [UInt8](repeating: 0, count: 40)
            let count = window.copy(at: start, to: &target, count: 40)
            #expect(count == min(40, 100 - start))
            #expect(target[..<count].elementsEqual(bytes[start..<start + count]))
        }
    }

    @Test func `a file that cannot be read is no fault of the GIF`() throws {
        var forge = GIFForge(width: 2, height: 1, palette: GIFForge.palette)
        forge.picture(["RG"])
        for good in 0..<forge.bytes.count {
            let source = try BrokenSource(forge.bytes, good: good)
            let error = #expect(throws: MediaError.self) {
                try GIFDecoder().open(source, type: .gif, limits: .web)
            }
            #expect(error?.code == .environment, "at \(good)")
            // giflib itself reads no further than the palette when it opens a file.
            guard good < 25 else { continue }
            let handle = #expect(throws: MediaError.self) { _ = try GIFFile(source).globalPalette }
            #expect(handle?.code == .environment, "at \(good)")
        }
    }

    @Test func `an image larger than the window is read completely`() throws {
        var random = SplitMix(3)
        let indices = (0..<300 * 300).map { _ in UInt8.random(in: 0...255, using: &random) }
        var forge = GIFForge(width: 300, height: 300, palette: (0..<256).map { UInt32($0) })
        for _ in 0..<3 { forge.image(width: 300, height: 300, indices: indices) }
        forge.trailer()
        #expect(forge.bytes.count > 300_000)
        let frames = readGIF(forge.bytes).frames
        #expect(frames.count == 3)
        let bitmap = try #require(frames.last?.bitmap)
        let blues = bitmap.withBytes { bytes in
            stride(from: 2, to: bytes.count, by: 4).map { bytes[$0] }
        }
        #expect(blues == indices)
    }
}

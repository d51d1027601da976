import LazyMedia
import Support
import Testing

@testable import LazyVideo

/// libvpx allocates memory for any size in a header, so sizes are checked before.
@Suite struct VPXHeaderTests {
    @Test(
        arguments: [
            ([0x10, 0, 0, 0x9D, 0x01, 0x2A, 0xA0, 0x00, 0x60, 0x00], 160 * 96),
            // Scaling factors in the two highest bits are not part of the size.
            ([0x10, 0, 0, 0x9D, 0x01, 0x2A, 0xFF, 0xFF, 0xFF, 0x7F], 16383 * 16383),
            ([0x11, 0, 0, 0x9D, 0x01, 0x2A, 0xA0, 0x00, 0x60, 0x00], nil),
            ([0x10, 0, 0, 0x9D, 0x01, 0x2B, 0xA0, 0x00, 0x60, 0x00], nil),
            ([0x10, 0, 0, 0x9D, 0x01, 0x2A, 0xA0], nil), ([], nil),
        ] as [([UInt8], Int?)])
    func `a VP8 keyframe has its size`(bytes: [UInt8], pixels: Int?) {
        #expect(bytes.withUnsafeBufferPointer(VPXHeader.pixelsOfVP8) == pixels)
    }

    @Test(
        arguments: [
            // Keyframe of profile 0: marker, sync code, colors 0010, width - 1, height - 1.
            ([0x82, 0x49, 0x83, 0x42, 0x23, 0xFF, 0xF3, 0xFF, 0xF0], 16384 * 16384),
            ([0x82, 0x49, 0x83, 0x42, 0x20, 0x09, 0xF0, 0x05, 0xF0], 160 * 96),
            // A frame that takes its size from its first reference.
            ([0x86, 0x00, 0x00, 0x00, 0x80, 0, 0, 0, 0, 0], nil),
            // The same with its own size.
            ([0x86, 0x00, 0x00, 0x00, 0x0F, 0xFF, 0x8F, 0xFF, 0x80], 8192 * 8192),
            ([0x82, 0x49], nil), ([0x42], nil), ([], nil),
        ] as [([UInt8], Int?)])
    func `a VP9 frame has its size`(bytes: [UInt8], pixels: Int?) {
        #expect(bytes.withUnsafeBufferPointer(VPXHeader.pixelsOfVP9) == pixels)
    }

    @Test func `a frame of a size beyond the limit never reaches libvpx`() throws {
        var bytes = try Media.array("vp8-alpha.webm")
        let codes = bytes.indices.dropLast(7).filter {
            bytes[$0] == 0x9D && bytes[$0 + 1] == 0x01 && bytes[$0 + 2] == 0x2A
        }
        #expect(codes.count > 1)
        // The first is the picture's own and would be rejected on opening; the others are of the alpha.
        for code in codes.dropFirst() {
            bytes.replaceSubrange(code + 3..<code + 7, with: [0xFF, 0x3F, 0xFF, 0x3F])
        }
        let media = try VideoDecoder().open(MemoryBytes(bytes), type: .webm, limits: .web)
        let reader = try media.makeReader(ReaderOptions())
        #expect(throws: MediaError.self) { try reader.nextFrame() }
    }
}

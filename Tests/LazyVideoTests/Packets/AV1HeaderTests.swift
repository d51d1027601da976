import LazyMedia
import Support
import Testing

@testable import LazyVideo

@Suite struct AV1HeaderTests {
    @Test func `a real stream's header has its size`() throws {
        let bytes = try Media.array("av1.mp4")
        // In the sample entry (`av1C`), after its four bytes.
        let place = try #require(
            bytes.indices.first { bytes[$0...].starts(with: Array("av1C".utf8)) })
        let units = Array(bytes[(place + 8)..<(place + 8 + 12)])
        let header = units.withUnsafeBufferPointer { AV1Header.largest(in: $0) }
        #expect(header?.size == PixelSize(width: 160, height: 96))
        #expect(header?.pictureBytes == 160 * 96 * 3 / 2)
    }

    @Test func `arbitrary bytes give a positive size or none`() {
        for length in 0..<20 {
            for byte in [0x00, 0x0A, 0x0E, 0x7F, 0x80, 0xFF] as [UInt8] {
                var units = [UInt8](repeating: byte, count: length)
                if length > 2 { units[0] = 0x0A }
                let size = units.withUnsafeBufferPointer { AV1Header.largest(in: $0) }?.size
                #expect(size.map { $0.width > 0 && $0.height > 0 } ?? true, "\(units)")
            }
        }
    }
}

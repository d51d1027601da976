import LazyMedia
import Support
import Testing

@testable import LazyEditing

@Suite struct `Smart crop` {
    /// A flat picture with something at a place.
    private func picture(_ left: Int, _ paint: (Int, Int) -> SIMD4<UInt8>) throws -> Bitmap {
        let size = PixelSize(width: 160, height: 60)
        return try Bitmap(size: size, isOpaque: true) { rows in
            let pixels = rows.bindMemory(to: SIMD4<UInt8>.self)
            for y in 0..<60 {
                for x in 0..<160 {
                    let isThing = x >= left && x < left + 30 && y > 10 && y < 50
                    pixels[y * 160 + x] =
                        isThing ? paint(x, y) : SIMD4(120, 125, 130, 255)
                }
            }
        }
    }

    @Test(arguments: SmartCrop.Measure.allCases, [5, 60, 125])
    func `the part with the detail is kept`(_ measure: SmartCrop.Measure, _ left: Int) throws {
        let bitmap = try picture(left) { x, y in
            let value = UInt8(truncatingIfNeeded: (x / 2 * 97 + y / 2 * 57) % 256)
            return SIMD4(value, 255 - value, value / 2, 255)
        }
        let part = try SmartCrop(measure).part(
            of: bitmap, keeping: PixelSize(width: 60, height: 60))
        #expect(part.x <= left)
        #expect(part.x + part.width >= left + 30)
    }

    @Test func `a face draws more than a gray thing`() throws {
        let bitmap = try picture(120) { _, _ in SIMD4(205, 150, 116, 255) }
        let part = try SmartCrop().part(of: bitmap, keeping: PixelSize(width: 60, height: 60))
        #expect(part.x + 60 >= 150)
    }

    @Test(arguments: SmartCrop.Measure.allCases) func `nothing of note leaves the middle`(
        _ measure: SmartCrop.Measure
    ) throws {
        let bitmap = try picture(0) { _, _ in SIMD4(120, 125, 130, 255) }
        let part = try SmartCrop(measure).part(
            of: bitmap, keeping: PixelSize(width: 60, height: 60))
        #expect(abs(part.x - 50) <= 1)
    }

    @Test func `the cut of a clip stands still`() async throws {
        let media = PaintedMedia(seconds: 2, size: PixelSize(width: 160, height: 60)) {
            frame, x, y in
            Paint.block(x, y, at: 110 + frame % 20, 15 + frame % 10)
        }
        let edited = try await FrameSequence(media).edited(
            ClipEdit(
                size: TargetSize(width: 64, height: 60, fit: .cover), gravity: .attention))
        #expect(edited.info.size == PixelSize(width: 64, height: 60))
        let frames = try await Clips.frames(edited)
        // The ground is the same in a corner that the block does not reach.
        #expect(Set(frames.map { $0.bitmap[0, 0] }).count == 1)
        #expect(frames.allSatisfy { frame in (0..<64).contains { frame.bitmap[$0, 26].x == 250 } })
    }

    @Test(arguments: [
        (Gravity.center, 50, 0), (.west, 0, 0), (.east, 100, 0),
        (.northEast, 100, 0), (.point(0.25, 0.5), 10, 0), (.point(0, 1), 0, 0),
    ]) func `a gravity keeps its place`(_ gravity: Gravity, _ x: Int, _ y: Int) throws {
        let framing = Framing(
            of: PixelSize(width: 160, height: 60), TargetSize(width: 60, height: 60, fit: .cover),
            gravity)
        #expect(framing.crop == PixelRect(x: x, y: y, width: 60, height: 60))
    }
}

import LazyBase
import LazyKit
import LazyMedia
import LazyRenditions
import Support
import Testing

/// Sheets of real clips: each tile is the frame that the index says.
@Suite struct SheetPixelTests {
    private func sheet(
        _ name: String, _ layout: Rendition.Sheet, threads: Int = 0
    ) async throws -> (Rendition.Report.Sheet, Bitmap, FrameSequence) {
        let clip = try FrameSequence(
            opening: FileBytes(path: Media.path(name)), registry: .standard)
        let (bytes, report) = try await Rendition.sheet(layout, as: .png).data(
            of: clip, encoders: .standard, threads: threads)
        let page = try FrameSequence(opening: MemoryBytes(bytes), registry: .standard)
        return (try #require(report.sheet), try await page.frame(0).bitmap, clip)
    }

    @Test(arguments: [
        ("clip.mp4", 1), ("clip.mp4", 2), ("counter.gif", 2), ("vp9.webm", 2), ("vfr.mkv", 1),
        ("animation.png", 1), ("small.mp4", 4), ("h264.ts", 2),
    ])
    func `exact tiles have the pixels of their frames`(name: String, threads: Int) async throws {
        let layout = Rendition.Sheet(count: 9, columns: 4, precision: .exact)
        let (report, page, clip) = try await sheet(name, layout, threads: threads)
        #expect(page.size == report.plan.pages[0])
        for tile in report.plan.tiles {
            // A share of the length may end an attosecond before the frame that begins there.
            let time = tile.start + .microseconds(1)
            let frame = try await clip.frame(at: time, size: TargetSize(width: 160))
            #expect(frame.index == tile.frame)
            let isSame = (0..<tile.rect.height).allSatisfy { y in
                (0..<tile.rect.width).allSatisfy { x in
                    page[tile.rect.x + x, tile.rect.y + y] == frame.bitmap[x, y]
                }
            }
            #expect(isSame, "tile \(tile.index)")
        }
    }

    @Test(arguments: ["clip.mp4", "small.mp4", "hevc.mp4", "vp9.webm", "av1.mp4", "counter.gif"])
    func `quick tiles show the right frame, and look like it`(name: String) async throws {
        let (report, page, clip) = try await sheet(name, Rendition.Sheet(count: 6, columns: 3))
        for tile in report.plan.tiles {
            let frame = try await clip.frame(tile.frame, size: TargetSize(width: 160))
            var sum = 0
            for y in 0..<tile.rect.height {
                for x in 0..<tile.rect.width {
                    let (a, b) = (page[tile.rect.x + x, tile.rect.y + y], frame.bitmap[x, y])
                    let d = SIMD4<Int32>(truncatingIfNeeded: a) &- SIMD4(truncatingIfNeeded: b)
                    sum += Int((d &* d).wrappedSum())
                }
            }
            let error = Double(sum) / Double(3 * tile.rect.width * tile.rect.height)
            // 28 dB: another frame of these clips has less than 20.
            #expect(error < 103, "tile \(tile.index)")
        }
    }
}

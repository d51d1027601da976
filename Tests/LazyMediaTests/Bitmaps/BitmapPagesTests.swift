import Support
import Testing

@testable import LazyMedia

/// When the pages of a bitmap's memory are made.
@Suite(.enabled(if: ResidentPages.canBePopulated, "Linux 5.14"))
struct BitmapPagesTests {
    // Below two huge pages, and above with a remainder of less than half of one.
    private static let sizes = [
        PixelSize(width: 640, height: 360), PixelSize(width: 1280, height: 720),
        PixelSize(width: 1600, height: 1000),
    ]

    @Test(arguments: sizes) func `small pages are made before rows are written`(
        size: PixelSize
    ) throws {
        var pages: [Bool] = []
        _ = try Bitmap(size: size, isOpaque: true, pool: BitmapPool(byteLimit: 0)) { rows in
            pages = ResidentPages.within(.init(rows))
        }
        let huge = (size.rgbaByteCount >> 21) * 512
        #expect(!pages.isEmpty)
        #expect(pages.dropFirst(size.rgbaByteCount < 4 << 20 ? 0 : huge).allSatisfy { $0 })
    }

    @Test(arguments: sizes) func `those of deferred pixels are made at the first access`(
        size: PixelSize
    ) throws {
        let pages = Locked<[Bool]>([])
        let pool = BitmapPool(byteLimit: size.rgbaByteCount)
        func late() throws -> Bitmap {
            try Bitmap.deferred(size: size, isOpaque: true, pool: pool) { rows in
                pages.withLock { $0 = ResidentPages.within(.init(rows)) }
            }
        }
        do {
            let first = try late()
            #expect(first.storage.block.isFresh)
            #expect(pages.withLock { $0.isEmpty })
            _ = first[0, 0]
            #expect(pages.withLock { $0.last } == true)
        }
        // Recycled memory has them.
        #expect(try !late().storage.block.isFresh)
    }
}

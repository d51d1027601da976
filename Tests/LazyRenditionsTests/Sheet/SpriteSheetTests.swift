import LazyBase
import LazyCodecs
import LazyEditing
import LazyMedia
import Support
import Testing

@testable import LazyRenditions

@Suite struct SpriteSheetTests {
    private static let encoders = FormatRegistry([.png]).encoders

    private static func rendition(_ layout: Rendition.Sheet) -> Rendition {
        .sheet(layout, as: .png, edit: ClipEdit(size: TargetSize(width: 8)))
    }

    private func make(
        _ media: ScriptedMedia, _ layout: Rendition.Sheet
    ) async throws -> (report: Rendition.Report.Sheet, pages: [Bitmap]) {
        let (bytes, report) = try await Self.rendition(layout).parts(
            of: .init(FrameSequence(media)), encoders: Self.encoders)
        var pages: [Bitmap] = []
        for made in report.parts {
            let data = bytes[made.part] ?? []
            #expect(data.count == made.byteCount)
            let decoded = FrameSequence(
                try PNGDecoder().open(MemoryBytes(data), type: .png, limits: .web))
            pages.append(try await decoded.frame(0).bitmap)
        }
        return (try #require(report.sheet), pages)
    }

    @Test func `each tile shows the frame that it is said to show`() async throws {
        let media = ScriptedMedia(count: 40, milliseconds: 100)
        let layout = Rendition.Sheet(
            interval: .milliseconds(250), columns: 5, rows: 2, gap: 3,
            background: .black, precision: .exact)
        let (report, pages) = try await make(media, layout)
        #expect(pages.map(\.size) == report.plan.pages)
        #expect(pages.count == 2)
        for tile in report.plan.tiles {
            let pixel = pages[tile.page][tile.rect.x + 4, tile.rect.y + 3]
            #expect(Int(pixel.x) == tile.frame)
            #expect(tile.frame == tile.index * 5 / 2)
            let shown = report.timings.timings[tile.frame]
            #expect(shown.presentation.duration <= tile.start)
            #expect(tile.start < shown.presentation.duration + shown.duration.duration)
        }
        #expect(pages[0][8, 0] == PixelColor.black.pixel)
        // One pass with one reader, and none of it left.
        #expect(media.log.made == 1)
        #expect(media.log.live == 0)
    }

    @Test func `frames without transparency leave nothing of the background`() async throws {
        let (_, pages) = try await make(
            ScriptedMedia(count: 4, milliseconds: 1000),
            Rendition.Sheet(columns: 2))
        #expect(pages[0].isOpaque)
    }

    @Test func `what is transparent shows the background`() async throws {
        var media = ScriptedMedia(count: 3, milliseconds: 1000)
        media.colors[1] = SIMD4(200, 0, 0, 0)
        media.colors[2] = SIMD4(255, 255, 255, 128)
        media.info.hasAlpha = true
        let red = PixelColor(0xFF0000)
        let (_, pages) = try await make(
            media, Rendition.Sheet(columns: 3, background: red))
        #expect(pages[0][8 + 4, 3] == red.pixel)
        #expect(pages[0][16 + 4, 3] == SIMD4(255, 128, 128, 255))
        let (_, clear) = try await make(
            media, Rendition.Sheet(columns: 3))
        #expect(clear[0][8 + 4, 3].w == 0)
        #expect(clear[0][16 + 4, 3] == SIMD4(255, 255, 255, 128))
    }

    @Test func `progress grows to the whole`() async throws {
        let shares = Locked<[Double]>([])
        let sheet = Self.rendition(Rendition.Sheet())
        let clip = FrameSequence(ScriptedMedia(count: 10, milliseconds: 1000))
        _ = try await sheet.data(of: clip, encoders: Self.encoders) { share in
            shares.withLock { $0.append(share) }
        }
        shares.withLock { shares in
            #expect(shares.count == 10)
            #expect(shares == shares.sorted())
            #expect(shares.last == 1)
        }
    }

    @Test func `an error of the decoder ends it, and nothing stays behind`() async throws {
        var media = ScriptedMedia(count: 10, milliseconds: 1000)
        media.fault = (5, MediaError(.malformed, "Broken."))
        let broken = media
        await #expect(throws: MediaError.self) {
            _ = try await make(broken, Rendition.Sheet(precision: .exact))
        }
        #expect(media.log.live == 0)
    }

    @Test func `cancelling ends it soon`() async throws {
        var media = ScriptedMedia(count: 4000, milliseconds: 1000)
        let began = Locked(false)
        let task = Locked<Task<Void, any Error>?>(nil)
        media.willDecode = { number in
            if number == 50 {
                began.withLock { $0 = true }
                task.withLock { $0?.cancel() }
            }
        }
        let clip = media
        let work = Task {
            while task.withLock({ $0 == nil }) { await Task.yield() }
            let layout = Rendition.Sheet(interval: .seconds(1))
            _ = try await make(clip, layout)
        }
        task.withLock { $0 = work }
        await #expect(throws: MediaError.self) { try await work.value }
        #expect(began.withLock { $0 })
        #expect(media.log.live == 0)
    }
}

import BrowserSupport
import Foundation
import LazyKit
import Support
import Testing

@testable import LazyBase
@testable import LazyGallery

/// The picture of the guide, for which `SCREENSHOTS` names a folder.
@Suite(.ownThreads, .serialized, .enabled(if: Browser.isInstalled, "Chromium is not installed"))
struct GuidePictureTests {
    private static let names = [
        "clip.mp4", "counter.gif", "animation.webp", "small.mp4", "vfr.mp4", "still.jpg",
        "photo.heic", "odd.webm",
    ]

    @Test func `the page shows clips of many kinds`() async throws {
        let site = try await Site.make(Self.names.map { ($0, try Media.array($0)) })
        let page = site.page
        let picture = try await BlockingPool.shared.run {
            Result {
                let browser = try Browser(files: [], width: 1120, height: 640)
                try browser.open(page)
                let count = Self.names.count
                try browser.wait(until: "document.querySelectorAll('.shown').length === \(count)")
                _ = try browser.evaluate("document.getElementById('moves').focus()")
                try browser.press("Tab", "Tab")
                for _ in 0..<7 { try browser.press("ArrowRight") }
                try browser.wait(until: "document.querySelector('.frame')?.dataset.tile === '7'")
                _ = try browser.evaluate(
                    """
                    (async () => { const image = new Image();
                      image.src = getComputedStyle(document.querySelector('.frame'))
                        .backgroundImage.slice(5, -2); await image.decode();
                      await new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r))); })()
                    """)
                #expect(browser.problems == [])
                return try browser.screenshot()
            }
        }.get()
        let bitmap = try await FrameSequence(opening: MemoryBytes(picture), registry: .standard)
            .frame(0).bitmap
        // Each of the first row of cards has a picture in its middle.
        for column in 0..<3 {
            let middle = bitmap[column * 368 + 190, 190]
            #expect(middle != bitmap[column * 368 + 14, 100], "card \(column)")
        }
        if let folder = ProcessInfo.processInfo.environment["SCREENSHOTS"] {
            try Data(picture).write(to: URL(filePath: folder).appending(path: "gallery.png"))
        }
    }
}

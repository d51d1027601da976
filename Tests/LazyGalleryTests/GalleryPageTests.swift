import BrowserSupport
import Foundation
import LazyKit
import LazyMedia
import Support
import Testing

@testable import LazyBase
@testable import LazyGallery

/// The page in a real browser, as a file and from a server.
@Suite(.ownThreads, .serialized, .enabled(if: Browser.isInstalled, "Chromium is not installed"))
struct GalleryPageTests {
    /// What a test does in a browser with a page of files.
    private static func visit<Result: Sendable>(
        _ site: Site, settings: [Browser.Setting: String] = [:], before script: String? = nil,
        readsFiles: Bool = false, width: Int = 1280,
        _ body: @escaping @Sendable (Browser) throws -> Result
    ) async throws -> Result {
        let page = site.page
        return try await BlockingPool.shared.run {
            Swift.Result {
                let browser = try Browser(
                    files: [], width: width, height: 800, readsFiles: readsFiles)
                try browser.open(page, settings: settings, before: script)
                try browser.wait(until: "document.querySelector('.item')")
                return try body(browser)
            }
        }.get()
    }

    private static func clips() async throws -> Site {
        let still = try await FrameSequence(
            opening: MemoryBytes(Site.gif(count: 2)), registry: .standard
        )
        .frame(1).bitmap.pngData()
        return try await Site.make([
            ("a.gif", Site.gif()), ("b.mp4", try await Site.film()), ("c.png", still),
        ])
    }

    /// The number of the frame whose color is in the middle of an element.
    private static func frame(_ browser: Browser, _ element: String) throws -> Int? {
        // Two frames later what the script has changed is on the screen.
        _ = try browser.evaluate(
            "new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
        let (x, y) = try middle(browser, element)
        let shot = try MemoryBytes(browser.screenshot())
        let reader = try FrameSequence(opening: shot, registry: .standard).makeReader(
            ReaderOptions())
        let bitmap = try #require(try reader.nextFrame()).bitmap
        return Site.frame(bitmap[Int(x), Int(y)])
    }

    /// The number of the frame that a paused film has.
    ///
    /// A canvas asks the player: a busy compositor may leave the frame before a seek on the screen.
    private static func frameOfFilm(_ browser: Browser) throws -> Int? {
        let color =
            try browser.evaluate(
                """
                (() => { const film = document.querySelector('video');
                  const canvas = Object.assign(document.createElement('canvas'),
                    {width: film.videoWidth, height: film.videoHeight});
                  const context = canvas.getContext('2d'); context.drawImage(film, 0, 0);
                  return [...context.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data]; })()
                """) as? [NSNumber] ?? []
        try #require(color.count == 4)
        return Site.frame(
            SIMD4(
                color[0].uint8Value, color[1].uint8Value, color[2].uint8Value, color[3].uint8Value))
    }

    private static func middle(_ browser: Browser, _ element: String) throws -> (Double, Double) {
        let place =
            try browser.evaluate(
                """
                (() => { const box = document.querySelector(`\(element)`).getBoundingClientRect();
                  return [box.left + box.width / 2, box.top + box.height / 2]; })()
                """) as? [NSNumber] ?? []
        return (place[0].doubleValue, place[1].doubleValue)
    }

    private static func isMissing(_ browser: Browser, _ element: String) throws -> Bool {
        try browser.evaluate("document.querySelector('\(element)') === null") as? Bool == true
    }

    /// Timers wait for `ring()`, which runs them, and their delays are remembered.
    private static let heldTimers = """
        window.delays = []; window.held = [];
        window.setTimeout = (work, delay = 0) => { delays.push(delay); held.push(work); return held.length; };
        window.clearTimeout = number => { held[number - 1] = null; };
        window.ring = () => held.splice(0, held.length).forEach(work => work?.());
        """

    @Test func `a visit of the pointer waits 150 ms, and loads the preview and the sheet alone`()
        async throws
    {
        let site = try await Self.clips()
        try await Self.visit(site, before: Self.heldTimers) { browser in
            let (x, y) = try Self.middle(browser, ".stage")
            // Posters are asked for once the cards have been laid out.
            try browser.wait(until: "document.querySelectorAll('.item.shown').length === 3")
            _ = try browser.evaluate("ring(); delays.length = 0")
            let before = browser.requests.count
            try browser.movePointer(x, y)
            try browser.wait(until: "delays.length > 0")
            #expect(try browser.evaluate("delays") as? [Int] == [150])
            #expect(try Self.isMissing(browser, ".preview, .frame"))
            #expect(browser.requests.count == before)
            _ = try browser.evaluate("ring()")
            try browser.wait(until: "document.querySelector('.preview')")
            #expect(browser.requests.dropFirst(before).allSatisfy { $0.contains("/preview.webp") })
            let (left, top) = try Self.middle(browser, ".scrub")
            try browser.movePointer(left, top)
            try browser.wait(until: "document.querySelector('.frame')")
            let hover = browser.requests.dropFirst(before)
                .compactMap { URL(string: $0)?.lastPathComponent }
            #expect(hover == ["preview.webp", "sheet.webp"])
            try browser.movePointer(1270, 20)
            try browser.wait(until: "!document.querySelector('.preview, .frame, .scrub, .time')")
        }
    }

    @Test func `the pointer scrubs to the frames of their places`() async throws {
        let site = try await Self.clips()
        try await Self.visit(site) { browser in
            let (x, y) = try Self.middle(browser, ".stage")
            try browser.movePointer(x, y)
            try browser.wait(until: "document.querySelector('.scrub')")
            let box =
                try browser.evaluate(
                    """
                    (() => { const box = document.querySelector('.scrub').getBoundingClientRect();
                      return [box.left, box.top + box.height / 2, box.width]; })()
                    """) as? [NSNumber] ?? []
            let (left, height) = (box[0].doubleValue, box[1].doubleValue)
            let width = box[2].doubleValue
            for (share, number) in [(0.15, 1), (0.45, 4), (0.95, 9), (0.25, 2)] {
                try browser.movePointer(left + width * share, height)
                try browser.wait(
                    until: "document.querySelector('.frame')?.dataset.tile === '\(number)'")
                _ = try browser.evaluate(
                    """
                    (async () => { const image = new Image();
                      image.src = getComputedStyle(document.querySelector('.frame'))
                        .backgroundImage.slice(5, -2); await image.decode(); })()
                    """)
                #expect(try Self.frame(browser, ".stage") == number, "at \(share)")
                let text = try browser.evaluate(
                    "document.querySelector('.scrub').getAttribute('aria-valuetext')")
                #expect(text as? String == "0.\(number) s of 1.0 s")
            }
        }
    }

    @Test func `keys alone reach everything`() async throws {
        let site = try await Self.clips()
        try await Self.visit(site) { browser in
            let focus = "document.activeElement"
            _ = try browser.evaluate("document.getElementById('moves').focus()")
            try browser.press("Tab", "Tab")
            #expect(try browser.evaluate("\(focus).type") as? String == "range")
            try browser.press("End")
            try browser.wait(until: "document.querySelector('.frame')?.dataset.tile === '9'")
            try browser.press("ArrowLeft", "ArrowLeft")
            try browser.wait(until: "document.querySelector('.frame')?.dataset.tile === '7'")
            #expect(try Self.frame(browser, ".stage") == 7)
            try browser.press("Escape")
            #expect(try browser.evaluate("\(focus).className") as? String == "open")
            #expect(try Self.isMissing(browser, ".frame, .scrub"))
            try browser.press("ArrowRight")
            try browser.wait(until: "\(focus).parentElement.place === 1")
            try browser.press("Enter")
            try browser.wait(until: "document.querySelector('#screen video')?.currentTime > 0")
            #expect(try browser.evaluate("location.hash") as? String == "#" + site.sources[1].id)
            try browser.press(" ")
            try browser.wait(until: "document.querySelector('video').paused")
            try browser.press("i")
            let facts = "document.getElementById('facts').textContent"
            #expect((try browser.evaluate(facts) as? String)?.contains("b.mp4") == true)
            try browser.press("ArrowRight")
            try browser.wait(until: "document.querySelector('#screen img')")
            try browser.press("Escape")
            try browser.wait(until: "!document.getElementById('viewer').open")
            try browser.wait(until: "\(focus).parentElement?.place === 2")
            #expect(try browser.evaluate("location.hash") as? String == "")
        }
    }

    @Test func `a question mark lists the keys, over the items and in one`() async throws {
        let site = try await Self.clips()
        try await Self.visit(site) { browser in
            let (keys, viewer) = (
                "document.getElementById('keys')", "document.getElementById('viewer')"
            )
            try browser.press("?")
            try browser.wait(until: "\(keys).open")
            try browser.press("Escape")
            try browser.wait(until: "!\(keys).open")
            let (x, y) = try Self.middle(browser, ".stage")
            try browser.click(x, y)
            try browser.wait(until: "\(viewer).open")
            try browser.press("?")
            try browser.wait(until: "\(keys).open")
            // The viewer takes no keys while the list is open.
            try browser.press("ArrowRight", "?")
            try browser.wait(until: "!\(keys).open")
            #expect(try browser.evaluate("\(viewer).open") as? Bool == true)
            #expect(try browser.evaluate("location.hash") as? String == "#" + site.sources[0].id)
            try browser.press("Escape")
            try browser.wait(until: "!\(viewer).open")
            try browser.press("/")
            try browser.wait(until: "document.activeElement.id === 'search'")
            try browser.press("?")
            #expect(try browser.evaluate("\(keys).open") as? Bool == false)
            #expect(browser.problems == [])
        }
    }

    @Test func `an item leads to its file`() async throws {
        let site = try await Self.clips()
        try await Self.visit(site) { browser in
            let (x, y) = try Self.middle(browser, ".stage")
            try browser.click(x, y)
            for (name, file) in [
                ("a.gif", "animation.gif"), ("b.mp4", "film.mp4"), ("c.png", "picture.png"),
            ] {
                let link = "document.getElementById('file')"
                try browser.wait(until: "\(link).download === '\(name)'")
                let isThere = try browser.evaluate(
                    "!\(link).hidden && \(link).href.includes('/\(file)?')")
                #expect(isThere as? Bool == true)
                try browser.press("ArrowRight")
            }
        }
    }

    @Test func `the header of a phone has two rows`() async throws {
        let site = try await Self.clips()
        try await Self.visit(site, width: 390) { browser in
            let height = try browser.evaluate("document.querySelector('header').offsetHeight")
            #expect((height as? Int).map { (1...96).contains($0) } == true, "\(height ?? 0)")
            let fits = "document.documentElement.scrollWidth <= innerWidth"
            #expect(try browser.evaluate(fits) as? Bool == true)
            let search = try browser.evaluate("document.getElementById('search').offsetWidth")
            #expect((search as? Int).map { $0 >= 80 } == true, "\(search ?? 0)")
        }
    }

    @Test func `a film plays as often as it says, and steps by its frames`() async throws {
        let site = try await Self.clips()
        try await Self.visit(site, readsFiles: true) { browser in
            let (x, y) = try Self.middle(browser, "[aria-posinset='2'] .stage")
            try browser.click(x, y)
            try browser.wait(until: "document.querySelector('video')?.currentTime > 0")
            #expect(try browser.evaluate("document.querySelector('video').loop") as? Bool == true)
            _ = try browser.evaluate(
                """
                (async () => { const video = document.querySelector('video'); video.pause();
                  video.currentTime = .25;
                  await new Promise(done => video.onseeked = done); video.controls = false; })()
                """)
            for number in 3...5 {
                _ = try browser.evaluate(
                    "window.seeked = new Promise(r => document.querySelector('video').onseeked = r); 0"
                )
                try browser.press(".")
                _ = try browser.evaluate("seeked.then(() => true)")
                #expect(try Self.frameOfFilm(browser) == number)
            }
        }
    }

    @Test func `an animation of the viewer rests when it is told to`() async throws {
        let site = try await Site.make([("a.gif", Site.gif(loop: 2))])
        try await Self.visit(site) { browser in
            let image = "document.querySelector('#screen img')"
            let (x, y) = try Self.middle(browser, ".stage")
            try browser.click(x, y)
            try browser.wait(until: "\(image)?.src.includes('/animation.gif')")
            try browser.press("i")
            let facts = try browser.evaluate("document.getElementById('facts').textContent")
            #expect((facts as? String)?.contains("3 times") == true)
            try browser.press(" ")
            try browser.wait(until: "\(image).src.includes('/poster-64.jpg')")
            try browser.press(" ")
            try browser.wait(until: "\(image).src.includes('/animation.gif')")
        }
    }

    @Test func `search, kinds and orders choose what is shown`() async throws {
        let site = try await Self.clips()
        try await Self.visit(site) { browser in
            let names = "[...document.querySelectorAll('.item bdi')].map(e => e.textContent).join()"
            _ = try browser.evaluate("document.getElementById('search').focus()")
            try browser.press("G", "I", "F")
            try browser.wait(until: "\(names) === 'a.gif'")
            let status = "document.getElementById('status').textContent"
            #expect(try browser.evaluate(status) as? String == "1 of 3 items")
            _ = try browser.evaluate(
                """
                for (const [id, value] of [['search', ''], ['kind', ''], ['sort', 'long']]) {
                  document.getElementById(id).value = value;
                  document.getElementById(id).dispatchEvent(new Event('change'));
                }
                """)
            try browser.wait(until: "\(names) === 'a.gif,b.mp4,c.png'")
            _ = try browser.evaluate(
                """
                document.getElementById('kind').value = 'still';
                document.getElementById('kind').dispatchEvent(new Event('change'));
                """)
            try browser.wait(until: "\(names) === 'c.png'")
        }
    }

    @Test func `nothing moves by itself where motion is unwelcome`() async throws {
        let site = try await Self.clips()
        try await Self.visit(
            site, settings: [.reducedMotion: "reduce"], before: Self.heldTimers
        ) { browser in
            let (x, y) = try Self.middle(browser, ".stage")
            // Posters are asked for once the cards have been laid out.
            try browser.wait(until: "document.querySelectorAll('.item.shown').length === 3")
            _ = try browser.evaluate("ring(); delays.length = 0")
            let before = browser.requests.count
            try browser.movePointer(x, y)
            try browser.wait(until: "delays.length > 0")
            _ = try browser.evaluate("ring()")
            try browser.wait(until: "document.querySelector('.scrub')")
            #expect(try Self.isMissing(browser, ".preview"))
            // Posters may still come.
            #expect(browser.requests.dropFirst(before).allSatisfy { $0.contains("/poster-") })
            let pressed = "document.getElementById('moves').getAttribute('aria-pressed')"
            #expect(try browser.evaluate(pressed) as? String == "false")
        }
    }

    @Test(arguments: [("light", true), ("dark", false)])
    func `the page is as light or dark as the visitor asks`(scheme: String, isLight: Bool)
        async throws
    {
        let site = try await Site.make([("a.gif", Site.gif())])
        try await Self.visit(site, settings: [.colorScheme: scheme]) { browser in
            let shot = try MemoryBytes(browser.screenshot())
            let reader = try FrameSequence(opening: shot, registry: .standard).makeReader(
                ReaderOptions())
            let pixel = try #require(try reader.nextFrame()).bitmap[3, 700]
            #expect((pixel.x > 128) == isLight)
        }
    }

    /// Ten frames with one opaque square each, which moves from left to right.
    private static func moving(_ type: MediaType) async throws -> [UInt8] {
        let size = PixelSize(width: 160, height: 120)
        let frames = try (0..<10).map { number in
            try Bitmap(size: size, isOpaque: false) { rows in
                let pixels = rows.bindMemory(to: SIMD4<UInt8>.self)
                for place in pixels.indices {
                    let (x, y) = (place % 160, place / 160)
                    let isInside = x / 16 == number && (52..<68).contains(y)
                    pixels[place] = isInside ? SIMD4(255, 0, 0, 255) : .zero
                }
            }
        }
        return try await FrameSequence.joined(frames.map { FrameSequence(still: $0) })
            .encoded(as: type)
    }

    /// How many of the ten squares are in a part of the page.
    private static func squares(_ browser: Browser, in element: String) throws -> Int {
        _ = try browser.evaluate(
            "new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
        let box =
            try browser.evaluate(
                """
                (() => { const box = document.querySelector(`\(element)`).getBoundingClientRect();
                  return [box.left, box.top, box.width, box.height]; })()
                """) as? [NSNumber] ?? []
        let shot = try MemoryBytes(browser.screenshot())
        let reader = try FrameSequence(opening: shot, registry: .standard).makeReader(
            ReaderOptions())
        let bitmap = try #require(try reader.nextFrame()).bitmap
        let y = Int(box[1].doubleValue + box[3].doubleValue / 2)
        return (0..<10).count { number in
            let share = (Double(number) + 0.5) / 10
            let pixel = bitmap[Int(box[0].doubleValue + box[2].doubleValue * share), y]
            return pixel.x > 200 && pixel.y < 80
        }
    }

    @Test(arguments: [("a.webm", MediaType.webm), ("a.webp", .webpAnimation)])
    func `one picture is shown at a time where pixels are transparent`(
        name: String, type: MediaType
    ) async throws {
        guard EncoderRegistry.standard.traits(for: type) != nil else { return }
        let site = try await Site.make([(name, try await Self.moving(type))])
        try await Self.visit(site) { browser in
            try browser.wait(until: "document.querySelector('.shown')")
            #expect(try Self.squares(browser, in: ".stage picture img") == 1)
            let (x, y) = try Self.middle(browser, ".stage")
            try browser.movePointer(x, y)
            try browser.wait(until: "document.querySelector('.preview')")
            #expect(try Self.squares(browser, in: ".preview") == 1)
            let (left, top) = try Self.middle(browser, ".scrub")
            for offset in [-60.0, 0, 60] {
                try browser.movePointer(left + offset, top)
                try browser.wait(until: "document.querySelector('.frame.loaded')")
                #expect(try Self.squares(browser, in: ".frame") == 1)
            }
            try browser.movePointer(1270, 20)
            try browser.wait(until: "!document.querySelector('.preview, .frame')")
            #expect(try Self.squares(browser, in: ".stage picture img") == 1)
        }
    }

    @Test func `the poster stays where there is no preview`() async throws {
        let site = try await Self.clips()
        let folder = site.gallery.path("items/" + site.sources[0].id)
        for name in ["preview.webp", "sheet.webp"] {
            try FileManager.default.removeItem(atPath: folder + "/" + name)
        }
        try await Self.visit(site, before: Self.heldTimers) { browser in
            _ = try browser.evaluate("ring()")
            try browser.wait(until: "document.querySelector('.shown')")
            let (x, y) = try Self.middle(browser, ".stage")
            try browser.movePointer(x, y)
            try browser.wait(until: "held.some(work => work)")
            _ = try browser.evaluate("ring()")
            try browser.wait(until: "document.querySelector('.scrub')")
            let (left, top) = try Self.middle(browser, ".scrub")
            try browser.movePointer(left, top)
            try browser.wait(until: "document.querySelector('.frame')")
            // Both were asked for, and are not there.
            _ = try browser.evaluate(
                "Promise.allSettled([fetch('no'), new Promise(r => requestAnimationFrame(r))])")
            let style =
                "getComputedStyle(document.querySelector('.stage picture img')).visibility"
            #expect(try browser.evaluate(style) as? String == "visible")
            #expect(try Self.isMissing(browser, ".preview"))
        }
    }

    @Test func `a focused slider gives way to the next card`() async throws {
        let site = try await Self.clips()
        try await Self.visit(site) { browser in
            let (x, y) = try Self.middle(browser, "[aria-posinset='1'] .stage")
            try browser.movePointer(x, y)
            try browser.wait(until: "document.querySelector('.scrub')")
            let (left, top) = try Self.middle(browser, ".scrub")
            try browser.click(left, top)
            try browser.wait(until: "document.activeElement.className === 'scrub'")
            let (other, down) = try Self.middle(browser, "[aria-posinset='2'] .stage")
            try browser.movePointer(other, down)
            try browser.wait(until: "document.querySelector(`[aria-posinset='2'] .preview`)")
            #expect(try browser.evaluate("document.querySelectorAll('.scrub').length") as? Int == 1)
            #expect(try Self.isMissing(browser, ".frame, .time"))
            #expect(browser.problems == [])
        }
    }

    @Test func `a film that cannot be played says so over its poster`() async throws {
        let site = try await Self.clips()
        let film = site.gallery.path("items/" + site.sources[1].id) + "/film.mp4"
        _ = try #require(FileManager.default.contents(atPath: film))
        try Data(repeating: 7, count: 5000).write(to: URL(fileURLWithPath: film))
        try await Self.visit(site) { browser in
            let (x, y) = try Self.middle(browser, "[aria-posinset='2'] .stage")
            try browser.click(x, y)
            try browser.wait(until: "document.querySelector('#screen [role=alert]')")
            let text = "document.querySelector('#screen [role=alert]').textContent"
            #expect(
                try browser.evaluate(text) as? String
                    == "This browser cannot play this film: it is damaged, or its codec is not supported."
            )
            #expect(try Self.isMissing(browser, "#screen video"))
            try browser.wait(until: "document.querySelector('#screen img').naturalWidth > 0")
            // Keys still lead on.
            try browser.press("ArrowRight")
            try browser.wait(until: "!document.querySelector('#screen [role=alert]')")
            #expect(browser.problems.allSatisfy { !$0.contains("TypeError") })
        }
    }

    @Test func `keys reach the viewer after a player that had the focus is gone`() async throws {
        let site = try await Self.clips()
        try await Self.visit(site) { browser in
            let (x, y) = try Self.middle(browser, "[aria-posinset='2'] .stage")
            try browser.click(x, y)
            try browser.wait(until: "document.querySelector('#screen video')")
            _ = try browser.evaluate("document.querySelector('#screen video').focus()")
            try browser.press("ArrowRight")
            try browser.wait(until: "document.getElementById('place').textContent === '3 of 3'")
            try browser.press("ArrowLeft", "ArrowLeft")
            try browser.wait(until: "document.getElementById('place').textContent === '1 of 3'")
        }
    }
}

import BrowserSupport
import Foundation
import LazyKit
import Support
import Testing

@testable import LazyBase
@testable import LazyGallery

/// What a page must not do: run names of files, leave its policy, ask for much, or shut somebody out.
@Suite(.ownThreads, .serialized, .enabled(if: Browser.isInstalled, "Chromium is not installed"))
struct GallerySafetyTests {
    private static let names = [
        "<img src=x onerror=hostile=1>.gif", "\"><svg onload=hostile=1>.gif", "a#b?c%20d&e.gif",
        "'\\\");hostile=1;(\".gif", "{{title}}${hostile=1}.gif", "a\nb\u{7}.gif", "\u{202E}fig.gif",
        "javascript:hostile=1.gif", "名前 🎬.gif", FileName.text([0xFF, 0xFE] + Array(".gif".utf8)),
    ]

    @Test(arguments: [true, false])
    func `names of files are text, and the policy holds`(isFile: Bool) async throws {
        let scratch = Scratch()
        var sources: [GallerySource] = []
        for name in Self.names {
            let path = scratch.path(name)
            let file = try NewFile(in: scratch.path)
            try Site.gif(count: 3).withUnsafeBytes { bytes in try file.write(bytes) }
            try file.publish(as: name, replacing: false)
            sources.append(GallerySource(path: path, subfolder: "<b>&amp;"))
        }
        var gallery = Gallery(
            folder: scratch.path("site"), title: "<i>'\"&{{count}}", encoders: .standard)
        gallery.posterTypes = [.webp, .jpeg]
        let site = Site(scratch: scratch, gallery: gallery, sources: sources)
        _ = try await site.run()
        try gallery.writePages(for: sources)
        let shown = try await BlockingPool.shared.run {
            Result {
                let browser = try Browser(
                    files: isFile ? [] : site.files, width: 1280, height: 800)
                try browser.open(isFile ? site.page : browser.url("index.html"))
                try browser.wait(until: "document.querySelectorAll('.shown').length === 10")
                _ = try browser.evaluate("document.querySelector('.open').focus()")
                try browser.press("Tab", "ArrowRight", "Escape", "Enter", "i")
                try browser.wait(until: "document.querySelector('#screen img')?.complete")
                for _ in Self.names.dropFirst() { try browser.press("ArrowRight") }
                try browser.wait(until: "document.getElementById('next').disabled")
                #expect(try browser.evaluate("typeof hostile") as? String == "undefined")
                #expect(browser.problems == [])
                #expect(try browser.evaluate("document.title") as? String == site.gallery.title)
                let own = isFile ? "file://" + site.gallery.folder : browser.url("")
                #expect(browser.requests.allSatisfy { $0.hasPrefix(own) })
                return try browser.evaluate(
                    "[...document.querySelectorAll('.item bdi')].map(e => e.textContent)")
                    as? [String] ?? []
            }
        }.get()
        #expect(shown == Self.names.map(\.shown))
    }

    @Test func `five thousand items need few requests and bytes`() async throws {
        let site = try await Site.make([("a.gif", Site.gif())])
        let item = try #require(
            try Gallery.readItem(site.gallery.path("items/\(site.sources[0].id)/item.json")))
        let items = (0..<5000).map { number in
            var item = item
            (item.name, item.version) = ("clip \(number).gif", String(10_000_000 + number))
            return item
        }
        let pages = SitePages(gallery: site.gallery, items: items).files
        let files =
            pages.map { name, text in
                let type =
                    name.hasSuffix(".js")
                    ? "text/javascript" : name.hasSuffix(".css") ? "text/css" : "text/html"
                return Browser.File(name, type: type, Array(text.utf8))
            } + site.files.filter { $0.name.hasPrefix("items/") }
        try await BlockingPool.shared.run {
            Result {
                let browser = try Browser(files: files, width: 1280, height: 800)
                try browser.open(browser.url("index.html"))
                try browser.wait(until: "document.querySelectorAll('.shown').length >= 8")
                #expect(browser.requests.count <= 20)
                #expect(browser.receivedBytes <= 300_000)
                #expect(browser.requests.count { $0.contains("/data/") } == 1)
                // The height of all is known; the last part is filled when it is reached.
                _ = try browser.evaluate("scrollTo(0, document.body.scrollHeight)")
                try browser.wait(until: "document.querySelector('[aria-posinset=\"5000\"]')")
                #expect(browser.requests.count { $0.contains("/data/") } <= 3)
                _ = try browser.evaluate(
                    """
                    document.getElementById('search').value = 'clip 4999';
                    document.getElementById('search').dispatchEvent(new Event('input'));
                    """)
                let status = "document.getElementById('status').textContent"
                try browser.wait(until: "\(status) === '1 of 5,000 items'")
                #expect(browser.problems == [])
            }
        }.get()
    }

    @Test func `a page that is loaded needs no network`() async throws {
        let site = try await Site.make([("a.gif", Site.gif())])
        let page = site.page
        try await BlockingPool.shared.run {
            Result {
                let browser = try Browser(files: [], width: 1280, height: 800)
                try browser.open("about:blank")
                try browser.setOffline(true)
                try browser.open(page)
                try browser.wait(until: "document.querySelector('.shown')")
                try browser.press("Tab", "Tab", "Tab", "Tab", "Tab", "Enter")
                try browser.wait(
                    until: "document.querySelector('#screen img')?.naturalWidth === 64")
                #expect(browser.problems == [])
            }
        }.get()
    }

    /// axe-core, where `make test-packages` or the environment provides it.
    private static let axe: String? = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let path =
            ProcessInfo.processInfo.environment["AXE"]
            ?? folder.appending(path: ".build/axe/axe.min.js").path
        return try? String(contentsOfFile: path, encoding: .utf8)
    }()

    @Test(
        .enabled(if: axe != nil, "scripts/install-axe.sh has not found axe-core on PyPI"),
        arguments: ["light", "dark"])
    func `axe-core finds no violation`(scheme: String) async throws {
        let site = try await Site.make([
            ("a.gif", Site.gif()), ("b.gif", Site.gif()), ("c.mp4", try await Site.film()),
        ])
        let (page, axe) = (site.page, try #require(Self.axe))
        let run = """
            axe.run({preload: false}).then(result =>
              result.violations.map(v => v.id + ' ' + v.nodes.map(n => n.html).join(' ')))
            """
        try await BlockingPool.shared.run {
            Result {
                let browser = try Browser(files: [], width: 1280, height: 800)
                try browser.open(page, settings: [.colorScheme: scheme])
                try browser.wait(until: "document.querySelectorAll('.shown').length === 3")
                _ = try browser.evaluate(axe)
                #expect(try browser.evaluate(run) as? [String] == [])
                _ = try browser.evaluate("document.getElementById('moves').focus()")
                try browser.press("Tab", "Tab", "ArrowRight")
                try browser.wait(until: "document.querySelector('.time')")
                #expect(try browser.evaluate(run) as? [String] == [], "scrubbing")
                try browser.press("Escape", "Enter", "i")
                try browser.wait(until: "document.querySelector('#screen img')")
                #expect(try browser.evaluate(run) as? [String] == [], "the viewer")
                try browser.resize(width: 390, height: 844, isMobile: true)
                #expect(try browser.evaluate(run) as? [String] == [], "a telephone")
            }
        }.get()
    }
}

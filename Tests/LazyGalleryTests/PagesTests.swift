import LazyMedia
import Support
import Testing

@testable import LazyBase
@testable import LazyGallery

struct PagesTests {
    private static let gallery = Gallery(folder: "site", title: "Clips", encoders: .init())

    private static func item(_ name: String, id: String = "a-1") -> GalleryItem {
        GalleryItem(
            id: id, name: name, subfolder: "", kind: .film, format: "MP4, h264",
            size: PixelSize(width: 4, height: 3), frameCount: 10, milliseconds: 1000, plays: 0,
            byteCount: 5, modified: 1, placeholder: "AAAAAAAA", widths: [320, 640],
            hasPreview: true, sheet: .init(count: 10, columns: 5), media: "film.mp4",
            version: "12345678")
    }

    private static func file(_ name: String, _ items: [GalleryItem]) -> String {
        let pages = SitePages(gallery: gallery, items: items)
        return pages.files.first { $0.name == name }?.text ?? ""
    }

    @Test func `a title is text in the page, whatever it holds`() {
        var gallery = Self.gallery
        gallery.title = "</title><script>\"'&{{count}}"
        let page =
            SitePages(gallery: gallery, items: [])
            .files.first { $0.name == "index.html" }?.text ?? ""
        let title = "&lt;/title&gt;&lt;script&gt;&quot;&#39;&amp;{{count}}"
        #expect(page.contains("<title>\(title)</title>"))
        #expect(page.contains("<h1>\(title)</h1>"))
        #expect(page.split(separator: "<script").count == 3)
    }

    @Test(arguments: [
        "</script><script>alert(1)</script>", "a\u{2028}b\u{2029}", "\"]);alert(1)//", "\\\"",
        "<!--", "&lt;", "x\u{0}y\n", "\u{202E}gpj.exe", "名前 🎬",
    ]) func `a name is a JSON text in a script, whatever it holds`(name: String) throws {
        let script = Self.file("data/1.js", [Self.item(name)])
        let lines = script.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 4)
        #expect(lines[0] == "gallery.add(1, [" && lines[2] == "]);")
        #expect(!script.unicodeScalars.contains { ["<", ">", "&", "\u{2028}"].contains($0) })
        #expect(GalleryItem(record: lines[1])?.name == name)
    }

    @Test func `no script, style, handler or address is inline, and the policy forbids them`() {
        let page = Self.file("index.html", [])
        #expect(page.contains(#"content="default-src 'none'; img-src 'self';"#))
        for word in ["style=", "onclick", "javascript:", "unsafe", "http:", "https:", "data:"] {
            #expect(!page.contains(word), "\(word)")
        }
        #expect(page.contains(PageAssets.signature))
        let used = [
            "innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "fetch(",
        ]
        for word in used { #expect(!PageAssets.script.contains(word), "\(word)") }
    }

    @Test func `script and style stay below 34 kB`() {
        #expect(PageAssets.script.utf8.count + PageAssets.style.utf8.count < 34_000)
    }

    @Test(arguments: [(0, 1), (1, 1), (60, 1), (61, 2), (5000, 84)])
    func `items are spread over files of sixty`(count: Int, files: Int) {
        let pages = SitePages(
            gallery: Self.gallery, items: (0..<count).map { Self.item("\($0)", id: "i-\($0)") })
        let data = pages.files.filter { $0.name.hasPrefix("data/") }
        #expect(data.map(\.name) == (1...files).map { "data/\($0).js" })
        let lines = data.map { $0.text.split(separator: "\n").count - 2 }
        #expect(lines.reduce(0, +) == count)
        #expect(lines.allSatisfy { $0 <= 60 })
    }

    @Test func `a record comes back as it was`() {
        var item = Self.item("a.mp4")
        #expect(GalleryItem(record: item.json.line) == item)
        (item.hasPreview, item.sheet, item.media) = (false, nil, nil)
        #expect(GalleryItem(record: item.json.line) == item)
    }

    @Test(arguments: ["../../etc", "a/b", "A", "", "a b", "a\"b"])
    func `a record whose name is no folder of ours is none`(id: String) {
        #expect(GalleryItem(record: Self.item("a", id: id).json.line) == nil)
    }
}

import Glibc
import LazyBatch
import LazyKit
import LazyRenditions
import Support
import Testing

@testable import LazyBase
@testable import LazyGallery

@Suite(.ownThreads) struct MakingTests {
    private static func still() async throws -> [UInt8] {
        try await FrameSequence(opening: MemoryBytes(Site.gif(count: 1)), registry: .standard)
            .encoded(as: .png)
    }

    @Test func `an animation has posters, a preview, a sheet and itself`() async throws {
        let site = try await Site.make([("a.gif", Site.gif())])
        #expect(
            site.names(of: site.sources[0]) == [
                "animation.gif", "item.json", "poster-64.jpg", "poster-64.webp", "preview.webp",
                "sheet.webp",
            ])
        let item = try #require(site.item(0))
        #expect(item.kind == .animation && item.plays == 0 && item.milliseconds == 1000)
        #expect(item.sheet == .init(count: 10, columns: 5))
        #expect(Site.bytes(site.path(0, "animation.gif")) == Site.gif())
    }

    @Test func `the tiles of a sheet are the frames at their times`() async throws {
        let site = try await Site.make([("a.gif", Site.gif())])
        let sheet = try FrameSequence(path: site.path(0, "sheet.webp"))
        let page = try await sheet.frame(0).bitmap
        #expect(page.size == PixelSize(width: 5 * 64, height: 2 * 48))
        for tile in 0..<10 {
            let pixel = page[tile % 5 * 64 + 32, tile / 5 * 48 + 24]
            #expect(Site.frame(pixel) == tile)
        }
    }

    @Test(.enabled(if: EncoderRegistry.standard.traits(for: .mp4) != nil))
    func `a film that browsers play is copied, another one is converted`() async throws {
        let film = try await Site.film()
        let matroska = try Media.array("h264.mkv")
        let site = try await Site.make([("a.mp4", film), ("b.mkv", matroska)])
        #expect(Site.bytes(site.path(0, "film.mp4")) == film)
        #expect(site.item(1)?.media == "film.mp4")
        let converted = try FrameSequence(path: site.path(1, "film.mp4"))
        #expect(converted.info.type == .mp4 && converted.info.codec == "h264")
        let source = try FrameSequence(path: Media.path("h264.mkv"))
        #expect(
            try await converted.frameIndex().count == source.frameIndex().count)
    }

    @Test func `a picture has neither preview nor sheet`() async throws {
        let site = try await Site.make([("a.png", Self.still()), ("b.gif", Site.gif(count: 1))])
        for place in 0...1 {
            let item = try #require(site.item(place))
            #expect(item.kind == .still && !item.hasPreview && item.sheet == nil)
            #expect(item.milliseconds == 0)
        }
        #expect(site.item(0)?.media == "picture.png")
    }

    @Test func `without media there are only pictures`() async throws {
        let site = try await Site.make([("a.gif", Site.gif())], media: .none)
        #expect(site.item(0)?.media == nil)
        #expect(!site.names(of: site.sources[0]).contains("animation.gif"))
    }

    @Test func `links share the bytes of the source`() async throws {
        let site = try await Site.make([("a.gif", Site.gif())], media: .link)
        #expect(
            FileIdentity(site.path(0, "animation.gif")) == FileIdentity(site.sources[0].path))
    }

    @Test func `of a symbolic link its target is shared`() async throws {
        let site = try await Site.make([("a.gif", Site.gif())], media: .link)
        symlink("a.gif", site.scratch.path("b.gif"))
        let link = GallerySource(path: site.scratch.path("b.gif"))
        let other = Site(scratch: site.scratch, gallery: site.gallery, sources: [link])
        _ = try await other.run()
        let copy = site.gallery.path("items/\(link.id)/animation.gif")
        #expect(FileIdentity(copy) == FileIdentity(site.sources[0].path))
        #expect(FileIdentity.realPath(copy)?.hasSuffix("/animation.gif") == true)
    }

    @Test(arguments: ["clip.mp4", "photo.heic", "vfr.mp4", "animation.webp", "rotated-90.mp4"])
    func `what the pointer loads is at most 60 kB`(name: String) async throws {
        let site = try await Site.make([(name, Media.array(name))], media: .none)
        let count = ["preview.webp", "sheet.webp"].reduce(0) {
            $0 + Site.bytes(site.path(0, $1)).count
        }
        #expect(count <= 60_000)
        if name != "photo.heic" { #expect(site.item(0)?.sheet != nil) }
    }

    @Test func `a second run makes nothing, a changed file is made again`() async throws {
        let site = try await Site.make([("a.gif", Site.gif()), ("b.gif", Site.gif(count: 5))])
        let journal = try Journal(site.scratch.path("journal"))
        for outcome in try await site.run(journal) {
            guard case .made = outcome else { throw Unexpected() }
        }
        for outcome in try await site.run(journal) {
            guard case .skipped = outcome else { throw Unexpected() }
        }
        _ = site.scratch.write(Site.gif(count: 3), "a.gif")
        let outcomes = try await site.run(journal)
        guard case .made(let item) = outcomes[0], case .skipped = outcomes[1] else {
            throw Unexpected()
        }
        #expect(item.frameCount == 3)
        #expect(Site.bytes(site.path(0, "animation.gif")) == Site.gif(count: 3))
        #expect(site.item(0)?.frameCount == 3)
    }

    @Test func `files of other options leave the folder of an item, files of others stay`()
        async throws
    {
        let site = try await Site.make([("a.gif", Site.gif())])
        _ = site.scratch.write([1], "site/items/\(site.sources[0].id)/notes.txt")
        var gallery = site.gallery
        gallery.media = .none
        gallery.posterTypes = [.jpeg]
        let other = Site(scratch: site.scratch, gallery: gallery, sources: site.sources)
        _ = try await other.run()
        #expect(
            other.names(of: site.sources[0]) == [
                "item.json", "notes.txt", "poster-64.jpg", "preview.webp", "sheet.webp",
            ])
    }

    @Test func `a site knows of which types its posters are`() async throws {
        let site = try await Site.make([("a.gif", Site.gif())])
        _ = site.scratch.write([1], "site/items/notes.txt")
        #expect([.webp, .jpeg, .avif].map { site.gallery.hasPosters($0) } == [true, true, false])
        let other = Gallery(folder: site.scratch.path("none"), title: "", encoders: .standard)
        #expect(!other.hasPosters(.webp))
    }

    @Test func `a folder with a record of another program is left alone`() async throws {
        let site = try await Site.make([("a.gif", Site.gif())])
        let record = "site/items/\(site.sources[0].id)/item.json"
        _ = site.scratch.write(Array("{}".utf8), record)
        guard case .failed(let failure) = try await site.run()[0] else { throw Unexpected() }
        #expect(failure.effect == .outputExists)
        #expect(Site.bytes(site.scratch.path(record)) == Array("{}".utf8))
    }

    @Test func `a file that fails leaves nothing, and what was made of it before stays`()
        async throws
    {
        let site = try await Site.make([("a.gif", Site.gif())])
        let broken = Array(Site.gif().prefix(20))
        _ = site.scratch.write(broken, "a.gif")
        _ = site.scratch.write(broken, "b.gif")
        let sources = site.sources + [GallerySource(path: site.scratch.path("b.gif"))]
        let both = Site(scratch: site.scratch, gallery: site.gallery, sources: sources)
        for outcome in try await both.run() {
            guard case .failed = outcome else { throw Unexpected() }
        }
        #expect(both.names(of: sources[0]).contains("item.json"))
        #expect(try ItemFolder.names(in: site.gallery.path("items")) == [sources[0].id])
    }

    @Test func `a page shows what is made, and pruning removes what is gone`() async throws {
        let site = try await Site.make([("a.gif", Site.gif()), ("b.gif", Site.gif())])
        let more = site.sources + [GallerySource(path: site.scratch.path("c.gif"))]
        let all = try site.gallery.writePages(for: more)
        #expect((all.itemCount, all.missingCount, all.removedCount) == (2, 1, 0))
        // It is there, and only not named.
        let search = GallerySearch([.init(path: site.scratch.path)], site: site.gallery)
        let named = try site.gallery.writePages(
            for: [site.sources[1]], of: search, prunes: true)
        #expect((named.itemCount, named.removedCount) == (1, 0))
        unlink(site.sources[0].path)
        let kept = try site.gallery.writePages(for: [site.sources[1]], of: search, prunes: true)
        #expect((kept.itemCount, kept.removedCount) == (1, 1))
        #expect(site.names(of: site.sources[0]).isEmpty)
        #expect(!site.names(of: site.sources[1]).isEmpty)
    }

    /// Too many open files, or a bad sector: without the record, the page would lose its item.
    @Test func `a page stays as it is where the record of an item cannot be read`() async throws {
        let site = try await Site.make([("a.gif", Site.gif()), ("b.gif", Site.gif())])
        let before = ["index.html", "data/1.js"].map { Site.bytes(site.gallery.path($0)) }
        let record = site.gallery.path("items/\(site.sources[0].id)/item.json")
        unlink(record)
        // A link to itself leads nowhere.
        #expect(symlink("item.json", record) == 0)
        let search = GallerySearch([.init(path: site.scratch.path)], site: site.gallery)
        for sources in [site.sources, [site.sources[1]]] {
            let error = #expect(throws: FileError.self) {
                try site.gallery.writePages(for: sources, of: search, prunes: true)
            }
            #expect(error?.path == record)
            #expect(error?.description.hasPrefix("Cannot read ") == true)
        }
        #expect(["index.html", "data/1.js"].map { Site.bytes(site.gallery.path($0)) } == before)
    }

    @Test func `a page that would not change is not written`() async throws {
        let site = try await Site.make([("a.gif", Site.gif())])
        let page = site.gallery.path("index.html")
        let before = FileIdentity(page)
        try site.gallery.writePages(for: site.sources)
        #expect(FileIdentity(page) == before)
        _ = site.scratch.write([], "site/data/7.js")
        try site.gallery.writePages(for: [])
        #expect(FileIdentity(page) != before)
        #expect(try ItemFolder.names(in: site.gallery.path("data")) == ["1.js"])
    }

    @Test func `a page of another program is told from ours`() async throws {
        let site = try await Site.make([("a.gif", Site.gif())])
        #expect(!site.gallery.hasForeignPage)
        // A run that was killed before it wrote the page.
        unlink(site.gallery.path("index.html"))
        #expect(!site.gallery.hasForeignPage)
        _ = site.scratch.write(Array("<html>".utf8), "site/index.html")
        #expect(site.gallery.hasForeignPage)
        for name in ["icon.svg", "gallery.css", "data/7.js"] {
            let scratch = Scratch()
            for folder in ["other", "other/data"] { mkdir(scratch.path(folder), 0o700) }
            var other = site.gallery
            other.folder = scratch.path("other")
            #expect(!other.hasForeignPage)
            _ = scratch.write([1], "other/" + name)
            #expect(other.hasForeignPage, "\(name)")
        }
    }
}

private struct Unexpected: Error {}

extension Site {
    /// The record of an item.
    fileprivate func item(_ place: Int) -> GalleryItem? {
        try? Gallery.readItem(path(place, GalleryItem.recordName))
    }

    /// The path of a file of an item.
    fileprivate func path(_ place: Int, _ name: String) -> String {
        gallery.path("items/\(sources[place].id)/\(name)")
    }
}

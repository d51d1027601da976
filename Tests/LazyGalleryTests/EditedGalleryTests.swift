import BrowserSupport
import Foundation
import LazyBatch
import LazyEditing
import LazyKit
import Support
import Testing

@testable import LazyBase
@testable import LazyGallery

/// Galleries of edited files: all that is made of a file shows the same pictures.
@Suite(.ownThreads, .serialized) struct EditedGalleryTests {
    private static let red = SIMD4<UInt8>(255, 0, 0, 255)
    private static let blue = SIMD4<UInt8>(0, 0, 255, 255)
    private static let white = SIMD4<UInt8>(255, 255, 255, 255)

    /// Ten frames of 128x96: white, with a red left upper quarter and a blue right lower one.
    private static func clip(_ type: MediaType) async throws -> [UInt8] {
        let size = PixelSize(width: 128, height: 96)
        let picture = try Bitmap(size: size, isOpaque: true) { rows in
            let pixels = rows.bindMemory(to: SIMD4<UInt8>.self)
            for place in pixels.indices {
                let (x, y) = (place % 128, place / 128)
                pixels[place] =
                    x < 64 && y < 48 ? red : x >= 64 && y >= 48 ? blue : white
            }
        }
        // One pixel of each frame differs, so that the frames do.
        let frames = try (0..<10).map { number in
            try Bitmap(size: size, isOpaque: true) { rows in
                picture.withBytes { rows.copyMemory(from: $0) }
                rows.bindMemory(to: SIMD4<UInt8>.self)[128 * 70 + number * 4] = SIMD4(0, 0, 0, 255)
            }
        }
        return try await FrameSequence.joined(frames.map { FrameSequence(still: $0) })
            .encoded(as: type)
    }

    private static func isNear(_ one: SIMD4<UInt8>, _ other: SIMD4<UInt8>) -> Bool {
        (0..<3).allSatisfy { abs(Int(one[$0]) - Int(other[$0])) < 48 }
    }

    /// The colors in the middle of the four quarters of a part of a picture.
    private static func quarters(_ bitmap: Bitmap, of part: PixelRect? = nil) -> [SIMD4<UInt8>] {
        let part = part ?? PixelRect(bitmap.size)
        return [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y in
            bitmap[part.x + part.width * x / 4, part.y + part.height * y / 4]
        }
    }

    /// Checks posters, preview, sheet and what is played against the colors of four quarters.
    private static func expect(
        _ colors: [SIMD4<UInt8>], size: PixelSize, in site: Site, media: String,
        posters: [String], _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let folder = site.gallery.path("items/" + site.sources[0].id)
        func check(_ bitmap: Bitmap, in part: PixelRect? = nil, _ name: String) {
            let found = quarters(bitmap, of: part)
            #expect(
                zip(found, colors).allSatisfy { isNear($0, $1) }, "\(name): \(found)",
                sourceLocation: location)
        }
        let item = try #require(try Gallery.readItem(folder + "/item.json"))
        #expect(item.size == size, sourceLocation: location)
        #expect(item.media == media, sourceLocation: location)
        #expect(
            site.names(of: site.sources[0]).sorted()
                == ([media, "item.json", "preview.webp", "sheet.webp"] + posters).sorted(),
            sourceLocation: location)
        for name in posters {
            let poster = try await FrameSequence(path: folder + "/" + name).frame(0).bitmap
            #expect(poster.size == size, "\(name)", sourceLocation: location)
            check(poster, name)
        }
        let played = try FrameSequence(path: folder + "/" + media)
        #expect(played.info.size == size, sourceLocation: location)
        #expect(try await played.frameIndex().count == 10, sourceLocation: location)
        for number in [0, 9] { check(try await played.frame(number).bitmap, media) }
        let preview = try await FrameSequence(path: folder + "/preview.webp").frame(3).bitmap
        #expect(preview.size == size, sourceLocation: location)
        check(preview, "preview.webp")
        let sheet = try await FrameSequence(path: folder + "/sheet.webp").frame(0).bitmap
        for tile in 0..<10 {
            check(
                sheet,
                in: PixelRect(
                    x: tile % 5 * size.width, y: tile / 5 * size.height, width: size.width,
                    height: size.height), "tile \(tile)")
        }
    }

    @Test(
        arguments: [
            (MediaType.gif, "a.gif", "animation.webp"), (.mp4, "a.mp4", "film.mp4"),
        ])
    func `all that is made of a file is mirrored`(
        type: MediaType, name: String, media: String
    ) async throws {
        guard EncoderRegistry.standard.traits(for: type) != nil else { return }
        var edit = ClipEdit()
        edit.shape = PictureShape(isMirrored: true)
        let site = try await Site.make([(name, Self.clip(type))], edit: edit)
        try await Self.expect(
            [Self.white, Self.red, Self.blue, Self.white], size: PixelSize(width: 128, height: 96),
            in: site, media: media, posters: ["poster-128.jpg", "poster-128.webp"])
    }

    @Test func `all that is made of a file is cropped, turned and has its border`() async throws {
        var edit = ClipEdit()
        // The left half, upright, turned to the right: the red quarter is on the right.
        edit.shape = PictureShape(
            crop: .rect(PixelRect(x: 0, y: 0, width: 64, height: 96)), rotation: 90)
        let site = try await Site.make([("a.gif", Self.clip(.gif))], edit: edit)
        try await Self.expect(
            [Self.white, Self.red, Self.white, Self.red], size: PixelSize(width: 96, height: 64),
            in: site, media: "animation.webp", posters: ["poster-96.jpg", "poster-96.webp"])
        edit.shape = PictureShape()
        edit.padding = Padding(.size(PixelSize(width: 128, height: 192)), color: .black)
        let padded = try await Site.make([("a.gif", Self.clip(.gif))], edit: edit)
        let folder = padded.gallery.path("items/" + padded.sources[0].id)
        let item = try #require(try Gallery.readItem(folder + "/item.json"))
        #expect(item.size == PixelSize(width: 128, height: 192))
        for name in ["poster-128.jpg", "preview.webp", "animation.webp"] {
            let picture = try await FrameSequence(path: folder + "/" + name).frame(0).bitmap
            #expect(picture.size.height * 2 == picture.size.width * 3, "\(name)")
            #expect(Self.isNear(picture[picture.size.width / 2, 4], SIMD4(0, 0, 0, 255)))
            #expect(
                Self.isNear(picture[picture.size.width / 4, picture.size.height * 3 / 8], Self.red))
        }
    }

    @Test func `a watermark is on all that is made of a file`() async throws {
        let size = PixelSize(width: 64, height: 48)
        let mark = try Bitmap(size: size, isOpaque: true) { rows in
            rows.bindMemory(to: SIMD4<UInt8>.self).update(repeating: SIMD4(0, 200, 0, 255))
        }
        var edit = ClipEdit()
        edit.overlays = [.picture(PictureOverlay(mark, gravity: .northEast))]
        let site = try await Site.make([("a.gif", Self.clip(.gif))], edit: edit)
        try await Self.expect(
            [Self.red, SIMD4(0, 200, 0, 255), Self.white, Self.blue],
            size: PixelSize(width: 128, height: 96), in: site, media: "animation.webp",
            posters: ["poster-128.jpg", "poster-128.webp"])
    }

    @Test func `a matte is behind what cannot be transparent, and edits nothing else`()
        async throws
    {
        let clear = try Bitmap(size: PixelSize(width: 64, height: 48), isOpaque: false) { rows in
            rows.bindMemory(to: SIMD4<UInt8>.self).update(repeating: SIMD4(0, 0, 0, 0))
        }
        let bytes = try clear.pngData()
        var edit = ClipEdit()
        edit.matte = PixelColor(red: 0, green: 0, blue: 255)
        let site = try await Site.make([("a.png", bytes)], edit: edit)
        let folder = site.gallery.path("items/" + site.sources[0].id)
        let jpeg = try await FrameSequence(path: folder + "/poster-64.jpg").frame(0).bitmap
        #expect(Self.isNear(jpeg[32, 24], Self.blue))
        let webp = try await FrameSequence(path: folder + "/poster-64.webp").frame(0).bitmap
        #expect(webp[32, 24].w == 0)
        #expect(Site.bytes(folder + "/picture.png") == bytes)
    }

    @Test func `a file without the track of subtitles is shown without them`() async throws {
        var edit = ClipEdit()
        edit.overlays = [.subtitles(SubtitleOverlay(track: .language("de")))]
        let still = try await FrameSequence(
            opening: MemoryBytes(Site.gif(count: 1)), registry: .standard
        )
        .encoded(as: .png)
        let site = try await Site.make([("a.gif", Site.gif()), ("b.png", still)], edit: edit)
        var other = site
        other.gallery.edit.shape.isMirrored = true
        var warnings: [[String]] = []
        for outcome in try await other.run() {
            guard case .made(let item) = outcome else { continue }
            warnings.append(item.warnings.map(\.message))
        }
        #expect(warnings == [["The file has no subtitles."], []])
    }

    @Test func `other edits make the items again, equal ones do not`() async throws {
        let site = try await Site.make([("a.gif", Site.gif())])
        // Each time as another process would.
        func isMade(_ edit: ClipEdit) async throws -> Bool {
            let journal = try Journal(site.scratch.path("journal"))
            var other = site
            other.gallery.edit = edit
            guard case .made = try await other.run(journal)[0] else { return false }
            return true
        }
        #expect(try await isMade(ClipEdit()))
        #expect(try await !isMade(ClipEdit()))
        var edit = ClipEdit()
        edit.shape.isMirrored = true
        #expect(try await isMade(edit))
        #expect(try await !isMade(edit))
        edit.overlays = [.subtitles(SubtitleOverlay(track: .number(2)))]
        #expect(try await isMade(edit))
        edit.overlays = [.subtitles(SubtitleOverlay(track: .number(3)))]
        #expect(try await isMade(edit))
        #expect(try await !isMade(edit))
        #expect(try await isMade(ClipEdit()))
        // What the page loads anew.
        let version = {
            (try? Gallery.readItem(
                site.gallery.path("items/\(site.sources[0].id)/item.json")))?.version
        }
        let before = version()
        #expect(try await isMade(edit))
        #expect(version() != before)
    }

    @Test(.enabled(if: Browser.isInstalled, "Chromium is not installed"))
    func `the page reserves the place of the edited picture, and shows it`() async throws {
        var edit = ClipEdit()
        edit.shape = PictureShape(
            crop: .rect(PixelRect(x: 0, y: 0, width: 64, height: 96)), rotation: 90)
        let site = try await Site.make([("a.gif", Self.clip(.gif))], edit: edit)
        let page = site.page
        let (ratio, shown) = try await BlockingPool.shared.run {
            Result {
                let browser = try Browser(files: [], width: 1280, height: 800)
                // No poster arrives: its place is there all the same.
                try browser.open(page, settings: [:], before: nil)
                try browser.wait(until: "document.querySelector('.item .stage canvas')")
                let box =
                    try browser.evaluate(
                        "(() => { const box = document.querySelector('.stage canvas').getBoundingClientRect(); return box.width / box.height; })()"
                    ) as? NSNumber
                try browser.wait(
                    until:
                        "document.querySelector('.stage img')?.complete && document.querySelector('.stage img').naturalWidth > 0"
                )
                let picture =
                    try browser.evaluate(
                        "(() => { const i = document.querySelector('.stage img'); return i.naturalWidth / i.naturalHeight; })()"
                    ) as? NSNumber
                return (box?.doubleValue ?? 0, picture?.doubleValue ?? 0)
            }
        }.get()
        #expect(abs(ratio - 1.5) < 0.02)
        #expect(abs(shown - 1.5) < 0.02)
    }
}

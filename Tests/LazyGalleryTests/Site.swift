import BrowserSupport
import LazyBatch
import LazyEditing
import LazyKit
import Support

@testable import LazyBase
@testable import LazyGallery

/// A gallery of clips whose frames have a color each.
struct Site: Sendable {
    /// The colors of the frames, in order.
    static let colors: [UInt32] = [
        0x000000, 0xFF0000, 0x00FF00, 0x0000FF, 0xFFFF00, 0xFF00FF, 0x00FFFF, 0xFFFFFF, 0x808080,
        0x804000,
    ]

    let scratch: Scratch
    var gallery: Gallery
    let sources: [GallerySource]

    /// Writes the files, and makes a site of them.
    static func make(
        _ files: [(name: String, bytes: [UInt8])], media: Gallery.MediaChoice = .copy,
        edit: ClipEdit = ClipEdit()
    ) async throws -> Site {
        let scratch = Scratch()
        for (name, bytes) in files { _ = scratch.write(bytes, name) }
        var gallery = Gallery(
            folder: scratch.path("site"), title: "Clips", media: media, encoders: .standard)
        gallery.posterTypes = [.webp, .jpeg]
        gallery.edit = edit
        let site = Site(
            scratch: scratch, gallery: gallery,
            sources: files.map { GallerySource(path: scratch.path($0.name)) })
        for outcome in try await site.run() {
            if case .failed(let failure) = outcome { throw failure }
        }
        try gallery.writePages(for: site.sources)
        return site
    }

    /// Makes what is missing; the outcomes in the order of the sources.
    func run(_ journal: Journal? = nil) async throws -> [BatchOutcome<GalleryItem>] {
        let trust = MediaOpening.Trust(.own, isolation: .never)
        let items = sources.map { gallery.item(for: $0, opening: .standard, trust: trust) }
        var outcomes: [Int: BatchOutcome<GalleryItem>] = [:]
        try await BatchRun(items, journal: journal, rules: BatchRules(jobs: 2)).run {
            outcomes[$0] = $1
        }
        return items.indices.compactMap { outcomes[$0] }
    }

    /// The address of its page as a file.
    var page: String { "file://" + gallery.folder + "/index.html" }

    /// Its files for a server.
    var files: [Browser.File] {
        let types = [
            "html": "text/html", "css": "text/css", "js": "text/javascript", "webp": "image/webp",
            "svg": "image/svg+xml", "jpg": "image/jpeg", "gif": "image/gif", "mp4": "video/mp4",
        ]
        return Self.names(below: gallery.folder).map { name in
            let ending = FilePath.fileExtension(of: name) ?? ""
            return Browser.File(
                name, type: types[ending] ?? "application/octet-stream",
                Self.bytes(gallery.folder + "/" + name))
        }
    }

    /// The files of an item by name.
    func names(of source: GallerySource) -> [String] {
        ((try? ItemFolder.names(in: gallery.path("items/" + source.id))) ?? []).sorted()
    }

    static func bytes(_ path: String) -> [UInt8] {
        guard let file = try? FileBytes(path: path), let bytes = try? file.contiguous() else {
            return []
        }
        return bytes.withBytes { Array($0) }
    }

    static func names(below folder: String) -> [String] {
        ((try? ItemFolder.names(in: folder)) ?? []).sorted().flatMap { name in
            FileKind(folder + "/" + name) == .folder
                ? names(below: folder + "/" + name).map { name + "/" + $0 } : [name]
        }
    }

    /// A GIF of the colors, a tenth of a second each.
    static func gif(count: Int = colors.count, loop: Int? = 0) -> [UInt8] {
        let (width, height) = (64, 48)
        let palette = colors + Array(repeating: 0, count: 6)
        var forge = GIFForge(width: width, height: height, palette: palette)
        if let loop { forge.loop(loop) }
        for index in 0..<count {
            forge.control(delay: 10)
            forge.image(
                width: width, height: height,
                indices: Array(repeating: UInt8(index), count: width * height))
        }
        forge.trailer()
        return forge.bytes
    }

    /// A film of the same frames.
    static func film() async throws -> [UInt8] {
        try await FrameSequence(opening: MemoryBytes(gif()), registry: .standard).encoded(as: .mp4)
    }

    /// The number of the frame whose color a pixel has.
    static func frame(_ pixel: SIMD4<UInt8>) -> Int? {
        let channels = SIMD3(Int(pixel.x), Int(pixel.y), Int(pixel.z))
        let distances = colors.map { color in
            let other = SIMD3(Int(color >> 16), Int(color >> 8 & 255), Int(color & 255))
            let difference = channels &- other
            return (difference &* difference).wrappedSum()
        }
        return distances.indices.min { distances[$0] < distances[$1] }
    }
}

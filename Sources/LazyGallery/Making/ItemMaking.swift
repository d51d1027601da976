internal import LazyBase
internal import LazyBatch
internal import LazyEditing
internal import LazyMedia
internal import LazyRenditions

/// Makes the files of one item: posters, moving preview, sprite sheet, and what is played.
struct ItemMaking: Sendable {
    let gallery: Gallery
    let source: GallerySource
    let sequence: FrameSequence
    let progress: @Sendable (Double) -> Void

    /// Makes all files, the record last.
    func run() async throws(MediaError) -> GalleryItem {
        let folder = try ItemFolder(gallery.path("items/" + source.id))
        let (sequence, notes) = try await gallery.edited(sequence, of: source)
        let info = try await sequence.detailedInfo()
        let kind = Self.kind(info)
        let posters = try await PosterFiles(gallery: gallery).write(sequence, to: folder)
        progress(0.2)
        var hover = HoverFiles.Made()
        if kind != .still {
            hover = try await HoverFiles(encoders: gallery.encoders, progress: progress)
                .write(sequence, to: folder)
        }
        progress(0.6)
        let media = try await MediaFile(gallery: gallery, source: source, kind: kind)
            .write(sequence, from: self.sequence, info, to: folder) { progress(0.6 + 0.4 * $0) }
        var item = try item(info, kind, posters, hover, media.name)
        do throws(SystemError) { item.place = try KnownInput.place(of: source.path) } catch {
            throw error.mediaError("look at", "the folder of \(source.path)")
        }
        try folder.write(Array((item.record.line + "\n").utf8), to: GalleryItem.recordName)
        folder.removeOthers()
        let names = [GalleryItem.recordName] + folder.names.filter { $0 != GalleryItem.recordName }
        item.outputs = names.map { folder.path + "/" + $0 }
        item.bytesWritten = folder.byteCount
        item.warnings = notes + info.warnings + media.warnings
        return item
    }

    /// What an input is, by its family and the number of its frames.
    static func kind(_ info: MediaInfo) -> GalleryItem.Kind {
        if info.frameCount == 1 || info.type.family == .still { return .still }
        return info.type.family == .video ? .film : .animation
    }

    private func item(
        _ info: MediaInfo, _ kind: GalleryItem.Kind, _ posters: PosterFiles.Made,
        _ hover: HoverFiles.Made, _ media: String?
    ) throws(MediaError) -> GalleryItem {
        let state = try source.state()
        let title = info.type.title
        let codec = title.lowercased().filter { $0 != " " } == info.codec ? "" : ", " + info.codec
        return GalleryItem(
            id: source.id, name: source.path.lastName.shown, subfolder: source.subfolder.shown,
            kind: kind, format: title + codec, size: info.size,
            frameCount: info.frameCount ?? info.estimatedFrameCount ?? 1,
            milliseconds: kind == .still ? 0 : Int(info.duration?.milliseconds ?? 0),
            plays: kind == .still ? 1 : info.loop.plays ?? 0, byteCount: state.byteCount,
            modified: state.modified, placeholder: posters.placeholder,
            widths: posters.widths, hasPreview: hover.hasPreview, sheet: hover.sheet, media: media,
            version: version(posters, state.modified))
    }

    private func version(_ posters: PosterFiles.Made, _ modified: Int) -> String {
        let text = gallery.options + "\(modified)"
        return String(Digest.sha256(Array(text.utf8) + posters.smallest).hex.prefix(8))
    }
}

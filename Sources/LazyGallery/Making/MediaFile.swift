internal import LazyEditing
public import LazyMedia
internal import LazyRenditions

/// The file that the page plays: the original where browsers play it, otherwise a conversion.
struct MediaFile: Sendable {
    let gallery: Gallery
    let source: GallerySource
    let kind: GalleryItem.Kind

    /// What was made; no name if nothing can be played.
    struct Made {
        var name: String?
        var warnings: [MediaWarning] = []
    }

    /// Writes the file; `original` is the sequence before it was edited.
    func write(
        _ sequence: FrameSequence, from original: FrameSequence, _ info: MediaInfo,
        to folder: ItemFolder,
        progress: @escaping @Sendable (Double) -> Void
    ) async throws(MediaError) -> Made {
        guard gallery.media != .none else { return Made() }
        switch PlayableMedia(info, kind: kind, isEdited: gallery.isEdited).way {
        case .original(let ending):
            let name = "\(stem).\(ending)"
            if gallery.media == .link, try folder.link(source.path, to: name) {
                return Made(name: name)
            }
            try folder.copy(source.path, to: name)
            return Made(name: name)
        case .converted(let type):
            return try await convert(sequence, from: original, to: type, folder, progress)
        }
    }

    private var stem: String {
        switch kind {
        case .film: "film"
        case .animation: "animation"
        case .still: "picture"
        }
    }

    private func convert(
        _ sequence: FrameSequence, from original: FrameSequence, to type: MediaType,
        _ folder: ItemFolder,
        _ progress: @escaping @Sendable (Double) -> Void
    ) async throws(MediaError) -> Made {
        let size = sequence.info.size
        var edit = ClipEdit()
        if max(size.width, size.height) > Gallery.maxSide {
            edit.size = TargetSize(width: Gallery.maxSide, height: Gallery.maxSide, fit: .scaleDown)
        }
        let name = "\(stem).\(type.fileExtensions.first ?? type.name)"
        do throws(MediaError) {
            let file = try ItemFile(in: folder, name)
            let sound = await keptSound(of: original, as: type)
            let report = try await Rendition.conversion(
                .init(sound: sound, isStill: kind == .still), to: type, edit: edit,
                encoding: gallery.encoding()
            ).make(
                of: .init(sequence), into: Rendition.OneSink(file), encoders: gallery.encoders,
                threads: 1, progress: progress)
            try file.keep()
            return Made(name: name, warnings: report.warnings)
        } catch {
            // Without the library for it the item still has its posters and previews.
            guard error.code == .notWritable || error.code == .environment,
                error.underlying == nil
            else { throw error }
            return Made(warnings: [
                MediaWarning(.note, "It cannot be played in the page: \(error.message)")
            ])
        }
    }

    /// Whether an edited film keeps its sound: that of a file that would be played as it is does.
    ///
    /// Of several it is the one that players begin with: a page cannot choose another.
    private func keptSound(
        of original: FrameSequence, as type: MediaType
    ) async -> Rendition.Conversion.Sound? {
        guard type == .mp4, gallery.isEdited, gallery.edit.keepsAllFrames,
            case .original = PlayableMedia(original.info, kind: kind).way,
            let track = try? await original.soundTrack(),
            [.aac, .mp3, .flac, .opus].contains(track.format.codec)
        else { return nil }
        let sounds = original.info.streams.filter { $0.kind == .audio }
        guard sounds.count > 1 else { return .copy(.standard) }
        return .copy(.number((sounds.firstIndex(where: \.isDefault) ?? 0) + 1))
    }
}

extension Gallery {
    /// The longest side of a conversion in pixels.
    static let maxSide = 1920

    /// Whether a file is a film that is converted for the page and larger than what it becomes: work that is felt.
    public func reducesFilm(_ info: MediaInfo) -> Bool {
        guard media != .none, max(info.size.width, info.size.height) > Self.maxSide else {
            return false
        }
        let kind = ItemMaking.kind(info)
        guard kind == .film else { return false }
        return PlayableMedia(info, kind: kind, isEdited: isEdited).way == .converted(.mp4)
    }
}

package import LazyKit

/// What is done to every picture before it is shown, in the pixels of its file.
package struct ViewerEdit: SequenceProcessing, Hashable {
    private var edit: ClipEdit
    /// The same without subtitles of a track, for files that have none.
    private var plain: ClipEdit

    init(_ edit: ClipEdit) {
        (self.edit, plain) = (edit, edit)
        plain.overlays.removeAll { overlay in
            if case .subtitles(let subtitles) = overlay { subtitles.track != nil } else { false }
        }
    }

    /// The edit with the name of an item in its texts.
    func named(_ name: String) -> ViewerEdit {
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        let stem = dot == name.startIndex ? name : String(name[..<dot])
        var named = self
        (named.edit, named.plain) = (edit.named(stem), plain.named(stem))
        return named
    }

    package var identifier: String { "lazyimg-view/edit?\(edit.identifier)" }

    package var precedesThumbnail: Bool { true }

    package func outputSize(for size: PixelSize) -> PixelSize {
        ImageProcessors.Clip(edit).outputSize(for: size)
    }

    package func process(
        _ bitmap: Bitmap, context: ProcessingContext
    ) throws(ProcessingError) -> Bitmap {
        try ImageProcessors.Clip(edit).process(bitmap, context: context)
    }

    package func process(_ sequence: FrameSequence) async throws(MediaError) -> FrameSequence {
        do throws(MediaError) {
            return try await sequence.edited(edit)
        } catch {
            guard error.code == .trackNotFound, edit != plain else { throw error }
            return try await sequence.edited(plain)
        }
    }
}

internal import LazyBase
internal import LazyEditing
internal import LazyMedia

extension Gallery {
    /// The frames of a file as the page shows them.
    func edited(
        _ sequence: FrameSequence, of source: GallerySource
    ) async throws(MediaError) -> (sequence: FrameSequence, warnings: [MediaWarning]) {
        guard isEdited else { return (sequence, []) }
        var edit = edit.named(Self.name(of: source))
        edit.matte = nil
        do throws(MediaError) {
            return (try await sequence.edited(edit), [])
        } catch {
            guard error.code == .trackNotFound, edit.overlays.contains(where: \.isOfTrack) else {
                throw error
            }
            edit.overlays.removeAll(where: \.isOfTrack)
            let isStill = sequence.info.type.family == .still
            return (
                try await sequence.edited(edit),
                isStill ? [] : [MediaWarning(.note, error.message)]
            )
        }
    }

    /// The name in texts: that of the file without its extension.
    private static func name(of source: GallerySource) -> String {
        let name = source.path.lastName
        guard let ending = FilePath.fileExtension(of: name) else { return name }
        return String(name.dropLast(ending.count + 1))
    }

    /// The options of an encoder, which fills transparent places where its format has none.
    func encoding(quality: Double? = nil) -> EncodingOptions {
        var options = EncodingOptions(quality: quality)
        options.background = edit.matte
        return options
    }
}

internal import LazyEditing
internal import LazyMedia
internal import LazyRenditions

/// What is shown while the pointer rests on an item: a moving preview, and a sprite sheet to scrub in.
struct HoverFiles: Sendable {
    let encoders: EncoderRegistry
    let progress: @Sendable (Double) -> Void

    static let previewName = "preview.webp"
    static let sheetName = "sheet.webp"

    /// What was made.
    struct Made {
        var hasPreview = false
        var sheet: GalleryItem.Sheet?
    }

    /// Writes the files that fit the budgets; without a preview the sheet moves.
    func write(
        _ sequence: FrameSequence, to folder: ItemFolder
    ) async throws(MediaError) -> Made {
        var made = Made()
        made.hasPreview = try await writePreview(sequence, to: folder)
        progress(0.45)
        made.sheet = try await writeSheet(sequence, to: folder)
        return made
    }

    private func writePreview(
        _ sequence: FrameSequence, to folder: ItemFolder
    ) async throws(MediaError) -> Bool {
        guard try await sequence.frameIndex().count > 1 else { return false }
        let preview = Rendition.animation(
            .init(length: .seconds(2), pieces: 2),
            edit: ClipEdit(size: TargetSize(width: 240, height: 180, fit: .scaleDown)),
            limit: .bytes(Gallery.maxPreviewBytes))
        let progress = progress
        do throws(MediaError) {
            let (bytes, _) = try await preview.data(
                of: .init(sequence), encoders: encoders, threads: 1
            ) {
                progress(0.2 + 0.25 * $0)
            }
            try folder.write(bytes, to: Self.previewName)
            return true
        } catch {
            // Some clips have no preview that small.
            guard [.limitExceeded, .notWritable].contains(error.code) else { throw error }
            return false
        }
    }

    /// The tiles of a sheet at most.
    private static let maxTiles = 20

    private func writeSheet(
        _ sequence: FrameSequence, to folder: ItemFolder
    ) async throws(MediaError) -> GalleryItem.Sheet? {
        let frames = try await sequence.frameIndex().count
        for (width, quality) in [(160, 50.0), (160, 25), (112, 25), (80, 10)] {
            let sheet = Rendition.sheet(
                .init(count: max(1, min(Self.maxTiles, frames)), columns: 5), as: .webp,
                edit: ClipEdit(
                    size: TargetSize(width: width, height: width * 3 / 4, fit: .scaleDown)),
                encoding: EncodingOptions(quality: quality))
            let (bytes, report) = try await sheet.data(
                of: .init(sequence), encoders: encoders, threads: 1)
            guard case .sheet(let made) = report.details, report.parts.count == 1 else {
                return nil
            }
            guard bytes.count <= Gallery.maxSheetBytes else { continue }
            try folder.write(bytes, to: Self.sheetName)
            return GalleryItem.Sheet(
                count: made.plan.tiles.count, columns: made.plan.columns)
        }
        return nil
    }
}

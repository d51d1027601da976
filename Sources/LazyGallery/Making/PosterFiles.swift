internal import LazyBase
internal import LazyMedia
internal import LazyRenditions

/// The posters of an item, in each size and format.
struct PosterFiles: Sendable {
    let gallery: Gallery

    /// What was made.
    struct Made {
        var widths: [Int]
        var placeholder: String
        /// The bytes of the smallest poster in the last format.
        var smallest: [UInt8]
    }

    /// Writes the files.
    func write(
        _ sequence: FrameSequence, to folder: ItemFolder
    ) async throws(MediaError) -> Made {
        let largest = Self.box(Gallery.posterBoxes.last)
        let found = try await sequence.poster(.auto, size: largest).bitmap
        let poster = try found.scaled(to: largest.scaledSize(of: found.size))
        var made = Made(
            widths: [], placeholder: try ThumbHash(poster).base64, smallest: [])
        for box in Gallery.posterBoxes {
            let size = Self.box(box).scaledSize(of: poster.size)
            // A small source has one size.
            guard !made.widths.contains(size.width) else { continue }
            let bitmap = try poster.scaled(to: size)
            for type in gallery.posterTypes {
                let bytes = try await bitmap.encoded(
                    as: type, gallery.encoding(quality: Self.quality(type)), by: gallery.encoders)
                let ending = type.fileExtensions.first ?? type.name
                try folder.write(bytes, to: "poster-\(size.width).\(ending)")
                if made.widths.isEmpty { made.smallest = bytes }
            }
            made.widths.append(size.width)
        }
        return made
    }

    private static func box(_ box: (width: Int, height: Int)?) -> TargetSize {
        TargetSize(width: box?.width, height: box?.height, fit: .scaleDown)
    }

    // Each on its own scale; about equal to the eye.
    private static func quality(_ type: MediaType) -> Double {
        switch type {
        case .avif: 55
        case .webp: 72
        default: 78
        }
    }
}

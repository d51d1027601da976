internal import LazyBase
package import LazyMedia
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
                try folder.write(bytes, to: "poster-\(size.width).\(Self.ending(type))")
                if made.widths.isEmpty { made.smallest = bytes }
            }
            made.widths.append(size.width)
        }
        return made
    }

    fileprivate static func ending(_ type: MediaType) -> String {
        type.fileExtensions.first ?? type.name
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

extension Gallery {
    /// Whether an item of the site has posters of a type; true where that cannot be told.
    ///
    /// Reads each item's folder.
    package func hasPosters(_ type: MediaType) -> Bool {
        let (items, ending) = (path("items"), "." + PosterFiles.ending(type))
        do throws(FileError) {
            for item in try ItemFolder.names(in: items)
            where FileKind(items + "/" + item) == .folder {
                let names = try ItemFolder.names(in: items + "/" + item)
                if names.contains(where: { $0.hasPrefix("poster-") && $0.hasSuffix(ending) }) {
                    return true
                }
            }
            return false
        } catch {
            return true
        }
    }
}

internal import CAVIF
internal import LazyMedia

/// The coded size, the crop, and the orientation.
struct AVIFShape: Hashable {
    let coded: PixelSize
    let crop: PixelRect
    let orientation: Orientation

    /// The displayed size.
    var shown: PixelSize {
        orientation.turned(PixelSize(width: crop.width, height: crop.height))
    }

    /// Whether pictures are neither cropped nor rotated.
    var isPlain: Bool { shown == coded && orientation == .upright }

    init?(_ image: avifImage, _ avif: UnsafePointer<CAVIFTable>) {
        guard let size = PixelSize(checking: Int(image.width), Int(image.height)) else {
            return nil
        }
        coded = size
        crop =
            Self.crop(image, avif) ?? PixelRect(x: 0, y: 0, width: size.width, height: size.height)
        orientation = Self.orientation(image)
    }

    private static func crop(
        _ image: avifImage, _ avif: UnsafePointer<CAVIFTable>
    ) -> PixelRect? {
        guard image.transformFlags & UInt32(AVIF_TRANSFORM_CLAP.rawValue) != 0 else { return nil }
        var image = image
        var rect = avifCropRect()
        guard cavif_crop(avif, &image, &rect) != 0, rect.width > 0, rect.height > 0 else {
            return nil
        }
        return PixelRect(
            x: Int(rect.x), y: Int(rect.y), width: Int(rect.width), height: Int(rect.height))
    }

    /// Rotated counterclockwise by `irot`, then mirrored by `imir` (ISO/IEC 23008-12, 6.5.10,
    /// 6.5.12).
    private static func orientation(_ image: avifImage) -> Orientation {
        let isTurned = image.transformFlags & UInt32(AVIF_TRANSFORM_IROT.rawValue) != 0
        let turns = isTurned ? Int(image.irot.angle & 3) : 0
        guard image.transformFlags & UInt32(AVIF_TRANSFORM_IMIR.rawValue) != 0 else {
            return Orientation(quarterTurns: (4 - turns) % 4)
        }
        // Mirroring after a rotation equals mirroring before the inverse rotation; a vertical
        // mirror is a horizontal one plus half a turn.
        let half = cavif_mirrors_vertically(image.imir) != 0 ? 2 : 0
        return Orientation(quarterTurns: (turns + half) % 4, isMirrored: true)
    }
}

internal import LazyMedia

/// Writes one picture as the bytes of a file; each worker has its own.
protocol PictureEncoding: AnyObject {
    /// Lends the bytes; the pointer is good only inside the closure.
    func encode(
        _ bitmap: Bitmap, _ use: (UnsafeRawBufferPointer) throws(CommandFailure) -> Void
    ) throws(CommandFailure)
}

/// The kinds of picture files that can be written.
enum PictureFormat: String, CaseIterable {
    case png, ppm, raw

    /// An encoder of this kind; `isSmall` spends more time on a smaller file.
    func makeEncoder(isSmall: Bool = false) throws(CommandFailure) -> any PictureEncoding {
        switch self {
        case .png: try PNGPictureEncoder(isSmall: isSmall)
        case .ppm: PPMEncoder()
        case .raw: RawEncoder()
        }
    }
}

/// RGBA8 rows as they are.
final class RawEncoder: PictureEncoding {
    func encode(
        _ bitmap: Bitmap, _ use: (UnsafeRawBufferPointer) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        try bitmap.withBytes(use)
    }
}

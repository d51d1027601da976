internal import LazyMedia

/// The formats of image files.
enum PictureFormat: String, CaseIterable {
    case png, ppm, raw

    /// An encoder of this format; `isSmall` spends more time on a smaller file, and `background` is the color
    /// behind transparent pixels where it has no alpha.
    func makeEncoder(
        isSmall: Bool = false, background: PixelColor? = nil
    ) throws(CommandFailure) -> any PictureEncoding {
        switch self {
        case .png: try PNGPictureEncoder(isSmall: isSmall)
        case .ppm: PPMEncoder(background: background ?? .black)
        case .raw: RawEncoder()
        }
    }
}

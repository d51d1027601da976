/// The formats of image files.
enum PictureFormat: String, CaseIterable {
    case png, ppm, raw

    /// An encoder of this format; `isSmall` spends more time on a smaller file.
    func makeEncoder(isSmall: Bool = false) throws(CommandFailure) -> any PictureEncoding {
        switch self {
        case .png: try PNGPictureEncoder(isSmall: isSmall)
        case .ppm: PPMEncoder()
        case .raw: RawEncoder()
        }
    }
}

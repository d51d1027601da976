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

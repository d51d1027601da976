package import CommandSupport

/// The kinds of picture files that can be written.
package enum PictureFormat: String, CaseIterable {
    case png, ppm, raw

    /// An encoder of this kind; `isSmall` spends more time on a smaller file.
    package func makeEncoder(isSmall: Bool = false) throws(CommandFailure) -> any PictureEncoding {
        switch self {
        case .png: try PNGPictureEncoder(isSmall: isSmall)
        case .ppm: PPMEncoder()
        case .raw: RawEncoder()
        }
    }
}

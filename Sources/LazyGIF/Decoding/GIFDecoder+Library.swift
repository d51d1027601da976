internal import CGIF

extension GIFDecoder {
    /// The version of giflib that this was built with.
    package static var libraryVersion: String {
        "\(GIFLIB_MAJOR).\(GIFLIB_MINOR).\(GIFLIB_RELEASE)"
    }
}

internal import CJPEG

extension JPEGDecoder {
    /// The version of libjpeg-turbo that this was built with.
    package static var libraryVersion: String { String(cString: cjpeg_library_version()) }
}

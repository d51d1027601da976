internal import CWebP

/// The linked libwebp.
package enum WebPLibrary {
    /// The version of the library.
    package static var version: String {
        let version = WebPGetDecoderVersion()
        return "\(version >> 16).\(version >> 8 & 255).\(version & 255)"
    }
}

internal import CWebP

/// libwebp as it is linked.
package enum WebPLibrary {
    /// The version of the library that runs.
    package static var version: String {
        let version = WebPGetDecoderVersion()
        return "\(version >> 16).\(version >> 8 & 255).\(version & 255)"
    }
}

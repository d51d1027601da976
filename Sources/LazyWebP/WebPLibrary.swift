internal import CWebP

/// libwebp as it is linked.
public enum WebPLibrary {
    /// The version of the library that runs.
    public static var version: String {
        let version = WebPGetDecoderVersion()
        return "\(version >> 16).\(version >> 8 & 255).\(version & 255)"
    }
}

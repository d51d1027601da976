internal import CAVIF

/// libavif as the headers describe it.
public enum AVIFLibrary {
    /// The version of the headers that this was built with.
    public static var headerVersion: String {
        "\(AVIF_VERSION_MAJOR).\(AVIF_VERSION_MINOR).\(AVIF_VERSION_PATCH)"
    }
}

/// A library that decodes or encodes for us, as it is found on this machine.
public struct InstalledLibrary: Sendable {
    /// Its name, such as `giflib`.
    public let name: String
    /// Its version, or nil where it is missing.
    public let version: String?
    /// Its license in words.
    public let license: String
    /// What it is for.
    public let purpose: String
    /// Debian's package of it, for libraries that are loaded on demand.
    public let package: String?
    /// The codecs that it may have been built without.
    public let codecs: [Codec]

    /// A codec that a library may have been built without.
    public struct Codec: Hashable, Sendable {
        /// The library's name of it, such as `libx264`.
        public let name: String
        /// What it encodes to; nil for a decoder.
        public let encodes: String?
        /// Whether the library has it.
        public let isInstalled: Bool

        /// Makes a codec.
        public init(name: String, encodes: String? = nil, isInstalled: Bool) {
            self.name = name
            self.encodes = encodes
            self.isInstalled = isInstalled
        }
    }

    /// Makes a description; a library without a version is missing.
    public init(
        name: String, version: String?, license: String, purpose: String, package: String? = nil,
        codecs: [Codec] = []
    ) {
        self.name = name
        self.version = version
        self.license = license
        self.purpose = purpose
        self.package = package
        self.codecs = codecs
    }
}

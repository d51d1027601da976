extension MediaType {
    /// What a look at the beginning of the bytes told.
    public enum Sniffed: Hashable, Sendable {
        /// The type is certain.
        case known(MediaType)
        /// So many bytes from the beginning are needed to tell.
        case needsBytes(Int)
    }
    /// Tells the type of a whole source.
    public static func sniffing(_ bytes: any ByteSource) throws(MediaError) -> MediaType {
        .unknown
    }
}

public import LazyMedia

extension Rendition.Report {
    /// How a clip was converted, and the decisions behind it.
    public struct Conversion: Sendable {
        /// A decision and its reason.
        public typealias Choice = ConversionChoice

        /// The short name of the encoder that wrote it.
        public var encoder: String
        /// Bytes of the source, if known.
        public var sourceByteCount: Int?
        /// The kind of content; nil if it made no difference.
        public var kind: ContentKind?
        /// The decisions that were made.
        public var choices: [Choice]
        /// The codec of the sound that was copied, of several that of the first one, or nil.
        public var sound: SoundFormat.Codec?
    }
}

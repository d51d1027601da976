extension EncoderRegistry {
    /// All encoders of this build; each format module adds the makers of what it writes.
    public static let standard: EncoderRegistry = {
        let registry = EncoderRegistry()
        return registry
    }()
}

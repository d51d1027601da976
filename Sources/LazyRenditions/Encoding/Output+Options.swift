internal import LazyMedia

extension Rendition.Output {
    /// The options for the encoder of a type: a quality that was asked for is used for flat art, too.
    ///
    /// Encoders that have the choice would write that losslessly, where a quality has no effect.
    func options(as type: MediaType, by encoders: EncoderRegistry) -> EncodingOptions {
        var options = encoding
        if options.quality != nil, encoders.traits(for: type)?.fidelity == .optional {
            options.lossless = options.lossless ?? false
        }
        return options
    }
}

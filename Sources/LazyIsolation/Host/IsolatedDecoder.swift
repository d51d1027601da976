public import LazyMedia

/// Opens media in processes of their own, by the decoders that those have.
struct IsolatedDecoder: MediaDecoding {
    let base: DecoderRegistry
    let host: DecoderHost

    let name = "isolated"

    func canOpen(_ type: MediaType) -> Bool { base.decoder(for: type) != nil }

    /// Asks the decoders of this process, which may load their libraries.
    func requireSupport(of type: MediaType) throws(MediaError) {
        _ = try base.installedDecoder(for: type)
    }

    func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        try open(bytes, type: type, limits: limits, cancellation: CancellationFlag())
    }

    func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits,
        cancellation: CancellationFlag
    ) throws(MediaError) -> any OpenedMedia {
        try IsolatedMedia(bytes, type, limits, host, cancellation)
    }
}

extension DecoderRegistry {
    /// The same decoders, in processes of their own; these here where the policy says `.inProcess`.
    ///
    /// The program of the host must have them. A decoder that is registered later decodes in this process.
    public func isolated(by host: DecoderHost) -> DecoderRegistry {
        guard host.policy.isolation != .inProcess else { return self }
        var registry = self
        registry.clear()
        registry.register(IsolatedDecoder(base: self, host: host))
        registry.rewriters = rewriters.map { IsolatedRewriter(type: $0.type, host: host) }
        registry.namer = namer.map { IsolatedDecoder(base: DecoderRegistry([$0]), host: host) }
        return registry
    }
}

/// Changes files in a process of its own, because that reads them.
private struct IsolatedRewriter: MediaRewriting {
    let type: MediaType
    let host: DecoderHost

    func rewrite(
        _ bytes: any ByteSource, _ change: TimingChange, limits: DecodingLimits,
        to write: ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError) {
        try rewrite(bytes, change, limits: limits, cancellation: CancellationFlag(), to: write)
    }

    func rewrite(
        _ bytes: any ByteSource, _ change: TimingChange, limits: DecodingLimits,
        cancellation: CancellationFlag, to write: ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError) {
        try SessionOpening(bytes, type, limits, host, cancellation).rewrite(change, to: write)
    }
}

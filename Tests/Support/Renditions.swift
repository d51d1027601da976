public import LazyMedia
public import LazyRenditions

extension Rendition {
    /// The bytes and the report of a sequence.
    public func data(
        of frames: FrameSequence, encoders: EncoderRegistry, threads: Int = 0,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(MediaError) -> (bytes: [UInt8], report: Report) {
        try await data(
            of: Source(frames), encoders: encoders, threads: threads, progress: progress)
    }

    /// What is particular to an animation.
    public var animation: Animation {
        get { if case .animation(let animation) = kind { animation } else { .init() } }
        set { kind = .animation(newValue) }
    }

    /// What is particular to a conversion.
    public var conversion: Conversion {
        get { if case .conversion(let conversion) = kind { conversion } else { .init() } }
        set { kind = .conversion(newValue) }
    }
}

extension Rendition.Report {
    /// What is particular to an animation.
    public var animation: Animation? {
        if case .animation(let animation) = details { animation } else { nil }
    }

    /// What is particular to a conversion.
    public var conversion: Conversion? {
        if case .conversion(let conversion) = details { conversion } else { nil }
    }

    /// What is particular to a sheet.
    public var sheet: Sheet? { if case .sheet(let sheet) = details { sheet } else { nil } }
}

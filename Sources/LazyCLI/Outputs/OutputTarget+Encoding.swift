internal import LazyBase
internal import LazyKit
internal import LazyMedia
internal import LazyRenditions

extension OutputTarget {
    /// Throws `usage` for options that this format does not have, before any work.
    func refuse(_ options: EncodingOptions) throws(CommandFailure) {
        if let type = format.type, let traits = format.traits {
            for unused in options.unused(in: traits, of: type) {
                throw .usage(message(unused, options), hint: hint(unused))
            }
        } else {
            try refuseWithoutEncoder(options)
        }
        guard format.isVideo, let type = format.type else { return }
        do throws(MediaError) {
            _ = try EncoderRegistry.standard.encoder(for: type, options)
        } catch  where error.code == .notWritable {
            throw .usage(
                error.message, hint: "MP4 supports --codec h264 or av1, WebM vp9 or av1.")
        } catch {
            // A missing library is reported when the work begins.
        }
    }

    /// Throws `usage` for what a clip is given and this format cannot keep.
    func refuse(
        matte: PixelColor?, loop: Looping?, sound: Rendition.Conversion.Sound?
    ) throws(CommandFailure) {
        if matte != nil, format.traits?.alpha == .full {
            throw .usage("--matte has no effect on \(format.rawValue): soft edges are kept.")
        }
        if loop != nil, format.traits?.canAnimate == false {
            throw .usage("--loop has no effect on \(format.rawValue), which does not move.")
        }
        if case .copy? = sound, !format.isVideo {
            throw .usage(
                "--audio copy is only for \(OutputFormat.titles(where: \.isVideo)), and the output is \(format.rawValue)."
            )
        }
    }

    private func message(
        _ unused: EncodingOptions.Unused, _ options: EncodingOptions
    ) -> String {
        let only: String? =
            switch unused.option {
            case .palette: OutputFormat.titles(where: \.hasPalette)
            case .codec: OutputFormat.titles(where: \.isVideo)
            case .quality where options.lossless != true:
                OutputFormat.titles(where: \.hasQuality)
            case .background: OutputFormat.titles { $0.traits?.alpha == FormatTraits.Alpha.none }
            default: nil
            }
        let option = Self.words(of: unused.option, options)
        guard let only else {
            return "\(option) has no effect on \(format.rawValue): \(unused.reason)."
        }
        let verb = unused.option == .palette ? "are" : "is"
        return "\(option) \(verb) only for \(only), and the output is \(format.rawValue)."
    }

    private static func words(
        of option: EncodingOptions.Unused.Option, _ options: EncodingOptions
    ) -> String {
        switch option {
        case .fidelity: options.lossless == true ? "--lossless" : "--lossy"
        case .palette: "--colors, --dither and --palettes"
        default: "--\(option.rawValue)"
        }
    }

    private func hint(_ unused: EncodingOptions.Unused) -> String? {
        switch (unused.option, format.hasPalette) {
        case (.quality, true), (.fidelity, true): "Make it smaller with --colors, --width or --fps."
        case (.background, true): "Blend soft edges with --matte."
        default: nil
        }
    }

    /// Raw pixels and PPM have no encoder; PPM is flattened.
    private func refuseWithoutEncoder(_ options: EncodingOptions) throws(CommandFailure) {
        let given: [(String, Bool)] = [
            ("--quality", options.quality != nil), ("--effort", options.effort != nil),
            ("--background", options.background != nil && format.rawValue == "raw"),
        ]
        if let (name, _) = given.first(where: \.1) {
            throw .usage("\(name) has no effect on \(format.rawValue).")
        }
    }
}

extension OutputFormat {
    fileprivate var hasPalette: Bool { traits?.fidelity == .palette }

    /// Whether its encoder has a quality.
    fileprivate var hasQuality: Bool {
        switch traits?.fidelity {
        case .lossy, .optional: true
        case .exact, .palette, nil: false
        }
    }

    fileprivate var isVideo: Bool { type?.family == .video }
}

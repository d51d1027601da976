internal import LazyBase
internal import LazyKit
internal import LazyMedia

extension OutputTarget {
    /// Throws `usage` for options that this format does not have, before any work.
    func refuse(_ options: EncodingOptions) throws(CommandFailure) {
        let usual = EncodingOptions()
        let needsPalette =
            options.colors != usual.colors || options.dither != usual.dither
            || options.palettes != usual.palettes
        if needsPalette, !format.hasPalette {
            throw .usage(
                "--colors, --dither and --palettes are only for \(OutputFormat.titles(where: \.hasPalette)), and the output is \(format.rawValue)."
            )
        }
        if options.codec != nil, !format.isVideo {
            throw .usage(
                "--codec is only for \(OutputFormat.titles(where: \.isVideo)), and the output is \(format.rawValue)."
            )
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
}

extension OutputFormat {
    fileprivate var hasPalette: Bool { traits?.fidelity == .palette }

    fileprivate var isVideo: Bool { type?.family == .video }
}

internal import LazyKit
internal import LazyMedia

extension MediaOutput {
    /// Throws `usage` for options of encoding that this format does not have, before any work.
    func refuse(_ options: EncodingOptions) throws(CommandFailure) {
        let usual = EncodingOptions()
        let needsPalette =
            options.colors != usual.colors || options.dither != usual.dither
            || options.palettes != usual.palettes
        if needsPalette, format != .gif {
            throw .usage(
                "--colors, --dither and --palettes are for GIF, and a \(format.rawValue) is to be written."
            )
        }
        if options.codec != nil, format != .mp4, format != .webm {
            throw .usage(
                "--codec is for MP4 and WebM, and a \(format.rawValue) is to be written.")
        }
        guard format == .mp4 || format == .webm, let type = format.type(isAnimation: true) else {
            return
        }
        do throws(MediaError) {
            _ = try EncoderRegistry.standard.encoder(for: type, options)
        } catch  where error.code == .notWritable {
            throw .usage(
                error.message, hint: "MP4 takes --codec h264 or av1, WebM vp9 or av1.")
        } catch {
            // A library that is missing is told when the work begins.
        }
    }
}

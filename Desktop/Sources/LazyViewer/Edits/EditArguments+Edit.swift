internal import LazyKit
internal import LazyMedia

/// Why an edit cannot be made of the options.
struct EditFailure: Error {
    let status: CInt
    let message: String
}

extension EditArguments {
    /// The edit, or nil where nothing is edited; reads the watermark and the file of subtitles.
    func edit(_ decoders: DecoderRegistry) throws(EditFailure) -> ViewerEdit? {
        guard self != EditArguments() else { return nil }
        var plain = ClipEdit(gravity: gravity ?? .center)
        plain.shape = PictureShape(
            trimsBars: trimsBars, crop: crop, rotation: rotation ?? 0,
            isMirrored: flip == .horizontal || flip == .both,
            isFlipped: flip == .vertical || flip == .both)
        plain.padding = padding.map { Padding($0, color: paddingColor ?? .black) }
        var edit = plain
        let mark = try mark(decoders)
        let words = try words()
        let label = text.map { text in
            Overlay.text(
                TextOverlay(
                    text, gravity: textGravity ?? .southWest, height: (textSize ?? 6) / 100,
                    color: textColor ?? .white))
        }
        edit.overlays = [mark, words, label].compactMap(\.self)
        plain.overlays = edit.overlays
        if case .track = subtitles { plain.overlays = [mark, label].compactMap(\.self) }
        return ViewerEdit(edit, plain: plain)
    }

    private func mark(_ decoders: DecoderRegistry) throws(EditFailure) -> Overlay? {
        guard let watermark else { return nil }
        return .picture(try picture(watermark, decoders))
    }

    private func words() throws(EditFailure) -> Overlay? {
        switch subtitles {
        case .track(let choice): .subtitles(SubtitleOverlay(track: choice))
        case .file(let path): .subtitles(try Self.file(path, encoding: subtitleEncoding))
        case nil: nil
        }
    }

    private func picture(
        _ path: String, _ decoders: DecoderRegistry
    ) throws(EditFailure) -> PictureOverlay {
        do throws(MediaError) {
            let sequence = try FrameSequence(
                opening: FileBytes(path: path), limits: .local, registry: decoders)
            let reader = try sequence.makeReader(
                ReaderOptions(limits: .local, isSingleFrame: true))
            guard let frame = try reader.nextFrame() else {
                throw MediaError(.notFound, "\(path) has no picture.")
            }
            return PictureOverlay(
                frame.bitmap, gravity: watermarkGravity ?? .southEast,
                opacity: watermarkOpacity ?? 1)
        } catch {
            throw EditFailure(error)
        }
    }

    private static func file(
        _ path: String, encoding: String?
    ) throws(EditFailure) -> SubtitleOverlay {
        do throws(MediaError) {
            let bytes = try FileBytes(path: path)
            try DecodingLimits(inputBytes: 20_000_000).check(inputBytes: bytes.count)
            let name = path.split(separator: "/").last.map(String.init) ?? path
            return try SubtitleOverlay(
                bytes: try bytes.contiguous().withBytes { [UInt8]($0) }, encoding: encoding,
                fileName: name)
        } catch {
            throw EditFailure(error)
        }
    }
}

extension EditFailure {
    // 66: it is not there; 65: it is something else.
    fileprivate init(_ error: MediaError) {
        self.init(status: error.code == .environment ? 66 : 65, message: error.message)
    }
}

package import LazyBase
internal import LazyEditing
internal import LazyLoading
internal import LazyMedia
package import LazyPipeline
package import LazyRenditions

/// Reads the files that are drawn over pictures, where and within the limits that inputs are.
package struct OverlayFiles {
    private let opening: MediaOpening
    private let trust: MediaOpening.Trust
    private let events: MediaOpening.Events
    private let cancellation: CancellationFlag

    package init(
        _ opening: MediaOpening, _ trust: MediaOpening.Trust, _ events: MediaOpening.Events,
        _ cancellation: CancellationFlag
    ) {
        (self.opening, self.trust, self.events) = (opening, trust, events)
        self.cancellation = cancellation
    }

    /// A rendition with the contents of the files that it names.
    package func read(_ rendition: Rendition) throws(OptionError) -> Rendition {
        var rendition = rendition
        rendition.edit.overlays = try read(rendition.edit.overlays)
        return rendition
    }

    /// Overlays with the contents of their files; throws where one is not that of its digest.
    func read(_ overlays: [Overlay]) throws(OptionError) -> [Overlay] {
        try overlays.map { overlay throws(OptionError) in
            guard case .file(let file) = overlay else { return overlay }
            let source = MediaOpening.Source.path(try path(of: file))
            do throws(MediaError) { return try read(file, source) } catch {
                throw .file(file, error)
            }
        }
    }

    private func read(
        _ file: Overlay.File, _ source: MediaOpening.Source
    ) throws(MediaError) -> Overlay {
        if let digest = file.sha256, let own = Digest.content(file.name)?.hex, own != digest {
            throw MediaError(.notFound, "\(file.name) is not the file of the digest \(digest).")
        }
        let bytes = try source.bytes(trust.limits(isFile: true))
        switch file.use {
        case .picture:
            let read = try pictures(in: bytes, file.name)
            return try file.overlay(read.frames, read.warnings)
        case .subtitles(let encoding):
            try DecodingLimits(inputBytes: 20_000_000).check(inputBytes: bytes.count)
            return .subtitles(
                try SubtitleOverlay(
                    bytes: try bytes.contiguous().withBytes { [UInt8]($0) }, encoding: encoding,
                    fileName: file.name.lastName))
        }
    }

    /// The path that a name or a `file:` URL means.
    private func path(of file: Overlay.File) throws(OptionError) -> String {
        let name = file.name
        let isFile = FileKind(name) != .nothing
        do throws(LoadingError) {
            if let url = try FileURL(name) { return FileName.text(url.pathBytes) }
        } catch {
            throw .usage(error.message)
        }
        let schemes = ["http://", "https://"] + (isFile ? [] : ["data:"])
        guard name.isEmpty || name == "-" || schemes.contains(where: name.lowercased().hasPrefix)
        else { return name }
        let option =
            switch file.use {
            case .picture: "--watermark"
            case .subtitles: "--subtitles"
            }
        throw .usage("\(option) needs the name of a file.")
    }

    /// The most pixels of a watermark that moves: 64 MB.
    private static let maxPixels = 16 << 20

    /// The pictures of a file, or the first one where all of them are too much.
    private func pictures(
        in bytes: any ByteSource, _ name: String
    ) throws(MediaError) -> (frames: [Frame], warnings: [MediaWarning]) {
        let sequence = try opening.openFile(
            bytes, isFile: true, trust: trust, events: events, cancellation: cancellation)
        let isStill = sequence.info.type.family == .still || sequence.info.frameCount == 1
        let reader = try sequence.makeReader(
            ReaderOptions(limits: sequence.limits, isSingleFrame: isStill))
        var frames: [Frame] = []
        while let frame = try reader.nextFrame() {
            frames.append(frame)
            if isStill { break }
            if frames.count > 1, frames.count * frame.bitmap.size.pixelCount > Self.maxPixels {
                let message =
                    "The watermark \(name) has more than 64 MB of pixels, and only its first frame is drawn."
                return ([frames[0]], [MediaWarning(.note, message)])
            }
        }
        return (frames, [])
    }
}

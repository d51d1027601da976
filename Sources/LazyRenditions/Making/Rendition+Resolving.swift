internal import LazyBase
public import LazyEditing
public import LazyMedia

extension Rendition {
    /// Reads the files that renditions name: watermarks and subtitles.
    ///
    /// A rendition may come from a stranger, who must not name a file or an address of this machine: nothing is read
    /// but by a reader that is handed over.
    public protocol FileReading: Sendable {
        /// The bytes of a file.
        func bytes(of file: Overlay.File) async throws(MediaError) -> [UInt8]
        /// The pictures of those bytes in sRGB, or the first one where they shall not move, and what of them is not drawn.
        func pictures(
            in bytes: [UInt8], of file: Overlay.File
        ) async throws(MediaError) -> (frames: [LazyMedia.Frame], warnings: [MediaWarning])
    }

    /// Whether it names files that are still to be read.
    public var hasFiles: Bool {
        edit.overlays.contains { if case .file = $0 { true } else { false } }
    }

    /// The same with all files read; throws `.notFound` where their digests differ, and what the reader throws.
    public func resolved(by reader: some FileReading) async throws(MediaError) -> Rendition {
        var rendition = self
        for (place, overlay) in edit.overlays.enumerated() {
            guard case .file(let file) = overlay else { continue }
            rendition.edit.overlays[place] = try await Self.overlay(of: file, reader)
        }
        return rendition
    }

    /// The same where nothing may be read; throws `.notFound` if it names a file.
    public func resolved() throws(MediaError) -> Rendition {
        guard !hasFiles else {
            throw MediaError(.notFound, "Files that a rendition names are not read here.")
        }
        return self
    }

    private static func overlay(
        of file: Overlay.File, _ reader: some FileReading
    ) async throws(MediaError) -> Overlay {
        let bytes = try await reader.bytes(of: file)
        if let digest = file.sha256, Digest.sha256(bytes).hex != digest {
            throw MediaError(.notFound, "\(file.name) is not the file of the digest \(digest).")
        }
        switch file.use {
        case .picture:
            let read = try await reader.pictures(in: bytes, of: file)
            return try file.overlay(read.frames, read.warnings)
        case .subtitles(let encoding):
            return .subtitles(
                try SubtitleOverlay(bytes: bytes, encoding: encoding, fileName: file.name))
        }
    }
}

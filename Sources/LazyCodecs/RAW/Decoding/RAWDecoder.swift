package import LazyMedia

/// Shows the largest preview of a camera RAW file; the samples of its sensor are not read.
package struct RAWDecoder: MediaDecoding {
    private let jpeg: any MediaDecoding
    private let tiff: any MediaDecoding

    /// Makes a decoder that opens previews with others.
    package init(jpeg: any MediaDecoding, tiff: any MediaDecoding) {
        (self.jpeg, self.tiff) = (jpeg, tiff)
    }

    /// What it reads.
    package var name: String { "raw-previews" }

    /// Whether the bytes are a camera RAW file.
    package func canOpen(_ type: MediaType) -> Bool { type == .cameraRAW }

    package var loadsLibrary: Bool { tiff.loadsLibrary }

    /// Finds the previews and opens the largest that is whole.
    ///
    /// Throws `.unsupported` where the file has none, `.truncated` where it ends before them.
    package func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        if bytes.isPartial {
            throw MediaError(.truncated, "The camera RAW picture has not arrived completely.")
        }
        let directories = try RAWDirectories(bytes)
        let name = RAWKind.name(head: try bytes.bytes(16, at: 0), directories)
        let previews = try RAWPreviews(bytes, directories, limits)
        var isCut = false
        for preview in previews.all {
            guard !preview.isCut else {
                isCut = true
                continue
            }
            do throws(MediaError) {
                let media = try open(preview, of: bytes, previews.orientation, limits)
                return OpenedRAW(
                    base: media, name: name, isWhole: Self.isWhole(preview, directories),
                    isCut: isCut)
            } catch  where [.malformed, .truncated, .unsupported].contains(error.code) {
                isCut = isCut || error.code == .truncated
            }
        }
        throw isCut ? .cutRAW(name) : .noPreview(name)
    }

    private func open(
        _ preview: RAWPreview, of bytes: any ByteSource, _ orientation: Int,
        _ limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        switch preview.kind {
        case .jpeg(let range):
            try limits.check(memory: range.count)
            let part = try bytes.memory(range)
            let own = part.withBytes { EXIF.orientation(jpeg: $0) }
            let turned = own == 1 ? try part.turned(orientation) : part
            return try jpeg.open(turned, type: .jpeg, limits: limits)
        case .page(let directory, _):
            let page = SinglePage(bytes, directory)
            return try tiff.open(page, type: .tiff, limits: limits)
        }
    }

    /// Whether a page is the picture itself, as scanners of films write it.
    private static func isWhole(_ preview: RAWPreview, _ directories: RAWDirectories) -> Bool {
        guard case .page(_, let isWhole) = preview.kind else { return false }
        return isWhole && !directories.all.contains(where: \.isSensor)
    }
}

extension MediaError {
    fileprivate static func noPreview(_ name: String) -> MediaError {
        MediaError(
            .unsupported,
            "This is a camera RAW picture (\(name)) without a preview, and lazyimg does not read sensor data: convert it to JPEG or TIFF first."
        )
    }

    fileprivate static func cutRAW(_ name: String) -> MediaError {
        MediaError(
            .truncated, "This is a camera RAW picture (\(name)) that ends before its preview does.")
    }
}

extension MemoryBytes {
    /// A JPEG with a segment that says how it is turned; the same where it is upright.
    fileprivate func turned(_ orientation: Int) throws(MediaError) -> MemoryBytes {
        guard (2...8).contains(orientation), count > 2 else { return self }
        // APP1 with one directory of one entry (CIPA DC-008, 4.5).
        let segment: [UInt8] =
            [0xFF, 0xE1, 0, 34] + Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1]
            + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0]
        return try withBytes { (bytes) throws(MediaError) in
            try MemoryBytes(Array(bytes.prefix(2)) + segment + Array(bytes.dropFirst(2)))
        }
    }
}

package import LazyMedia

/// Reads the largest picture of icons and cursors, as browsers do.
package struct ICODecoder: MediaDecoding {
    private let pictures: any MediaDecoding

    /// Makes a decoder that leaves pictures in PNG to another one.
    package init(_ pictures: any MediaDecoding) { self.pictures = pictures }

    /// The reader's name.
    package var name: String { "lazyimg" }

    /// Whether the bytes are an icon.
    package func canOpen(_ type: MediaType) -> Bool { type == .ico }

    /// Reads the directory and the header of the largest picture.
    ///
    /// Throws `.unsupported`, `.truncated`, `.malformed`, `.limitExceeded` and what reading throws.
    package func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        let entries = try IconDirectory(bytes).entries
        // The largest one may be damaged.
        var failure: MediaError?
        for entry in entries.prefix(8) {
            do throws(MediaError) {
                return try open(entry, of: bytes, limits)
            } catch  where [.malformed, .truncated, .unsupported].contains(error.code) {
                failure = failure ?? error
            }
        }
        throw failure ?? MediaError(.malformed, "The icon holds no picture.")
    }

    private func open(
        _ entry: IconEntry, of bytes: any ByteSource, _ limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        let start = entry.content.lowerBound
        guard try bytes.bytes(4, at: start) == [0x89, 0x50, 0x4E, 0x47] else {
            let header = try BMPHeader(bytes, at: start, pixels: nil, isIcon: true)
            let mask = header.pixels + header.rowBytes * header.size.height
            return try OpenedBMP(bytes, header, type: .ico, mask: mask, limits: limits)
        }
        let content = start..<min(entry.content.upperBound, bytes.count)
        try limits.check(memory: content.count)
        let media = try pictures.open(bytes.memory(content), type: .png, limits: limits)
        return IconPicture(base: media)
    }
}

/// A picture in PNG as media of an icon.
private struct IconPicture: MappedMedia {
    let base: any OpenedMedia

    var info: MediaInfo {
        var info = base.info
        info.type = .ico
        return info
    }
}

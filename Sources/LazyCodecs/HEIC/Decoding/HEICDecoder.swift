package import LazyMedia

/// Reads HEIC and HEIF stills.
///
/// Declines a file without pictures as items, and one whose track is shown.
package struct HEICDecoder: MediaDecoding {
    private let pictures: any CodedPictureDecoding

    /// Makes a decoder that has pictures decoded elsewhere.
    package init(_ pictures: any CodedPictureDecoding) { self.pictures = pictures }

    /// The name for reports.
    package var name: String { "heif" }

    /// Whether the bytes may be a still; sequences are video to FFmpeg.
    package func canOpen(_ type: MediaType) -> Bool { type == .heic || type == .heicSequence }

    package var loadsLibrary: Bool { true }

    /// Throws where the library behind has no decoder for HEVC.
    package func requireSupport(of type: MediaType) throws(MediaError) {
        try pictures.require(.hevc)
    }

    /// Reads the items; no picture is decoded.
    package func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        let items = try HEIFItems(bytes, limits)
        if type == .heicSequence, try showsTrack(bytes, items, limits) {
            throw .declined("The file's sequence is shown, not its picture.")
        }
        return try OpenedHEIC(bytes, items, limits: limits, pictures)
    }

    /// Whether the track of a sequence is shown, and not the primary item beside it.
    ///
    /// The item is where the track has smaller pictures, or begins with one that refers to others: it can
    /// then be decoded with those of the burst only of which the item is one.
    private func showsTrack(
        _ bytes: any ByteSource, _ items: HEIFItems, _ limits: DecodingLimits
    ) throws(MediaError) -> Bool {
        guard let track = try SequenceTrack(bytes, limits) else { return false }
        guard track.beginsWhole else { return false }
        var planner = PicturePlanner(
            items, ItemBytes(source: bytes, items: items), limits)
        guard let size = track.size, let item = try? planner.plan(items.primary) else {
            return true
        }
        return size.pixelCount >= item.size.pixelCount
    }
}

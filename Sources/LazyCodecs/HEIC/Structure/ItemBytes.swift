internal import LazyMedia

/// Reads the data of items.
struct ItemBytes: Sendable {
    let source: any ByteSource
    let items: HEIFItems

    /// The number of bytes of an item, checked against those of the file.
    func count(of item: HEIFItem) throws(MediaError) -> Int {
        try ranges(of: item).reduce(0) { $0 + $1.count }
    }

    /// The data of an item: its extents joined.
    func read(
        _ item: HEIFItem, _ limits: DecodingLimits, _ cancellation: CancellationFlag
    ) throws(MediaError) -> [UInt8] {
        let ranges = try ranges(of: item)
        let count = ranges.reduce(0) { $0 + $1.count }
        try limits.check(memory: count)
        var data: [UInt8] = []
        for range in ranges {
            let piece = try source.bytes(
                range.count, at: range.lowerBound, cancellation: cancellation)
            guard piece.count == range.count else { throw Self.truncated }
            if ranges.count == 1 { return piece }
            data += piece
        }
        return data
    }

    /// The XMP of the file, or nil where there is none, or more than `most` bytes of it.
    ///
    /// One that cannot be read does not matter to the picture.
    func xmp(most: Int) throws(MediaError) -> [UInt8]? {
        guard let item = items.xmp, let ranges = try? ranges(of: item),
            ranges.reduce(0, { $0 + $1.count }) <= most
        else { return nil }
        var text: [UInt8] = []
        for range in ranges { text += try source.bytes(range.count, at: range.lowerBound) }
        return text
    }

    private static let truncated = MediaError(
        .truncated, "The HEIC ends before the data of a picture.")

    private func ranges(of item: HEIFItem) throws(MediaError) -> [Range<Int>] {
        let place: Range<Int>
        switch item.place {
        case .file: place = 0..<source.count
        case .itemData: place = items.itemData
        case .other:
            throw MediaError(
                .unsupported, "The data of the HEIC's picture lies in another file or item.")
        }
        guard !item.extents.isEmpty else { throw .heic("has a picture without data") }
        var ranges: [Range<Int>] = []
        var total = 0
        for extent in item.extents {
            guard extent.offset <= UInt64(place.count) else { throw Self.truncated }
            let room = place.count - Int(extent.offset)
            let length = extent.length == 0 ? UInt64(room) : extent.length
            guard length <= UInt64(room) else { throw Self.truncated }
            let start = place.lowerBound + Int(extent.offset)
            ranges.append(start..<start + Int(length))
            // The same bytes may be named many times.
            total += Int(length)
            guard total <= source.count else { throw .heic("names the same bytes several times") }
        }
        return ranges
    }
}

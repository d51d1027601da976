internal import LazyMedia

/// A picture in a camera RAW file beside the samples of the sensor.
struct RAWPreview {
    enum Kind {
        case jpeg(Range<Int>)
        /// A page of a TIFF, which may be a whole picture and no preview.
        case page(RAWDirectories.Directory, isWhole: Bool)
    }

    let kind: Kind
    let size: PixelSize
    /// Whether the file ends before it does.
    var isCut = false
}

/// The previews that a camera RAW file has, the largest first.
struct RAWPreviews {
    private(set) var all: [RAWPreview] = []
    /// The tag of how they are turned, where they do not say it themselves.
    private(set) var orientation: Int
    /// With a preview of so many pixels that directories name, the file is not searched.
    private static let enough = 1 << 18

    init(
        _ bytes: any ByteSource, _ directories: RAWDirectories, _ limits: DecodingLimits
    ) throws(MediaError) {
        orientation = directories.orientation
        for directory in directories.all {
            if let jpeg = try Self.jpeg(of: directory, bytes) { all.append(jpeg) }
            if let page = Self.page(of: directory) { all.append(page) }
        }
        if !all.contains(where: { !$0.isCut && $0.size.pixelCount >= Self.enough }) {
            try search(bytes, limits)
        }
        all.sort { $0.size.pixelCount > $1.size.pixelCount }
    }

    /// Finds previews that are only named in a maker's own way.
    private mutating func search(
        _ bytes: any ByteSource, _ limits: DecodingLimits
    ) throws(MediaError) {
        for found in try FoundJPEG.all(in: bytes, limits) {
            let isKnown = all.contains {
                if case .jpeg(let range) = $0.kind { return range.lowerBound == found.offset }
                return false
            }
            guard !isKnown else { continue }
            let end = try found.end(in: bytes, before: bytes.count)
            all.append(
                RAWPreview(
                    kind: .jpeg(found.offset..<(end ?? bytes.count)), size: found.size,
                    isCut: end == nil))
        }
        // That of CR3 is in a box.
        let head = try bytes.bytes(1 << 16, at: 0)
        guard head.dropFirst(4).starts(with: "ftyp".utf8),
            let box = head.indices.dropLast(3).first(where: {
                head[$0] == UInt8(ascii: "C") && head[$0..<$0 + 4].elementsEqual("CMT1".utf8)
            })
        else { return }
        orientation = try RAWDirectories(bytes, at: box + 4).orientation
    }

    private typealias Tag = RAWDirectories.Tag

    /// The JPEG that a directory names, or that is its only strip.
    private static func jpeg(
        of directory: RAWDirectories.Directory, _ bytes: any ByteSource
    ) throws(MediaError) -> RAWPreview? {
        guard let range = range(of: directory) else { return nil }
        guard range.lowerBound < bytes.count, let found = try FoundJPEG(bytes, at: range.lowerBound)
        else {
            return cutPreview(directory, range, bytes)
        }
        return RAWPreview(
            kind: .jpeg(range.clamped(to: 0..<bytes.count)), size: found.size,
            isCut: range.upperBound > bytes.count)
    }

    /// A preview of which not even the size is in the file; it may be the largest.
    private static func cutPreview(
        _ directory: RAWDirectories.Directory, _ range: Range<Int>, _ bytes: any ByteSource
    ) -> RAWPreview? {
        guard range.upperBound > bytes.count else { return nil }
        let size = PixelSize(
            checking: directory.number(Tag.width) ?? 65_535, directory.number(Tag.height) ?? 65_535)
        return size.map { RAWPreview(kind: .jpeg(range), size: $0, isCut: true) }
    }

    private static func range(of directory: RAWDirectories.Directory) -> Range<Int>? {
        if let block = directory.blocks[Tag.panasonic] { return block }
        if let start = directory.number(Tag.jpegOffset),
            let length = directory.number(Tag.jpegLength)
        {
            return start..<start + length
        }
        guard [6, 7].contains(directory.number(Tag.compression)), !directory.isSensor,
            directory.numbers[Tag.offsets]?.count == 1, let start = directory.number(Tag.offsets),
            let length = directory.number(Tag.counts)
        else { return nil }
        return start..<start + length
    }

    /// A page of colors that is no JPEG as a whole.
    private static func page(of directory: RAWDirectories.Directory) -> RAWPreview? {
        guard range(of: directory) == nil, [1, 2, 6].contains(directory.number(Tag.photometric)),
            [1, 5, 7, 8, 32946].contains(directory.number(Tag.compression)),
            let size = PixelSize(
                checking: directory.number(Tag.width) ?? 0, directory.number(Tag.height) ?? 0)
        else { return nil }
        return RAWPreview(
            kind: .page(directory, isWhole: directory.number(Tag.subfile) == 0), size: size)
    }
}

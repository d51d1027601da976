internal import CJPEG
package import LazyMedia

/// Writes single pictures as JPEG with libjpeg-turbo, flattened over a background.
package struct JPEGEncoder: RowEncoding {
    /// The quality, 1 to 100.
    package let quality: Int
    /// Whether the picture is written in progressive scans.
    package let isProgressive: Bool
    /// Whether it is written in one scan, too, and the smaller file stays.
    package let triesBoth: Bool
    /// Whether colors keep their full resolution (4:4:4) instead of a quarter of it (4:2:0).
    package let isFullColor: Bool
    /// The background of transparent pixels.
    package let background: PixelColor

    /// Makes an encoder; the quality is clamped to 1 to 100.
    package init(
        quality: Int = Int(DefaultQuality.jpeg), isProgressive: Bool = false,
        triesBoth: Bool = false, isFullColor: Bool = false,
        background: PixelColor = .white
    ) {
        self.quality = min(max(1, quality), 100)
        self.isProgressive = isProgressive
        self.triesBoth = triesBoth
        self.isFullColor = isFullColor
        self.background = background
    }

    /// Encodes a picture of 8 bits a sample, with a profile where they are not sRGB.
    package func encode<Result>(
        _ picture: StillPicture, _ use: (UnsafeRawBufferPointer) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        let profile = try picture.color.writtenProfile(in: .jpeg, hasGray: true)
        var file = try encode(picture.bitmap, color: picture.color)
        if let profile { file = try JPEGProfile.adding(profile, to: file) }
        return try file.withBytes(use)
    }

    /// Encodes a picture as a JPEG file without a profile, of one component where `color` has one for gray; blocks.
    package func encode(
        _ bitmap: Bitmap, color: ColorDescription = .sRGB
    ) throws(MediaError) -> [UInt8] {
        var least: [UInt8]?
        for isProgressive in try attempts(bitmap.size) {
            let bytes = CollectedBytes()
            let writer = try JPEGWriter(
                self, StillRows(size: bitmap.size, isOpaque: bitmap.isOpaque, color: color),
                isProgressive,
                isCancelled: { Task.isCancelled },
                write: { bytes.append($0) })
            try bitmap.withBytes { (rows) throws(MediaError) in try writer.add(rows) }
            try writer.finish()
            if least.map({ bytes.all.count < $0.count }) ?? true { least = bytes.all }
        }
        return least ?? []
    }

    /// Makes a writer of a picture of 8 bits a sample, with a profile where they are not sRGB.
    package func makeRowWriter(
        of rows: StillRows, _ cancellation: CancellationFlag
    ) throws(MediaError) -> (any RowWriting)? {
        try JPEGRowWriter(self, attempts(rows.size), rows, cancellation)
    }

    /// The ways that are tried, whether in progressive scans, of which the smallest file stays, the first of equals.
    private func attempts(_ size: PixelSize) throws(MediaError) -> [Bool] {
        guard max(size.width, size.height) <= 65_500 else {
            throw MediaError(.notWritable, "A JPEG has no room for a picture of \(size).")
        }
        return triesBoth ? [isProgressive, !isProgressive] : [isProgressive]
    }
}

/// Writes the rows of a picture as files in all ways that are tried, and keeps the smallest.
private final class JPEGRowWriter: RowWriting {
    private let files: [(writer: JPEGWriter, bytes: SpooledBytes)]

    init(
        _ encoder: JPEGEncoder, _ attempts: [Bool], _ rows: StillRows,
        _ cancellation: CancellationFlag
    ) throws(MediaError) {
        let profile = try rows.color.writtenProfile(in: .jpeg, hasGray: true)
        files = try attempts.map { (isProgressive) throws(MediaError) in
            let bytes = SpooledBytes(maxInMemory: 16 << 20)
            let writer = try JPEGWriter(
                encoder, rows, isProgressive, isCancelled: { cancellation.isCancelled }
            ) { (piece) throws(MediaError) in
                guard bytes.count == 0, let profile else { return try bytes.append(piece) }
                try bytes.append(JPEGProfile.adding(profile, to: piece))
            }
            return (writer, bytes)
        }
    }

    func add(_ rows: UnsafeRawBufferPointer) throws(MediaError) {
        for file in files { try file.writer.add(rows) }
    }

    func finish() throws(MediaError) -> SpooledBytes {
        for file in files { try file.writer.finish() }
        return files.map(\.bytes).min { $0.count < $1.count } ?? SpooledBytes()
    }
}

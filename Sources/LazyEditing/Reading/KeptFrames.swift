internal import LazyMedia

/// Frames buffered by number: in memory, or uncompressed in a temporary file.
struct KeptFrames: ~Copyable {
    private struct Place {
        var offset: Int
        var size: PixelSize
        var isOpaque: Bool
        var timing: FrameTiming
        var color: ColorDescription
        var planes: (matrix: PlanarPicture.Matrix, isFullRange: Bool)?
        var isDeep: Bool
    }
    private var frames: [Int: Frame] = [:]
    private var places: [Int: Place] = [:]
    private var spool = Spool(maxInMemory: 0)

    /// Buffers a frame; throws if the temporary folder is full.
    mutating func put(_ frame: Frame, inMemory: Bool) throws(MediaError) {
        guard !inMemory else {
            frames[frame.index] = frame
            return
        }
        places[frame.index] = Place(
            offset: spool.count, size: frame.bitmap.size, isOpaque: frame.bitmap.isOpaque,
            timing: frame.timing, color: frame.color,
            planes: frame.planes.map { ($0.matrix, $0.isFullRange) }, isDeep: frame.deep != nil)
        if let deep = frame.deep {
            return try deep.withBytes { (bytes) throws(MediaError) in try spool.append(bytes) }
        }
        try frame.bitmap.withBytes { (bytes) throws(MediaError) in try spool.append(bytes) }
        guard let planes = frame.planes else { return }
        try planes.withBytes { (bytes) throws(MediaError) in try spool.append(bytes) }
    }

    /// Removes and returns a frame, or nil if it is not buffered.
    mutating func take(_ number: Int) throws(MediaError) -> Frame? {
        if let frame = frames.removeValue(forKey: number) { return frame }
        guard let place = places.removeValue(forKey: number) else { return nil }
        if place.isDeep {
            let deep = try DeepBitmap(size: place.size, isOpaque: place.isOpaque) {
                (rows) throws(MediaError) in
                try spool.read(at: place.offset, into: rows)
            }
            return try Frame(deep: deep, timing: place.timing, color: place.color)
        }
        let bitmap = try Bitmap(size: place.size, isOpaque: place.isOpaque) {
            (rows) throws(MediaError) in
            try spool.read(at: place.offset, into: rows)
        }
        guard let kind = place.planes else {
            return Frame(bitmap: bitmap, timing: place.timing, color: place.color)
        }
        let offset = place.offset + bitmap.byteCount
        let planes = try PlanarPicture(
            size: place.size, matrix: kind.matrix, isFullRange: kind.isFullRange
        ) { (bytes) throws(MediaError) in
            try spool.read(at: offset, into: bytes)
        }
        return Frame(
            bitmap: bitmap, timing: place.timing, planes: planes, color: place.color)
    }
}

extension Bitmap {
    /// The picture at another size; itself at its own size.
    ///
    /// For many pictures of one size keep a `BitmapScaler`.
    public func scaled(to target: PixelSize) throws(MediaError) -> Bitmap {
        guard target != size else { return self }
        let scaler = BitmapScaler(from: size, to: target)
        return try withBytes { (rows) throws(MediaError) in
            try scaler.bitmap(of: rows, isOpaque: isOpaque)
        }
    }
}

extension BitmapScaler {
    /// Scales rows without padding into a new bitmap.
    package func bitmap(
        of rows: UnsafeRawBufferPointer, isOpaque: Bool
    ) throws(MediaError) -> Bitmap {
        try Bitmap(size: target, isOpaque: isOpaque) {
            scale(rows, stride: source.width * 4, isOpaque: isOpaque, into: $0)
        }
    }
}

extension Bitmap {
    /// The picture at another size; itself where that is its own.
    ///
    /// For many pictures of one size keep a `BitmapScaler`.
    public func scaled(to target: PixelSize) throws(MediaError) -> Bitmap {
        guard target != size else { return self }
        let scaler = BitmapScaler(from: size, to: target)
        return try Bitmap(size: target, isOpaque: isOpaque) { (rows) throws(MediaError) in
            withBytes { scaler.scale($0, stride: stride, isOpaque: isOpaque, into: rows) }
        }
    }
}

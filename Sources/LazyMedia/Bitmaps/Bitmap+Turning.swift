extension Bitmap {
    /// The picture rotated upright; itself where it is.
    package func turned(_ orientation: Orientation) throws(MediaError) -> Bitmap {
        guard orientation != .upright else { return self }
        return try Bitmap(size: orientation.turned(size), isOpaque: isOpaque) { upright in
            withBytes { rows in
                guard let start = rows.baseAddress else { return }
                orientation.copy(start, stride: stride, size: size, into: upright)
            }
        }
    }
}

public import LazyMedia

extension Bitmap {
    /// The picture cropped to a target that it covers, by a gravity.
    ///
    /// For single pictures such as posters; a picture that fits is returned as it is.
    public func cropped(
        toCover target: TargetSize, _ gravity: Gravity = .center
    ) throws(MediaError) -> Bitmap {
        guard target.fit == .cover else { return self }
        let kept = PixelSize(
            width: max(1, min(size.width, target.width ?? size.width)),
            height: max(1, min(size.height, target.height ?? size.height)))
        guard kept != size else { return self }
        let part =
            if let focus = gravity.focus { Framing.crop(kept, of: size, around: focus) } else {
                try SmartCrop(for: gravity).part(of: self, keeping: kept)
            }
        return try cropped(to: part)
    }
}

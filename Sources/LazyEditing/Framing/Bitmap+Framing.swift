public import LazyMedia

extension Bitmap {
    /// What is left of a picture that stands over a target, by a gravity.
    ///
    /// For single pictures such as posters; a picture that does not stand over is itself.
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

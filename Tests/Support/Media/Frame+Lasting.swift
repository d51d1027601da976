public import LazyMedia

extension Frame {
    /// A frame that is shown for some milliseconds.
    public init(_ bitmap: Bitmap, milliseconds: Int64) {
        let base = Rational(1, 1000)
        self.init(
            bitmap: bitmap,
            timing: FrameTiming(
                index: 0, presentation: MediaTime(ticks: 0, base: base),
                duration: MediaTime(ticks: milliseconds, base: base), isKeyframe: true))
    }
}

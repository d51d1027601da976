extension Bitmap {
    /// The same picture, without a copy, with an action for when the last copy of it is gone.
    ///
    /// The action runs on whatever thread drops the last copy, and must neither block nor wait for
    /// a lock under which bitmaps are dropped.
    package func whenFreed(_ action: @escaping @Sendable () -> Void) -> Bitmap {
        let original = storage
        let watched = BitmapStorage(original.block, deferred: original.deferred) {
            withExtendedLifetime(original) { action() }
        }
        return Bitmap(size: size, isOpaque: isOpaque, storage: watched)
    }
}

extension Bitmap {
    /// The same picture, without a copy, with an action that runs when its last copy is freed.
    ///
    /// The action runs on the thread that drops the last copy; it must not block, nor wait for a lock
    /// that is held while bitmaps are dropped.
    package func whenFreed(_ action: @escaping @Sendable () -> Void) -> Bitmap {
        let original = storage
        let watched = BitmapStorage(original.block, deferred: original.deferred) {
            withExtendedLifetime(original) { action() }
        }
        return Bitmap(size: size, isOpaque: isOpaque, storage: watched)
    }
}

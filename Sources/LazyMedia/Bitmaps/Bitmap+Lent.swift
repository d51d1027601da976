extension LentMemory {
    /// The slot in which a bitmap is, or nil.
    package func slot(of bitmap: Bitmap) -> Int? { slot(at: bitmap.storage.block.memory) }

    /// The slot in which a bitmap is, or nil.
    package func slot(of bitmap: DeepBitmap) -> Int? { slot(at: bitmap.memory) }
}

extension Bitmap {
    /// Makes a bitmap of memory that belongs to somebody else, who is told when it is not needed any more.
    ///
    /// What is in the memory may change as long as the bitmap exists only where every use of it reads each
    /// pixel once.
    package init(
        size: PixelSize, isOpaque: Bool, in memory: UnsafeMutableRawPointer,
        release: @escaping @Sendable () -> Void
    ) {
        let block = Block(memory, byteCount: size.rgbaByteCount)
        self.init(
            size: size, isOpaque: isOpaque, storage: BitmapStorage(block, release: release))
    }
}

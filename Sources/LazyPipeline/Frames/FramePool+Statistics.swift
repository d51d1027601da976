public import LazyMedia

extension FramePool {
    /// How the memory of a pool is divided.
    public struct Statistics: Sendable {
        /// The maximum number of bytes of decoded frames.
        public let budget: Int
        /// The budget as reduced by memory pressure.
        public let effectiveBudget: Int
        /// The bytes of all live frames.
        public let bytesInUse: Int
        /// The maximum of `bytesInUse` so far.
        public let peakBytes: Int
        /// The sequences with viewers.
        public let stores: [Store]

        /// The state of one sequence at one size.
        public struct Store: Sendable {
            /// The size of its frames.
            public let size: PixelSize
            /// The number of its frames, if known.
            public let frameCount: Int?
            /// The number of viewers.
            public let viewers: Int
            /// Frames in the pool.
            public let framesKept: Int
            /// Live frames, including those being decoded and those held by viewers.
            public let framesAlive: Int
            /// The maximum number of live frames.
            public let framesAllowed: Int
            /// Whether all frames are kept.
            public let isWhole: Bool
            /// Frames decoded so far.
            public let framesDecoded: Int
            /// Frames delivered to viewers so far.
            public let framesDelivered: Int
        }
    }
}

extension FrameStore {
    /// The statistics of this store.
    var statistics: FramePool.Statistics.Store {
        FramePool.Statistics.Store(
            size: key.size, frameCount: ring.count, viewers: ring.viewerCount,
            framesKept: ring.held.count, framesAlive: counter.live, framesAllowed: ring.capacity,
            isWhole: ring.isWhole, framesDecoded: decoded, framesDelivered: delivered)
    }
}

public import LazyMedia

extension FramePool {
    /// How a pool's memory is shared.
    public struct Statistics: Sendable {
        /// The most bytes that frames are to occupy.
        public let budget: Int
        /// The budget as memory pressure has cut it.
        public let effectiveBudget: Int
        /// The bytes of all frames that are alive.
        public let bytesInUse: Int
        /// The most bytes that were ever in use.
        public let peakBytes: Int
        /// The sequences that are looked at.
        public let stores: [Store]

        /// How one sequence at one size stands.
        public struct Store: Sendable {
            /// The size of its frames.
            public let size: PixelSize
            /// The number of its frames, where it is known.
            public let frameCount: Int?
            /// Those who look at it.
            public let viewers: Int
            /// Frames that the pool keeps.
            public let framesKept: Int
            /// Frames that are alive, those being decoded and those in viewers' hands among them.
            public let framesAlive: Int
            /// Frames that may be alive.
            public let framesAllowed: Int
            /// Whether all frames are kept.
            public let isWhole: Bool
            /// Frames decoded so far.
            public let framesDecoded: Int
            /// Frames handed to viewers so far.
            public let framesDelivered: Int
        }
    }
}

extension FrameStore {
    /// How this store stands.
    var statistics: FramePool.Statistics.Store {
        FramePool.Statistics.Store(
            size: key.size, frameCount: ring.count, viewers: ring.viewerCount,
            framesKept: ring.held.count, framesAlive: account.live, framesAllowed: ring.capacity,
            isWhole: ring.isWhole, framesDecoded: decoded, framesDelivered: delivered)
    }
}

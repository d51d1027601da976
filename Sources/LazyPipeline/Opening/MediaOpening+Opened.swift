public import LazyLoading
public import LazyMedia

extension MediaOpening {
    /// Opened media.
    public struct Opened: Sendable {
        /// The frames.
        public var frames: FrameSequence
        /// The number of bytes, if it is known: of the film for that of a motion photo.
        public var byteCount: Int?
        /// What was loaded for it; nil for what is on this machine.
        public var transfer: Transfer?
        /// Whether it has no known end, so that nothing can be counted.
        public var isUnending: Bool
        /// The bytes, where they are wanted.
        public var bytes: (any ByteSource)?

        init(
            _ frames: FrameSequence, byteCount: Int? = nil, _ transfer: Transfer? = nil,
            isUnending: Bool = false
        ) {
            self.frames = frames
            self.byteCount = byteCount ?? transfer?.total
            self.transfer = transfer
            self.isUnending = isUnending
        }
    }

    /// What was loaded for media, and from where.
    public struct Transfer: Sendable {
        /// `network`, `store`, `revalidated`, `stale`, `resumed`, `local` or `ranges`.
        public let origin: String
        /// The number of all bytes, if it is known.
        public let total: Int?
        /// The head of the response, if there was one.
        public let head: ResponseHead?
        private let received: @Sendable () -> Int

        /// The number of bytes so far; more may follow while frames are read.
        public var byteCount: Int { received() }

        init(
            _ origin: String = ResponseHead.Origin.network.rawValue, total: Int? = nil,
            head: ResponseHead? = nil, received: @escaping @Sendable () -> Int
        ) {
            self.origin = origin
            self.total = total
            self.head = head
            self.received = received
        }
    }

    /// What is told while media is opened; functions are called on any thread, and must not block.
    public struct Events: Sendable {
        /// Called with the bytes of a download so far, and all of them if that is known.
        public var progress: @Sendable (_ received: Int, _ total: Int?) -> Void
        /// Called with parts of a download that can be played before it is complete.
        ///
        /// Only where the pipeline decodes progressively.
        public var arrived: (@Sendable (FrameSequence) -> Void)?
        /// Called with a type before the first of its media is decoded.
        public var willDecode: @Sendable (MediaType) -> Void

        /// Makes a set of functions; without them nothing is told.
        public init(
            progress: @escaping @Sendable (_ received: Int, _ total: Int?) -> Void = { _, _ in },
            arrived: (@Sendable (FrameSequence) -> Void)? = nil,
            willDecode: @escaping @Sendable (MediaType) -> Void = { _ in }
        ) {
            self.progress = progress
            self.arrived = arrived
            self.willDecode = willDecode
        }
    }
}

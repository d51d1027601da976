internal import Synchronization

/// Counts the bytes of all live decoded frames.
final class FrameByteCounter: Sendable {
    private let bytes = Atomic<Int>(0)
    private let most = Atomic<Int>(0)

    var bytesInUse: Int { bytes.load(ordering: .relaxed) }
    var peakBytes: Int { most.load(ordering: .relaxed) }

    func add(_ count: Int) {
        let now = bytes.add(count, ordering: .relaxed).newValue
        most.max(now, ordering: .relaxed)
    }

    func subtract(_ count: Int) { bytes.subtract(count, ordering: .relaxed) }
}

/// Counts the live frames of one sequence, in the pool and outside.
final class FrameCounter: Sendable {
    let frameBytes: Int
    private let bytes: FrameByteCounter
    private let frames = Atomic<Int>(0)

    init(frameBytes: Int, bytes: FrameByteCounter) {
        self.frameBytes = frameBytes
        self.bytes = bytes
    }

    var live: Int { frames.load(ordering: .relaxed) }

    /// Counts a frame that is about to be decoded.
    func reserve() {
        frames.add(1, ordering: .relaxed)
        bytes.add(frameBytes)
    }

    /// Stops counting a frame that was freed or could not be decoded.
    func release() {
        frames.subtract(1, ordering: .relaxed)
        bytes.subtract(frameBytes)
    }
}

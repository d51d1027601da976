/// Keeps one reader between random accesses, which saves opening the media again.
final class IdleReaders: Sendable {
    /// A reader with the flag that ends it.
    ///
    /// Unchecked: it has one holder at a time, this store or one access.
    final class Lease: @unchecked Sendable {
        let size: PixelSize?
        let cancellation = CancellationFlag()
        private var kept: (any FrameReader)?

        init(size: PixelSize?) { self.size = size }

        func reader(
            _ make: () throws(MediaError) -> any FrameReader
        ) throws(MediaError) -> any FrameReader {
            if let kept { return kept }
            let reader = try make()
            kept = reader
            return reader
        }
    }

    private let kept = Locked<Lease?>(nil)

    /// The idle reader, if it gives frames of that size.
    func take(_ size: PixelSize?) -> Lease? {
        kept.withLock { idle in
            guard let lease = idle, lease.size == size else { return nil }
            idle = nil
            return lease
        }
    }

    /// Keeps a reader that was not cancelled, and drops the one kept before.
    func release(_ lease: Lease) {
        guard !lease.cancellation.isCancelled else { return }
        kept.withLock { $0 = lease }
    }
}

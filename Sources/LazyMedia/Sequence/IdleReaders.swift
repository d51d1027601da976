/// Keeps one reader between random accesses, which saves opening the media again.
final class IdleReaders: Sendable {
    /// A reader with the flag that ends it.
    ///
    /// Unchecked: it has one holder at a time, this store or one access.
    final class Loan: @unchecked Sendable {
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

    private let shelf = Locked<Loan?>(nil)

    /// The idle reader, if it gives frames of that size.
    func take(_ size: PixelSize?) -> Loan? {
        shelf.withLock { idle in
            guard let loan = idle, loan.size == size else { return nil }
            idle = nil
            return loan
        }
    }

    /// Keeps a reader that was not cancelled, and drops the one kept before.
    func giveBack(_ loan: Loan) {
        guard !loan.cancellation.isCancelled else { return }
        shelf.withLock { $0 = loan }
    }
}

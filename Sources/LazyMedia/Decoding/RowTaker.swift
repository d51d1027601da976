/// What takes the rows of a picture; it can be the context of C's callbacks, because it keeps an error until it can be thrown.
package final class RowTaker {
    private let body: (UnsafeRawBufferPointer) throws(MediaError) -> Void
    /// The error that ended the taking.
    package private(set) var failure: MediaError?
    /// The time it has taken, which is none of the decoder's.
    package private(set) var time = Duration.zero

    /// Makes it of a closure, which gets whole rows without padding.
    package init(_ body: @escaping (UnsafeRawBufferPointer) throws(MediaError) -> Void) {
        self.body = body
    }

    /// Takes the next rows; false where no more are wanted.
    package func take(_ rows: UnsafeRawBufferPointer) -> Bool {
        let start = ContinuousClock.now
        defer { time += .now - start }
        do throws(MediaError) {
            try body(rows)
            return true
        } catch {
            failure = error
            return false
        }
    }

    /// Takes rows, and throws its own error in place of that of a reader that was told to stop.
    package func reading<Result>(
        _ work: () throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        do throws(MediaError) { return try work() } catch { throw failure ?? error }
    }
}

extension ReadingColors {
    /// What converts rows, of 16 bits a sample with `isDeep`, and passes them on; itself where nothing is to be done.
    package func converting(_ taker: RowTaker, isDeep: Bool = false) -> RowTaker {
        guard let converter else { return taker }
        var pixels: [UInt32] = []
        return RowTaker { (rows) throws(MediaError) in
            let count = rows.count / (isDeep ? 8 : 4)
            if pixels.count < count { pixels = Array(repeating: 0, count: count) }
            let isTaken = pixels.withUnsafeMutableBufferPointer { pixels in
                guard let from = rows.baseAddress, let to = pixels.baseAddress else { return true }
                if isDeep {
                    converter.convert(
                        deep: from.assumingMemoryBound(to: UInt16.self), into: to, count: count)
                } else {
                    converter.convert(
                        from.assumingMemoryBound(to: UInt32.self), into: to, count: count)
                }
                return taker.take(UnsafeRawBufferPointer(start: to, count: count * 4))
            }
            if !isTaken, let failure = taker.failure { throw failure }
        }
    }
}

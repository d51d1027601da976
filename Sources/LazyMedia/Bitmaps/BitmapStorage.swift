internal import LazyBytes
internal import Synchronization

/// What holds a bitmap's memory, and gives it back when the last copy of the bitmap is gone.
///
/// Unchecked: it is written before the bitmap exists, or once by `LateRows`, which lets nobody read
/// before; afterwards it is only read.
final class BitmapStorage: @unchecked Sendable {
    let block: Block
    /// What is still to fill the memory, if it was not filled at once.
    let late: LateRows?
    private let giveBack: @Sendable () -> Void

    init(_ block: Block, late: LateRows? = nil, giveBack: @escaping @Sendable () -> Void) {
        self.block = block
        self.late = late
        self.giveBack = giveBack
    }

    deinit { giveBack() }

    /// The memory, filled; the first look at rows that come late waits for them.
    func bytes(_ count: Int) -> UnsafeMutableRawBufferPointer {
        let bytes = UnsafeMutableRawBufferPointer(start: block.memory, count: count)
        late?.fill(bytes)
        return bytes
    }
}

/// Rows that are made when somebody first looks at them, once, whoever looks and on what thread.
final class LateRows: Sendable {
    /// Writes all of the rows.
    typealias Maker = @Sendable (UnsafeMutableRawBufferPointer) -> Void

    private let isMade = Atomic<Bool>(false)
    private let maker: Locked<Maker?>

    init(_ maker: @escaping Maker) { self.maker = Locked(maker) }

    /// Makes the rows unless they are there, and lets go of what they were made of.
    ///
    /// The lock is this one picture's: only those wait who want the same rows.
    func fill(_ rows: UnsafeMutableRawBufferPointer) {
        guard !isMade.load(ordering: .acquiring) else { return }
        let done = maker.withLock { maker -> Maker? in
            guard let make = maker else { return nil }
            make(rows)
            isMade.store(true, ordering: .releasing)
            return maker.take()
        }
        withExtendedLifetime(done) {}
    }
}

/// Decides which bytes to fetch for a read: pure arithmetic over aligned blocks.
///
/// Sequential reads double the size of each fetch, from one block up to a maximum; a seek resets it
/// to one block.
struct RangePlan: Sendable {
    /// The size of a block; the last one may be shorter.
    let blockSize: Int
    /// The maximum number of bytes of a request beyond those that are read.
    let maxAhead: Int
    /// The maximum number of bytes of a request: half of the minimum cache of a reader.
    static let maxAtOnce = 1 << 20
    /// The maximum number of requests at once for a range that is going to be read.
    static let maxPieces = 8
    /// The size of the resource.
    let count: Int
    /// The number of bytes that are prefetched for sequential reads.
    let window: Int
    private var ahead: Int
    private var expected: Int?

    /// Makes a plan for a resource of a size.
    init(count: Int, blockSize: Int = 1 << 15, maxAhead: Int = 1 << 19, window: Int = 0) {
        self.count = count
        self.window = window
        self.blockSize = blockSize
        self.maxAhead = max(blockSize, maxAhead)
        ahead = blockSize
    }

    /// The number of blocks.
    var blockCount: Int { count / blockSize + (count % blockSize == 0 ? 0 : 1) }

    /// The range of a block.
    func bytes(of block: Int) -> Range<Int> {
        let start = block * blockSize
        return start..<start + min(blockSize, count - start)
    }

    /// The blocks to fetch now for a read, from the first missing one on; nil if none is missing.
    ///
    /// Fetches nothing twice: ends before the first block that is known, i.e. present or being fetched.
    mutating func fetch(for read: Range<Int>, isKnown: (Int) -> Bool) -> Range<Int>? {
        let read = read.clamped(to: 0..<count)
        guard !read.isEmpty else { return nil }
        let blocks = read.lowerBound / blockSize...(read.upperBound - 1) / blockSize
        guard let first = blocks.first(where: { !isKnown($0) }) else { return nil }
        let isNext = expected.map { (0...1).contains(first - $0) } ?? false
        ahead = isNext ? min(maxAhead, ahead * 2) : blockSize
        // A long read is fetched in pieces: new blocks must not evict unread ones.
        let most = first + max(maxAhead, Self.maxAtOnce) / blockSize
        let wanted = min(most, max(blocks.upperBound + 1, first + ahead / blockSize))
        var end = first + 1
        while end < min(wanted, blockCount), !isKnown(end) { end += 1 }
        expected = end
        return first..<end
    }

    /// The missing blocks of a range that is going to be read, each run of them in one piece.
    ///
    /// At most `most` bytes in all, and `maxPieces`.
    func fetches(
        of range: Range<Int>, maxBytes most: Int, isKnown: (Int) -> Bool
    ) -> [Range<Int>] {
        let range = range.clamped(to: 0..<count)
        guard !range.isEmpty, most >= blockSize else { return [] }
        let first = range.lowerBound / blockSize
        let end = min((range.upperBound - 1) / blockSize + 1, first + most / blockSize)
        var pieces: [Range<Int>] = []
        for block in first..<end where !isKnown(block) {
            if pieces.last?.upperBound == block {
                pieces[pieces.count - 1] = pieces[pieces.count - 1].lowerBound..<block + 1
            } else if pieces.count < Self.maxPieces {
                pieces.append(block..<block + 1)
            } else {
                break
            }
        }
        return pieces
    }

    /// The blocks to prefetch when reading has reached an offset; nil if there are enough.
    ///
    /// At least half of the window at a time, or the rest of the resource.
    func fetchAhead(of offset: Int, isKnown: (Int) -> Bool) -> Range<Int>? {
        guard window > 0, offset < count else { return nil }
        let block = offset / blockSize
        let end = min(blockCount, block + max(2, window / blockSize))
        guard let first = (block..<end).first(where: { !isKnown($0) }) else { return nil }
        guard end - first >= window / blockSize / 2 || end == blockCount else { return nil }
        let most = min(end, first + max(1, Self.maxAtOnce / blockSize))
        return first..<((first + 1..<most).first(where: isKnown) ?? most)
    }
}

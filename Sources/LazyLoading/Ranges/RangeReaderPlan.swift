/// Decides which bytes to fetch for a read: pure arithmetic over aligned blocks.
///
/// Reads that go on where the last one ended double what is fetched at a time, from one block up to
/// a most; a jump begins with one block again.
struct RangePlan: Sendable {
    /// Bytes of a block; the last one may be shorter.
    let blockSize: Int
    /// The most bytes that one request asks for beyond what is read.
    let mostAhead: Int
    /// The most bytes of one request: half of what a reader keeps at the least.
    static let mostAtOnce = 1 << 20
    /// The number of bytes in all.
    let count: Int
    /// How many bytes are fetched before they are read, where reading goes on.
    let window: Int
    private var ahead: Int
    private var expected: Int?

    /// Makes a plan for bytes of a number.
    init(count: Int, blockSize: Int = 1 << 15, mostAhead: Int = 1 << 19, window: Int = 0) {
        self.count = count
        self.window = window
        self.blockSize = blockSize
        self.mostAhead = max(blockSize, mostAhead)
        ahead = blockSize
    }

    /// The number of blocks.
    var blockCount: Int { count / blockSize + (count % blockSize == 0 ? 0 : 1) }

    /// The bytes of a block.
    func bytes(of block: Int) -> Range<Int> {
        let start = block * blockSize
        return start..<start + min(blockSize, count - start)
    }

    /// The blocks to fetch now for a read, the first missing one at their beginning; nil if all that
    /// is read is there or on its way.
    ///
    /// Asks for nothing twice: the fetch ends before the first block that is there or on its way.
    mutating func fetch(for read: Range<Int>, isKnown: (Int) -> Bool) -> Range<Int>? {
        let read = read.clamped(to: 0..<count)
        guard !read.isEmpty else { return nil }
        let blocks = read.lowerBound / blockSize...(read.upperBound - 1) / blockSize
        guard let first = blocks.first(where: { !isKnown($0) }) else { return nil }
        let isNext = expected.map { (0...1).contains(first - $0) } ?? false
        ahead = isNext ? min(mostAhead, ahead * 2) : blockSize
        // A long read is fetched bit by bit: what comes must not drive out what is still unread.
        let most = first + max(mostAhead, Self.mostAtOnce) / blockSize
        let wanted = min(most, max(blocks.upperBound + 1, first + ahead / blockSize))
        var end = first + 1
        while end < min(wanted, blockCount), !isKnown(end) { end += 1 }
        expected = end
        return first..<end
    }

    /// The blocks to fetch before they are read, when reading has come to an offset; nil while there
    /// is enough.
    ///
    /// Not in crumbs: half of the window at a time, or what is left to the end.
    func fetchAhead(of offset: Int, isKnown: (Int) -> Bool) -> Range<Int>? {
        guard window > 0, offset < count else { return nil }
        let block = offset / blockSize
        let end = min(blockCount, block + max(2, window / blockSize))
        guard let first = (block..<end).first(where: { !isKnown($0) }) else { return nil }
        guard end - first >= window / blockSize / 2 || end == blockCount else { return nil }
        let most = min(end, first + max(1, Self.mostAtOnce / blockSize))
        return first..<((first + 1..<most).first(where: isKnown) ?? most)
    }
}

import Glibc
internal import LazyBase

/// The memory of one bitmap or canvas.
///
/// Large memory is a mapping of its own with huge pages, and returns to the system when it is freed. Less comes from
/// `malloc`, which keeps it with its pages: making them again would cost a third of decoding. `FreedMemory` returns it.
///
/// Unchecked: a block has one holder at a time: the pool, one storage or one canvas.
struct Block: @unchecked Sendable {
    let memory: UnsafeMutableRawPointer
    let byteCount: Int
    /// The length of its mapping, or 0 where it comes from `malloc` or belongs to others.
    private var mappedBytes = 0
    /// How much of its beginning has huge pages, if the system has any.
    private var hugeBytes = 0
    /// Whether it was not used before.
    var isFresh = false
    /// Whose memory it is, if not the pool's.
    private(set) var lender: LentMemory?

    private static let hugePage = 2 << 20
    /// Larger frames are often a few pixels on a canvas that a file merely declares: their pages are made one by one.
    private static let maxPopulated = 128 << 20
    // Decoders read and write beyond the last row.
    private static let padding = 64

    /// Allocates memory whose content is undefined, and which is populated before it is written; nil if there is none.
    init?(byteCount: Int) {
        if byteCount >= Self.hugePage * 2, let block = Self.mapped(byteCount) {
            self = block
            return
        }
        // Also what could not be mapped, since the number of mappings is limited.
        let capacity = (byteCount + Self.padding).rounded(upTo: 64)
        guard let memory = aligned_alloc(64, capacity) else { return nil }
        self.init(memory, byteCount: byteCount)
        isFresh = true
    }

    /// Takes memory that was allocated elsewhere.
    init(_ memory: UnsafeMutableRawPointer, byteCount: Int, lender: LentMemory? = nil) {
        self.memory = memory
        self.byteCount = byteCount
        self.lender = lender
    }

    private static func mapped(_ byteCount: Int) -> Block? {
        // A page fault for 4 KB costs as much as filling them: use larger pages.
        let length = (byteCount + padding).rounded(upTo: hugePage)
        guard let start = map(length + hugePage) else { return nil }
        // It is longer than needed by one huge page, so that it can begin at one.
        let head = -Int(bitPattern: start) & (hugePage - 1)
        var block = Block(start + head, byteCount: byteCount)
        if head > 0 { munmap(start, head) }
        munmap(block.memory + length, hugePage - head)
        if byteCount <= maxPopulated {
            block.hugeBytes = (byteCount + hugePage / 2) & ~(hugePage - 1)
            madvise(block.memory, block.hugeBytes, MADV_HUGEPAGE)
        }
        block.mappedBytes = length
        block.isFresh = true
        return block
    }

    private static func map(_ length: Int) -> UnsafeMutableRawPointer? {
        let access = PROT_READ | PROT_WRITE
        let memory = mmap(nil, length, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return memory == MAP_FAILED ? nil : memory
    }

    /// Whether all its bytes are zero; such memory has no pages before it is written or populated.
    var isZeroed: Bool { mappedBytes > 0 && isFresh }

    /// Makes the small pages of fresh memory that is about to be written.
    func populate() {
        guard isFresh, (FreshMemory.leastAllocation...Self.maxPopulated).contains(byteCount) else {
            return
        }
        let bytes = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
        FreshMemory.populate(.init(rebasing: bytes.dropFirst(hugeBytes)))
    }

    func free() {
        if let lender { return lender.takeBack(memory) }
        guard mappedBytes > 0 else { return Glibc.free(memory) }
        // Refused where it would split one mapping into too many: then at least its pages are given back.
        if munmap(memory, mappedBytes) != 0 { madvise(memory, mappedBytes, MADV_DONTNEED) }
    }
}

extension Int {
    /// The next multiple of a power of two.
    fileprivate func rounded(upTo unit: Int) -> Int { (self + unit - 1) & ~(unit - 1) }
}

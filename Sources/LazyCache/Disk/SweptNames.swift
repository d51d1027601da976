internal import LazyBytes

/// The names of the entries and sidecar files in the folder of a shard, by their third hexadecimal digit.
///
/// A large folder is swept in sixteen parts, and listed once for them.
struct SweptNames {
    private let shard: Int
    private let round: WallTime?
    private var names = [[String]](repeating: [], count: 16)
    /// The number of names.
    private(set) var count = 0

    /// Lists the folder of a shard.
    init(in folder: OwnedFolder, _ shard: Int, of round: SweepRound?) {
        self.shard = shard
        self.round = round?.start
        let prefix = [UInt8(shard)].hexadecimal()
        for name in folder.names() where Self.isName(name, of: prefix) {
            names[Self.digit(name)].append(name)
            count += 1
        }
    }

    /// Whether these names are those that a round listed when it came to a shard.
    fileprivate func isOf(_ shard: Int, _ round: SweepRound?) -> Bool {
        shard == self.shard && round != nil && round?.start == self.round
    }

    /// The names with some digits.
    subscript(digits: Range<Int>) -> [String] { names[digits].flatMap(\.self) }

    /// The digits from one on that have so many names, at least one of them.
    func digits(from first: Int, until count: Int) -> Range<Int> {
        var (end, taken) = (first, 0)
        repeat {
            taken += names[end].count
            end += 1
        } while end < 16 && taken < count
        return first..<end
    }

    /// Whether a file in the folder of a shard is an entry or a sidecar.
    private static func isName(_ name: String, of shard: String) -> Bool {
        let count = name.utf8.count
        return (count == DiskLayout.nameLength || count == DiskLayout.nameLength + 17)
            && name.hasPrefix(shard) && DiskLayout.isHex(name.utf8.prefix(DiskLayout.nameLength))
    }

    /// The third hexadecimal digit of a name.
    private static func digit(_ name: String) -> Int {
        let byte = Int(name.utf8[name.utf8.index(name.utf8.startIndex, offsetBy: 2)])
        return byte < 0x3A ? byte - 0x30 : byte - 0x57
    }
}

extension Locked<SweptNames?> {
    /// The names in the folder of a shard from a digit on: those kept from the part before, or listed anew.
    ///
    /// Entries that were stored in between do not matter to a round, since it does not count them.
    func names(
        in folder: OwnedFolder, _ shard: Int, from digit: Int, of round: SweepRound?
    ) -> SweptNames {
        if digit > 0, let kept = withLock({ $0 }), kept.isOf(shard, round) { return kept }
        let listed = SweptNames(in: folder, shard, of: round)
        withLock { $0 = listed.count > SweepRound.sliceEntries && round != nil ? listed : nil }
        return listed
    }
}

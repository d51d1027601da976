internal import LazyBase

/// The names of the entries and sidecar files in the folder of a shard, by their third hexadecimal digit.
///
/// A large folder is swept in sixteen parts, and listed once for them. Names stay bytes until a part is looked at.
struct SweptNames {
    private let shard: Int
    private let round: WallTime?
    /// The names of each digit one after the other, of entries and of sidecar files.
    private var entries = [[UInt8]](repeating: [], count: 16)
    private var sidecars = [[UInt8]](repeating: [], count: 16)
    /// The number of names.
    private(set) var count = 0

    private static let sidecarLength = DiskLayout.nameLength + 17

    /// Lists the folder of a shard.
    init(in folder: OwnedFolder, _ shard: Int, of round: SweepRound?) {
        self.shard = shard
        self.round = round?.start
        let prefix = Array([UInt8(shard)].hexadecimal().utf8)
        var (entries, sidecars, count) = (entries, sidecars, 0)
        folder.forEachName { name in
            guard let digit = Self.digit(name, prefix) else { return }
            if name.count == DiskLayout.nameLength {
                entries[digit].append(contentsOf: name)
            } else {
                sidecars[digit].append(contentsOf: name)
            }
            count += 1
        }
        (self.entries, self.sidecars, self.count) = (entries, sidecars, count)
    }

    /// Whether these names are those that a round listed when it came to a shard.
    fileprivate func isOf(_ shard: Int, _ round: SweepRound?) -> Bool {
        shard == self.shard && round != nil && round?.start == self.round
    }

    /// The names with some digits.
    subscript(digits: Range<Int>) -> [String] {
        digits.flatMap { digit in
            Self.names(in: entries[digit], of: DiskLayout.nameLength)
                + Self.names(in: sidecars[digit], of: Self.sidecarLength)
        }
    }

    private static func names(in bytes: [UInt8], of length: Int) -> [String] {
        stride(from: 0, to: bytes.count, by: length).map {
            String(decoding: bytes[$0..<$0 + length], as: UTF8.self)
        }
    }

    /// The digits from one on that have so many names, at least one of them.
    func digits(from first: Int, until count: Int) -> Range<Int> {
        var (end, taken) = (first, 0)
        repeat {
            taken += entries[end].count / DiskLayout.nameLength
            taken += sidecars[end].count / Self.sidecarLength
            end += 1
        } while end < 16 && taken < count
        return first..<end
    }

    /// The third hexadecimal digit of the name of an entry or a sidecar file of a shard; nil for other names.
    private static func digit(_ name: UnsafeBufferPointer<UInt8>, _ shard: [UInt8]) -> Int? {
        guard name.count == DiskLayout.nameLength || name.count == sidecarLength,
            name[0] == shard[0], name[1] == shard[1],
            name.prefix(DiskLayout.nameLength).allSatisfy(DiskLayout.isHex)
        else { return nil }
        let byte = Int(name[2])
        return byte < 0x3A ? byte - 0x30 : byte - 0x57
    }
}

extension Locked<SweptNames?> {
    /// The names in the folder of a shard from a digit on: those kept from the part before, or listed again.
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

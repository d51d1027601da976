internal import LazyBase

/// One of several equal parts of a list, for machines that do not talk to each other.
///
/// The part of an input depends only on its name and on the number of parts, so that every machine
/// computes the same answer, even from a part of the list.
public struct Shard: Equatable, Sendable {
    /// Its number, from 1.
    public let number: Int
    /// How many there are.
    public let count: Int

    /// Makes a shard, or nil where there is no such number.
    public init?(_ number: Int, of count: Int) {
        guard count >= 1, count <= 1_000_000, (1...count).contains(number) else { return nil }
        self.number = number
        self.count = count
    }

    /// The whole list.
    public static let all = Shard(unchecked: 1, 1)

    private init(unchecked number: Int, _ count: Int) {
        self.number = number
        self.count = count
    }

    /// Whether an input of this name is in it, by the first 64 bits of the SHA-256 of the name.
    public func contains(_ address: String) -> Bool {
        contains(Digest.sha256(FileName.bytes(address)))
    }

    /// Whether an input of this digest is in it.
    func contains(_ digest: Digest) -> Bool {
        count == 1 || Self.part(of: digest.prefix, count) == number - 1
    }

    /// Whether the element at a place of a list is in it, round robin.
    func contains(place: Int) -> Bool { place % count == number - 1 }

    // The high half of the product: fair to one part in 2^64 / count, and without a division.
    static func part(of hash: UInt64, _ count: Int) -> Int {
        Int(hash.multipliedFullWidth(by: UInt64(count)).high)
    }
}

package import LazyFiles

/// One of several equal parts of a list, for machines that do not talk to each other.
///
/// Which part an input is in depends on its own address alone and on the number of parts: whoever has
/// the list, or only some of it, comes to the same answer.
package struct Shard: Equatable, Sendable {
    /// Its number, from 1.
    package let number: Int
    /// How many there are.
    package let count: Int

    /// Makes a shard, or nil where there is no such number.
    package init?(_ number: Int, of count: Int) {
        guard count >= 1, count <= 1_000_000, (1...count).contains(number) else { return nil }
        self.number = number
        self.count = count
    }

    /// The whole list.
    package static let all = Shard(unchecked: 1, 1)

    private init(unchecked number: Int, _ count: Int) {
        self.number = number
        self.count = count
    }

    /// Whether something of an address is in it: the first 64 bits of the address's SHA-256 say it.
    package func contains(_ address: String) -> Bool {
        contains(Digest.sha256(FileName.bytes(address)))
    }

    /// Whether something of a digest is in it.
    package func contains(_ digest: Digest) -> Bool {
        count == 1 || Self.part(of: digest.prefix, count) == number - 1
    }

    /// Whether the element of a list is in it, dealt out in turn.
    package func contains(place: Int) -> Bool { place % count == number - 1 }

    // The high half of the product: fair to one part in 2^64 / count, and without a division.
    package static func part(of hash: UInt64, _ count: Int) -> Int {
        Int(hash.multipliedFullWidth(by: UInt64(count)).high)
    }
}

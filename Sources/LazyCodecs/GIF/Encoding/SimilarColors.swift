/// The colors of a table that may be painted for another one, so that strings of LZW get longer.
///
/// As `gifsicle --lossy`: a pixel may get a color whose squared distance to it is at most ten times the loss. What is lost
/// at a pixel is added to the next one in part, so that areas keep their color.
struct SimilarColors {
    /// The most colors that are tried for one.
    private static let most = 16

    private let colors: [SIMD4<Int32>]
    private let limit: Int32
    /// The numbers of similar colors, the nearest first, `most` for each color.
    private let lists: [UInt8]
    private let counts: [UInt8]

    /// Finds the similar colors of a table; nil without loss.
    init?(_ table: GIFColorTable, loss: Int) {
        guard loss > 0 else { return nil }
        let limit = Int32(min(loss, 1000) * 10)
        let colors = table.colors.map { color in
            SIMD4<Int32>(
                Int32(color & 0xFF), Int32(color >> 8 & 0xFF), Int32(color >> 16 & 0xFF), 0)
        }
        var lists = [UInt8](repeating: 0, count: colors.count * Self.most)
        var counts = [UInt8](repeating: 0, count: colors.count)
        for place in colors.indices {
            var near: [(distance: Int32, number: Int)] = []
            for other in colors.indices where other != place {
                let distance = Self.distance(colors[place], colors[other])
                if distance <= limit { near.append((distance, other)) }
            }
            near.sort { $0 < $1 }
            for (rank, entry) in near.prefix(Self.most).enumerated() {
                lists[place * Self.most + rank] = UInt8(truncatingIfNeeded: entry.number)
            }
            counts[place] = UInt8(min(near.count, Self.most))
        }
        (self.colors, self.limit, self.lists, self.counts) = (colors, limit, lists, counts)
    }

    /// Calls a function with the similar colors of one, the nearest first, and what is then lost.
    @inline(__always)
    func forEach(
        near index: UInt32, _ error: SIMD4<Int32>, _ body: (UInt32, SIMD4<Int32>) -> Void
    ) {
        let place = Int(index)
        guard place < colors.count else { return }
        let wanted = colors[place] &+ error
        for rank in 0..<Int(counts[place]) {
            let number = lists[place * Self.most + rank]
            let difference = wanted &- colors[Int(number)]
            guard (difference &* difference).wrappedSum() <= limit else { continue }
            body(UInt32(number), difference / 2)
        }
    }

    @inline(__always)
    private static func distance(_ one: SIMD4<Int32>, _ other: SIMD4<Int32>) -> Int32 {
        let difference = one &- other
        return (difference &* difference).wrappedSum()
    }
}

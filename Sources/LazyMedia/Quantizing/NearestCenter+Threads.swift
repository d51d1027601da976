internal import LazyBase
internal import Synchronization

extension NearestCenter {
    typealias Near = (index: Int, distance: Float)

    /// Passes each point, in order, with its nearest one.
    ///
    /// Several threads look for these where there are many points.
    func forEachNearest(
        to points: [SIMD4<Float>], _ threads: Int, _ use: (SIMD4<Float>, Near) -> Void
    ) {
        guard threads > 1, points.count > 2 * Search.pieceLength else {
            for point in points { use(point, nearest(SIMD3(point.x, point.y, point.z))) }
            return
        }
        let search = Search(self, points)
        BlockingPool.shared.runTogether(threads) { search.work() }
        for (point, near) in zip(points, search.found) { use(point, near) }
    }

    /// Unchecked: each element of `found` is written by the thread that took its piece, and read when all
    /// have ended.
    private final class Search: @unchecked Sendable {
        static let pieceLength = 2048

        private let finder: NearestCenter
        private let points: [SIMD4<Float>]
        private let next = Atomic(0)
        let found: UnsafeMutableBufferPointer<Near>

        init(_ finder: NearestCenter, _ points: [SIMD4<Float>]) {
            (self.finder, self.points) = (finder, points)
            found = .allocate(capacity: points.count)
        }

        deinit { found.deallocate() }

        /// Takes pieces until there are no more.
        func work() {
            while true {
                let start = next.add(Self.pieceLength, ordering: .relaxed).oldValue
                guard start < points.count else { return }
                for index in start..<min(start + Self.pieceLength, points.count) {
                    let point = points[index]
                    found.initializeElement(
                        at: index, to: finder.nearest(SIMD3(point.x, point.y, point.z)))
                }
            }
        }
    }
}

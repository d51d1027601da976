/// Finds the nearest of at most 256 points in space, eight at a time.
struct NearestCenter: Sendable {
    private let groups: [Group]

    private struct Group {
        var x: SIMD8<Float>
        var y: SIMD8<Float>
        var z: SIMD8<Float>
        /// The points' indices.
        var numbers: SIMD8<UInt32>
    }

    init(_ points: [SIMD3<Float>]) {
        groups = stride(from: 0, to: points.count, by: 8).map { first in
            // Unused lanes of the last group are too far away to be found.
            var group = Group(
                x: SIMD8(repeating: 1e9), y: SIMD8(repeating: 1e9), z: SIMD8(repeating: 1e9),
                numbers: .zero)
            for lane in 0..<min(8, points.count - first) {
                let point = points[first + lane]
                group.x[lane] = point.x
                group.y[lane] = point.y
                group.z[lane] = point.z
                group.numbers[lane] = UInt32(first + lane)
            }
            return group
        }
    }

    /// The index of the nearest point and its squared distance, to 15 bits.
    @inline(__always)
    func nearest(_ point: SIMD3<Float>) -> (index: Int, distance: Float) {
        let x = SIMD8<Float>(repeating: point.x)
        let y = SIMD8<Float>(repeating: point.y)
        let z = SIMD8<Float>(repeating: point.z)
        var best = SIMD8<UInt32>(repeating: .max)
        groups.withUnsafeBufferPointer { groups in
            for group in groups {
                let dx = group.x - x
                let dy = group.y - y
                let dz = group.z - z
                let distance = dx * dx + dy * dy + dz * dz
                // Positive floats sort by their bits; the lowest bits carry the index.
                let bits = unsafeBitCast(distance, to: SIMD8<UInt32>.self)
                let packed = bits & SIMD8(repeating: 0xFFFF_FF00) | group.numbers
                best.replace(with: packed, where: packed .< best)
            }
        }
        var least = best[0]
        for lane in 1..<8 where best[lane] < least { least = best[lane] }
        return (Int(least & 0xFF), Float(bitPattern: least & 0xFFFF_FF00))
    }
}

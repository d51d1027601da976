import Support

@testable import LazyLoading

extension Scratch {
    /// The files of entries.
    var entries: [String] { files.filter { $0.utf8.count == 3 + DiskLayout.nameLength } }

    /// Staging files.
    var partials: [String] { files.filter { $0.hasPrefix("partial/") } }
}

/// Pseudorandom bytes.
func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    return [UInt8](unsafeUninitializedCapacity: count + 8) { bytes, filled in
        for place in stride(from: 0, to: count, by: 8) {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            UnsafeMutableRawBufferPointer(bytes).storeBytes(
                of: state, toByteOffset: place, as: UInt64.self)
        }
        filled = count
    }
}

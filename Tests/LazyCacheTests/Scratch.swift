import Foundation

@testable import LazyBytes
@testable import LazyCache

/// A temporary folder that goes with its last reference.
final class Scratch: Sendable {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "lazy-cache-" + UUID().uuidString
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The paths of all files below it, relative to it, sorted.
    var files: [String] {
        let all = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return all.filter { file in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(
                atPath: path + "/" + file, isDirectory: &isFolder) && !isFolder.boolValue
        }.sorted()
    }

    /// The files of entries.
    var entries: [String] { files.filter { $0.utf8.count == 3 + DiskLayout.nameLength } }

    /// Staging files.
    var partials: [String] { files.filter { $0.hasPrefix("partial/") } }

    subscript(file: String) -> [UInt8] {
        get {
            (try? Data(contentsOf: URL(fileURLWithPath: path + "/" + file))).map(Array.init) ?? []
        }
        set { try? Data(newValue).write(to: URL(fileURLWithPath: path + "/" + file)) }
    }
}

/// Bytes that look like chance and can be made again.
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

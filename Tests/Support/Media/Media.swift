import Glibc
public import LazyMedia

/// The clips in `media/`, which the project makes itself.
public enum Media {
    /// The folder of the clips.
    public static let folder = Project.folder + "media/"

    /// The path of a clip.
    public static func path(_ name: String) -> String { folder + name }

    /// The bytes of a clip.
    public static func bytes(_ name: String) throws -> MemoryBytes {
        try FileBytes(path: path(name)).contiguous()
    }

    /// The bytes of a clip as an array, for damaging them.
    public static func array(_ name: String) throws -> [UInt8] {
        try bytes(name).withBytes { Array($0) }
    }

    /// The names of all clips and stills, in order of the alphabet.
    public static let names: [String] = {
        var names: [String] = []
        guard let folder = opendir(folder) else { return [] }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            let isText = name.hasSuffix(".md") || name.hasSuffix(".txt")
            if !name.hasPrefix("."), !isText { names.append(name) }
        }
        return names.sorted()
    }()
}

extension Bitmap {
    /// The number that the barcode at the top of a clip's picture says, or nil without one.
    ///
    /// The code is described in `media/README.md`.
    public var barcode: Int? {
        let cells = (0..<16).map { cell -> Bool in
            let x = (2 * cell + 1) * size.width / 32
            let pixel = self[min(x, size.width - 1), size.height / 16]
            return (Int(pixel.x) + Int(pixel.y) + Int(pixel.z)) > 3 * 127
        }
        let bits = cells[1...12]
        let parity = cells[1...13].count { $0 }
        guard cells[0], cells[14], !cells[15], parity.isMultiple(of: 2) else { return nil }
        return bits.reduce(0) { $0 * 2 + ($1 ? 1 : 0) }
    }
}

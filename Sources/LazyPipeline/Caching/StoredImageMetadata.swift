internal import LazyMedia

/// The metadata of a finished image in the data cache: the size of its source.
enum StoredImageMetadata {
    private static let prefix = "source="

    static func metadata(of container: ImageContainer) -> [UInt8] {
        Array("\(prefix)\(container.sourceSize)".utf8)
    }

    static func sourceSize(_ metadata: [UInt8]) -> PixelSize? {
        let text = String(decoding: metadata, as: UTF8.self)
        guard text.hasPrefix(prefix) else { return nil }
        let sides = text.dropFirst(prefix.count).split(separator: "x").map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1] else { return nil }
        return PixelSize(checking: width, height)
    }
}

internal import LazyBase

extension GallerySource {
    /// The sources in the order of their folders and names, numbers in names by their value.
    public static func sorted(_ sources: [GallerySource]) -> [GallerySource] {
        sources.map { (key: NaturalName($0.subfolder + "/" + $0.path), source: $0) }
            .sorted { $0.key < $1.key }.map(\.source)
    }

    /// Items in the order of their sources.
    static func sorted(_ made: [(source: GallerySource, item: GalleryItem)]) -> [GalleryItem] {
        made.map { (key: NaturalName($0.source.subfolder + "/" + $0.source.path), item: $0.item) }
            .sorted { $0.key < $1.key }.map(\.item)
    }
}

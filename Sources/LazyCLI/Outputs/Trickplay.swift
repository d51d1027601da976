internal import LazyBase
internal import LazyEditing
internal import LazyMedia
internal import LazyRenditions

/// The pages of a film as Jellyfin reads them beside it: `Film.trickplay/320 - 10x10/0.jpg`.
///
/// The folder names the width of a tile, and the tiles of a page across and down (`GetTrickplayDirectory` in
/// Jellyfin's `TrickplayManager`). Every page has all of them, since the height of a tile is computed from that
/// of a page.
struct Trickplay: Hashable, Sendable {
    /// The usual width of a tile and time between tiles, Jellyfin's own.
    static let usual = (width: 320, interval: Duration.seconds(10), side: 10)

    let width: Int
    let columns: Int
    let rows: Int

    /// The extension of the folder beside the film.
    static let ending = "trickplay"

    /// The first page for a film whose name in its folder, with another extension, is that of `target`.
    func firstPage(_ target: OutputTarget) -> OutputTarget {
        let folder = target.beside(extension: Self.ending).label
        return OutputTarget(
            path: "\(folder)/\(width) - \(columns)x\(rows)/0.jpg", format: target.format)
    }
}

/// How the files of a sheet are named and arranged.
enum SheetFiles: String, CaseIterable, Sendable {
    /// A page with its indexes, or numbered pages.
    case usual
    /// As Jellyfin reads them.
    case jellyfin
}

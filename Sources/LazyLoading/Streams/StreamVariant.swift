package import FoundationEssentials

/// One of several renditions of the same stream.
package struct StreamVariant: Sendable {
    /// The size of its pictures, if the playlist says it.
    package var size: (width: Int, height: Int)?
    /// Bits per second, as the playlist says.
    package var bandwidth: Int
    /// Whether it has pictures, as far as the playlist tells.
    package var hasVideo = true
    /// Where its segments are listed.
    package var source: Source

    /// Where the segments of a rendition are listed.
    package enum Source: Sendable {
        /// In a playlist of its own.
        case playlist(URL)
        /// In the same document.
        case segments(StreamPlaylist)
        /// In the index of a file (`sidx`): its range, and the file with its map.
        case index(StreamResource, map: Range<Int>?)
        /// Nowhere: they are encrypted by a system whose keys are not loaded.
        case protected(String)
    }

    /// Whether pictures of a size are as large as those that are wanted.
    package typealias SizeTest = @Sendable ((width: Int, height: Int)) -> Bool

    /// The variants for pictures of a size, the best one first: the smallest that is at least as large, then larger
    /// ones, then smaller ones.
    ///
    /// Without a size the largest. Of equally large ones that of the highest bandwidth.
    package static func ordered(
        _ variants: [StreamVariant], for isEnough: SizeTest?
    ) -> [StreamVariant] {
        let shown = variants.filter(\.hasVideo)
        let falling = (shown.isEmpty ? variants : shown).sorted {
            ($0.area, $0.bandwidth) > ($1.area, $1.bandwidth)
        }
        guard let isEnough else { return falling }
        let enough = falling.filter { $0.size.map(isEnough) ?? false }.sorted {
            ($0.area, $1.bandwidth) < ($1.area, $0.bandwidth)
        }
        return enough + falling.filter { !($0.size.map(isEnough) ?? false) }
    }

    private var area: Int {
        size.map { $0.width.multipliedReportingOverflow(by: $0.height).partialValue } ?? 0
    }
}

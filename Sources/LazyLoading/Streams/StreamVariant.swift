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

    /// The variant for pictures of a size: the smallest that is at least as large, else the largest.
    ///
    /// Without a size the largest. Of equally large ones that of the highest bandwidth.
    package static func best(
        of variants: [StreamVariant], for isEnough: SizeTest?
    ) -> StreamVariant? {
        let shown = variants.filter(\.hasVideo)
        let candidates = (shown.isEmpty ? variants : shown).sorted {
            ($0.area, $0.bandwidth) < ($1.area, $1.bandwidth)
        }
        guard let isEnough else { return candidates.last }
        let enough = candidates.filter { $0.size.map(isEnough) ?? false }
        guard let least = enough.first else { return candidates.last }
        return enough.last { $0.area == least.area }
    }

    private var area: Int {
        size.map { $0.width.multipliedReportingOverflow(by: $0.height).partialValue } ?? 0
    }
}

/// One of several renditions of the same stream.
package struct StreamVariant: Sendable {
    /// The size of its pictures, if the playlist says it.
    package var size: (width: Int, height: Int)?
    /// Bits per second, as the playlist says.
    package var bandwidth: Int
    /// Whether it has pictures, as far as the playlist tells.
    package var hasVideo = true
    /// Its place in the playlist or manifest.
    var place: Int

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
            $0.isLarger(than: $1)
        }
        guard let isEnough else { return falling }
        let enough = falling.filter { $0.size.map(isEnough) ?? false }.sorted {
            $0.isSmaller(than: $1)
        }
        return enough + falling.filter { !($0.size.map(isEnough) ?? false) }
    }

    /// The first of those that `ordered` returns, found without sorting; all of the variants have pictures.
    static func best(
        of variants: some Sequence<StreamVariant>, for isEnough: SizeTest
    ) -> StreamVariant? {
        var (enough, other) = (StreamVariant?.none, StreamVariant?.none)
        for variant in variants {
            if variant.size.map(isEnough) ?? false {
                if let best = enough, !variant.isSmaller(than: best) { continue }
                enough = variant
            } else {
                if let best = other, !variant.isLarger(than: best) { continue }
                other = variant
            }
        }
        return enough ?? other
    }

    private func isLarger(than other: StreamVariant) -> Bool {
        (area, bandwidth) > (other.area, other.bandwidth)
    }

    private func isSmaller(than other: StreamVariant) -> Bool {
        (area, other.bandwidth) < (other.area, bandwidth)
    }

    private var area: Int {
        size.map { $0.width.multipliedReportingOverflow(by: $0.height).partialValue } ?? 0
    }
}

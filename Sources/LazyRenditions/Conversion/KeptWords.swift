internal import LazyEditing
internal import LazyMedia

/// The words and chapters of a film that a conversion keeps.
struct KeptWords {
    var tags = MediaTags()
    var chapters: [MediaChapter] = []
    /// Whether frames follow each other as in the source, so that chapters mean something.
    var hasOrder = false
}

extension ConversionWork {
    /// What is kept of a film in a result of a length; nil where nothing is.
    func kept(of info: MediaInfo, length: Duration) -> KeptWords? {
        switch conversion.kept {
        case .none: nil
        case .safe:
            KeptWords(
                tags: info.tags.safe, chapters: chapters(of: info, length), hasOrder: keepsOrder)
        case .all:
            KeptWords(tags: info.tags, chapters: chapters(of: info, length), hasOrder: keepsOrder)
        }
    }

    private var keepsOrder: Bool { !edit.isReversed && !edit.isBouncing && edit.crossfade == .zero }

    /// The chapters at the times of the result; none where its frames have another order.
    private func chapters(of info: MediaInfo, _ length: Duration) -> [MediaChapter] {
        guard keepsOrder, edit.speed > 0 else { return [] }
        let end = info.duration ?? info.chapters.map(\.end).max() ?? .zero
        let segments = edit.segments.isEmpty ? [.zero..<ClipEdit.toTheEnd] : edit.segments
        var chapters: [MediaChapter] = []
        var shown = Duration.zero
        for segment in segments {
            let segment = segment.clamped(to: .zero..<max(end, segment.lowerBound))
            for chapter in info.chapters {
                let part = (chapter.start..<chapter.end).clamped(to: segment)
                guard !part.isEmpty else { continue }
                let (start, end) = (part.lowerBound, part.upperBound)
                chapters.append(
                    MediaChapter(
                        start: (shown + (start - segment.lowerBound)) / edit.speed,
                        end: (shown + (end - segment.lowerBound)) / edit.speed,
                        title: chapter.title))
            }
            shown += segment.upperBound - segment.lowerBound
        }
        return chapters.filter { $0.start < length }.map {
            MediaChapter(start: $0.start, end: min($0.end, length), title: $0.title)
        }
    }
}

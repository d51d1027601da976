package import LazyMedia

/// A part of a clip whose ends are named by times, frames or chapters.
public struct ClipSection: Hashable, Sendable {
    /// An end of a part.
    public enum Place: Hashable, Sendable {
        /// A time of the source.
        case time(Duration)
        /// The time at which a frame is first shown, by its number from 0.
        case frame(Int)
        /// The time at which a chapter begins, by its number from 1; one more than there are is the end of the last.
        case chapter(Int)
    }

    /// Where it begins: with the frame on screen then.
    public var start: Place
    /// Where it ends: before the frames that are first shown then; nil for the end of the clip.
    public var end: Place?

    /// Makes a part.
    public init(from start: Place, to end: Place? = nil) {
        (self.start, self.end) = (start, end)
    }

    /// Makes a part of times.
    public init(_ times: Range<Duration>) {
        start = .time(times.lowerBound)
        end = times.upperBound >= ClipEdit.toTheEnd ? nil : .time(times.upperBound)
    }

    /// The times, where both ends are times.
    package var times: Range<Duration>? {
        guard case .time(let start) = start else { return nil }
        switch end {
        case nil: return start..<max(start + .seconds(1), ClipEdit.toTheEnd)
        case .time(let end)?: return start..<max(start, end)
        case .frame?, .chapter?: return nil
        }
    }

    /// Its text in identifiers.
    var identifier: String { "\(Self.text(start))-\(end.map(Self.text) ?? "")" }

    private static func text(_ place: Place) -> String {
        switch place {
        case .time(let time): "\(time.nanoseconds)"
        case .frame(let number): "#\(number)"
        case .chapter(let number): "chapter:\(number)"
        }
    }
}

extension ClipEdit {
    /// The parts that are kept, in this order, as `segments` or as `sections`.
    package var parts: [ClipSection] {
        get { sections.isEmpty ? segments.map { ClipSection($0) } : sections }
        set {
            let times = newValue.compactMap(\.times)
            let areTimes = times.count == newValue.count
            (segments, sections) = areTimes ? (times, []) : ([], newValue)
        }
    }
}

extension FrameSequence {
    /// An edit of this sequence whose sections are segments.
    ///
    /// Reads the times of all frames where a section names a frame. Throws `.notFound` for a frame or chapter that there is
    /// not, and where a section ends before it begins.
    package func located(_ edit: ClipEdit) async throws(MediaError) -> ClipEdit {
        guard !edit.sections.isEmpty else { return edit }
        var edit = edit
        var segments: [Range<Duration>] = []
        for section in edit.sections {
            let start = try await time(of: section.start)
            let end: Duration =
                if let place = section.end { try await time(of: place) } else { ClipEdit.toTheEnd }
            guard start < end else {
                throw MediaError(.notFound, "The end is not after the start: the range is empty.")
            }
            segments.append(start..<end)
        }
        (edit.segments, edit.sections) = (segments, [])
        return edit
    }

    /// The time of an end of a section.
    package func time(of place: ClipSection.Place) async throws(MediaError) -> Duration {
        switch place {
        case .time(let time): return time
        case .frame(let number):
            let index = try await frameIndex()
            guard (0...index.count).contains(number) else {
                throw MediaError(.notFound, "The sequence has only \(index.count) frames.")
            }
            return number < index.count ? index[number].presentation.duration : index.duration
        case .chapter(let number):
            if number == info.chapters.count + 1, let last = info.chapters.last { return last.end }
            return try info.chapter(number).start
        }
    }
}

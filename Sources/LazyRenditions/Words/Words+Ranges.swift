internal import LazyEditing

extension Words {
    /// `1-2.5`, `10-`, `-3`: a part of a clip; without an end it goes to that of the clip.
    public static let range = Grammar<Range<Duration>>(
        "a part is written as 1-2.5; \(time.expected)",
        shape: "(?:\(time.shape))?-(?:\(time.shape))?",
        samples: ["1-2.5", "10-", "-3", "10:00-12:00", "1m-90s", "-"],
        read: { text throws(WordError) in
            let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard ends.count == 2, let start = ends[0].isEmpty ? .zero : readTime(ends[0]),
                let end = ends[1].isEmpty ? ClipEdit.toTheEnd : readTime(ends[1])
            else { return nil }
            guard start < end else {
                throw WordError("a segment must end after its start", given: text)
            }
            return start..<end
        },
        print: {
            let isOpen = $0.upperBound >= ClipEdit.toTheEnd
            return "\(time.text($0.lowerBound))-\(isOpen ? "" : time.text($0.upperBound))"
        })

    /// `1-2.5,10-12`: parts of a clip in the order in which they are shown.
    public static let segments = range.list(
        "segments are written as 1-2.5,10-12; \(time.expected)", samples: ["1-2.5,10-", "0-1"])
}

public import LazyEditing

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

    /// `12.5`, `1m2s`, `#120`, `chapter:3`: where a part of a clip begins or ends.
    public static let boundary = Grammar<ClipSection.Place>(
        "\(time.expected), a frame as #120 or a chapter as chapter:3",
        shape: "(?:\(time.shape))|#[0-9]+|chapter:[0-9]+",
        samples: ["0", "12.5", "1m2s", "00:01:02.5", "#120", "chapter:3"],
        read: readPlace,
        print: { place in
            switch place {
            case .time(let instant): time.text(instant)
            case .frame(let number): "#\(number)"
            case .chapter(let number): "chapter:\(number)"
            }
        })

    static func readPlace(_ text: String) -> ClipSection.Place? {
        if text.hasPrefix("#") {
            return (try? distance.parse(text.dropFirst())).map { .frame($0) }
        }
        return readChapter(text).map { .chapter($0) } ?? readTime(text).map { .time($0) }
    }

    /// `1-2.5`, `#100-#200`, `chapter:2-chapter:4`, and `chapter:3` for a whole chapter.
    public static let section = Grammar<ClipSection>(
        "a part is written as 1-2.5; \(boundary.expected)",
        shape: "chapter:[0-9]+|(?:\(boundary.shape))?-(?:\(boundary.shape))?",
        samples: [
            "1-2.5", "10-", "-3", "10:00-12:00", "#100-#200", "#50-", "chapter:3",
            "chapter:2-90:00",
        ],
        read: { text throws(WordError) in
            if let number = readChapter(text) {
                return ClipSection(from: .chapter(number), to: .chapter(number + 1))
            }
            let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard ends.count == 2, let start = ends[0].isEmpty ? .time(.zero) : readPlace(ends[0])
            else { return nil }
            guard !ends[1].isEmpty else { return ClipSection(from: start) }
            guard let end = readPlace(ends[1]) else { return nil }
            let part = ClipSection(from: start, to: end)
            guard part.times?.isEmpty != true else {
                throw WordError("a segment must end after its start", given: text)
            }
            return part
        },
        print: { part in
            if case .chapter(let number) = part.start, part.end == .chapter(number + 1) {
                return boundary.text(part.start)
            }
            return "\(boundary.text(part.start))-\(part.end.map(boundary.text) ?? "")"
        })

    /// `1-2.5,10-12`: parts of a clip in the order in which they are shown.
    public static let segments = section.list(
        "segments are written as 1-2.5,10-12; \(boundary.expected)",
        samples: ["1-2.5,10-", "0-1", "chapter:2,chapter:5"])
}

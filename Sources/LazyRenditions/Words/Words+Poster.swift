public import LazyMedia

extension Words {
    /// `auto`, `first`, `last`, `embedded`, `12.5`, `25%`, `#120`, `-1`, `10:00-12:00`: which picture.
    public static let poster = Grammar<PosterChoice>(
        "write auto, first, last, embedded, a time such as 12.5 or 00:01:02.5, "
            + "a percentage such as 25%, a frame such as #120 or -1, a chapter such as chapter:3, "
            + "or a part such as 10:00-12:00",
        words: posterWords.map(\.word),
        shape: posterWords.map(\.word).joined(separator: "|")
            + "|(?:#[+-]?|-)[0-9]+|chapter:[0-9]+|(?:\(decimalShape))%|(?:\(time.shape))(?:-(?:\(time.shape))?)?",
        samples: posterWords.map(\.word) + [
            "12.5", "00:01:02.5", "25%", "12.5%", "#120", "#-2", "-1", "chapter:3", "10:00-12:00",
            "10-",
        ],
        read: { text in
            if let named = posterWords.first(where: { $0.word == text }) { return named.choice }
            if text.hasPrefix("#") || text.hasPrefix("-") {
                let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
                return Int32(digits).map { .index(Int($0)) }
            }
            if let number = readChapter(text) { return .chapter(number) }
            if text.hasSuffix("%") {
                return readNumber(String(text.dropLast()), 0...100).map { .percent($0) }
            }
            return readTime(text).map { .at($0) }
                ?? (try? range.parse(text)).map { .within($0) }
        },
        print: { choice in
            switch choice {
            case .at(let time): Words.time.text(time)
            case .percent(let share): printNumber(share) + "%"
            case .index(let number) where number < -1: "\(number)"
            case .index(let number) where number >= 0: "#\(number)"
            case .chapter(let number): "chapter:\(number)"
            case .within(let part): range.text(part)
            default: posterWords.first { $0.choice == choice }?.word ?? "auto"
            }
        })

    /// `10,25%,#120,last`: frames by their place in the clip.
    public static let positions = poster.only(
        "write a time such as 12.5 or 00:01:02.5, a percentage such as 25%, a frame such as #120, "
            + "a chapter such as chapter:3, first or last",
        words: ["first", "last"],
        samples: ["first", "last", "12.5", "25%", "#120", "-1", "chapter:3"]
    ) { $0.isPosition }.list(
        "positions are written as 10,25%,#120; \(time.expected)",
        samples: ["10", "10,25%,#120,last"])

    /// The number of `chapter:3`, from 1.
    static func readChapter(_ text: String) -> Int? {
        guard text.hasPrefix("chapter:") else { return nil }
        return (try? count.parse(text.dropFirst(8)))
    }

    private static let posterWords: [(word: String, choice: PosterChoice)] = [
        ("auto", .auto), ("first", .first), ("last", .index(-1)), ("embedded", .embedded),
    ]
}

extension PosterChoice {
    /// Whether it is a place in the clip, and not chosen by its looks or a picture beside the frames.
    package var isPosition: Bool {
        switch self {
        case .first, .at, .percent, .index, .chapter: true
        case .embedded, .auto, .within: false
        }
    }
}

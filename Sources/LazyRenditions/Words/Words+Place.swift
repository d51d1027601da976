public import LazyEditing

extension Words {
    /// `center`, `smart`, `north-east`, `0.3,0.5`.
    public static let gravity = Grammar<Gravity>(
        "write \(gravityWords.joined(separator: ", ")) or a point such as 0.3,0.5",
        words: gravityWords, shape: "[a-z-]+|(?:\(decimalShape)),(?:\(decimalShape))",
        samples: gravityWords + ["centre", "northeast", "bottom-right", "top", "0.3,0.5", "0,1"],
        read: { given in
            let text = sides.reduce(given) { $0.replacing($1.side, with: $1.word) }
            // The spelling of earlier versions.
            if text == "centre" { return .center }
            let named = Gravity.named.first { gravity in
                [gravity.description, word(gravity)].contains(text)
                    || gravity.description.filter { $0 != "-" } == text
            }
            if let named { return named }
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            let shares = parts.compactMap { try? opacity.parse($0) }
            return parts.count == 2 && shares.count == 2 ? .point(shares[0], shares[1]) : nil
        }, print: word)

    /// `north-east`: a place that no picture decides.
    public static let place = Grammar<Gravity>(
        "it must be center, north, south-east or another such place", words: placeWords,
        shape: "[a-z-]+", samples: placeWords,
        read: { text throws(WordError) in
            let gravity = try gravity.parse(text)
            return placeWords.contains(word(gravity)) ? gravity : nil
        }, print: word)

    // As other programs call them.
    private static let sides: [(side: String, word: String)] = [
        ("top", "north"), ("bottom", "south"), ("left", "west"), ("right", "east"),
    ]
    private static let gravityWords =
        ["center", "smart"] + Gravity.named.dropFirst().map(\.description)
    private static let placeWords = gravityWords.filter {
        !["smart", "entropy", "attention"].contains($0)
    }

    // Keys of caches and journals have the description.
    private static func word(_ gravity: Gravity) -> String {
        switch gravity {
        case .attention: "smart"
        case .point(let x, let y): "\(opacity.text(x)),\(opacity.text(y))"
        default: gravity.description
        }
    }
}

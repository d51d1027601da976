public import LazyMedia

extension Words {
    /// `640x360`, `640x`, `x360`, `256` for a square; then `!` to fill, `^` to cover, `>` only to shrink.
    public static let size = Grammar<TargetSize>(
        "a size is written as 640x360, 640x, x360 or 256 (a square), with !, ^ or > after it",
        shape: "(?:\(side.shape)x?|(?:\(side.shape))?x\(side.shape))[!^>]?",
        samples: ["640x360", "640x", "x360", "256", "640x360!", "128^", "320x>"],
        read: { text in
            let fit = text.last.flatMap { mark in fitMarks.first { $0.mark == mark }?.fit }
            let sides = (fit == nil ? text[...] : text.dropLast())
                .split(separator: "x", omittingEmptySubsequences: false)
            let numbers = sides.map { try? side.parse($0) }
            guard sides.count <= 2, !sides.allSatisfy(\.isEmpty),
                zip(sides, numbers).allSatisfy({ $0.isEmpty || $1 != nil }),
                let width = numbers.first, let height = numbers.last
            else { return nil }
            return TargetSize(width: width, height: height, fit: fit ?? .contain)
        },
        print: { size in
            let mark = fitMarks.first { $0.fit == size.fit }.map { "\($0.mark)" } ?? ""
            return "\(size.width.map(side.text) ?? "")x\(size.height.map(side.text) ?? "")\(mark)"
        })

    /// `640`: a side of a picture, within what PNG readers accept, so that no product of two overflows.
    public static let side = whole(1...65535, "a side has 1 to 65535 pixels")

    /// `contain`, `cover`, `fill`, `scale-down`.
    public static let fit = choice(FitMode.self, "the ways to fit are")

    private static let fitMarks: [(mark: Character, fit: FitMode)] = [
        ("!", .fill), ("^", .cover), (">", .scaleDown),
    ]
}

internal import LazyFiles

/// `{a,b}` and `{1..9}` in patterns, as bash expands them: before files are looked for.
package enum BraceExpansion {
    /// More than this is a mistake.
    package static let most = 100_000

    /// All texts that one with braces stands for, in the order written; nil where there are too many.
    ///
    /// A brace without an end or a comma is an ordinary character, and so is one behind a backslash.
    package static func expand(_ text: String) -> [String]? {
        expand(Array(text.unicodeScalars)[...]).map { texts in
            texts.map { scalars in
                var text = ""
                text.unicodeScalars.append(contentsOf: scalars)
                return text
            }
        }
    }

    private typealias Scalars = ArraySlice<Unicode.Scalar>

    private static func expand(_ text: Scalars) -> [[Unicode.Scalar]]? {
        guard let (open, close, commas) = firstGroup(text) else { return [Array(text)] }
        guard let tails = expand(text[(close + 1)...]) else { return nil }
        let head = Array(text[..<open])
        var middles: [[Unicode.Scalar]] = []
        if commas.isEmpty {
            middles = range(text[(open + 1)..<close]) ?? []
        } else {
            var start = open + 1
            for end in commas + [close] {
                guard let part = expand(text[start..<end]) else { return nil }
                middles += part
                start = end + 1
            }
        }
        guard middles.count * tails.count <= most else { return nil }
        return middles.flatMap { middle in tails.map { head + middle + $0 } }
    }

    // The first pair of braces that means something, with its own commas.
    private static func firstGroup(_ text: Scalars) -> (open: Int, close: Int, commas: [Int])? {
        var place = text.startIndex
        while place < text.endIndex {
            switch text[place] {
            case "\\": place += 1
            case "{":
                if let (close, commas) = end(of: place, in: text),
                    !commas.isEmpty || range(text[(place + 1)..<close]) != nil
                {
                    return (place, close, commas)
                }
            default: break
            }
            place += 1
        }
        return nil
    }

    private static func end(of open: Int, in text: Scalars) -> (close: Int, commas: [Int])? {
        var (depth, place, commas) = (0, open + 1, [Int]())
        while place < text.endIndex {
            switch text[place] {
            case "\\": place += 1
            case "{": depth += 1
            case "}" where depth > 0: depth -= 1
            case "}": return (place, commas)
            case "," where depth == 0: commas.append(place)
            default: break
            }
            place += 1
        }
        return nil
    }

    // `1..9`, `9..1`, `01..10` with the zeros kept.
    private static func range(_ text: Scalars) -> [[Unicode.Scalar]]? {
        var string = ""
        string.unicodeScalars.append(contentsOf: text)
        let ends = string.split(separator: "..", omittingEmptySubsequences: false)
        guard ends.count == 2, let from = Int(ends[0]), let to = Int(ends[1]),
            abs(from) <= 1_000_000_000, abs(to) <= 1_000_000_000, abs(to - from) < most
        else { return nil }
        let isPadded = ends.contains { end in
            let digits = end.drop { $0 == "-" }
            return digits.count > 1 && digits.hasPrefix("0")
        }
        let width = isPadded ? ends.map(\.count).max() ?? 0 : 0
        let numbers = from <= to ? Array(from...to) : (to...from).reversed()
        return numbers.map { Array(String($0).padded(to: width).unicodeScalars) }
    }
}

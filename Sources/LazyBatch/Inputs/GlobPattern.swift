/// A pattern for one name, without slashes: `*`, `?` and `[a-z]`, and a backslash before any of them.
struct GlobPattern: Equatable {
    private enum Piece: Equatable {
        case scalar(Unicode.Scalar)
        /// `?`
        case any
        /// `*`
        case many
        case set(ScalarSet)
    }
    private var pieces: [Piece] = []
    /// The name, where the pattern has no wildcards.
    private(set) var literal: String?

    /// Reads a pattern; a `[` without an end is an ordinary character, as in every shell.
    init(_ text: some StringProtocol) {
        var rest = Array(text.unicodeScalars)[...]
        var isLiteral = true
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\\": pieces.append(.scalar(rest.popFirst() ?? "\\"))
            case "?": pieces.append(.any)
            case "*": if pieces.last != .many { pieces.append(.many) }
            case "[":
                if let set = ScalarSet(&rest) { pieces.append(.set(set)) } else { fallthrough }
            default: pieces.append(.scalar(scalar))
            }
        }
        var literal = ""
        for piece in pieces {
            if case .scalar(let scalar) = piece {
                literal.unicodeScalars.append(scalar)
            } else {
                isLiteral = false
            }
        }
        self.literal = isLiteral ? literal : nil
    }

    /// Whether it begins with a full stop, and so matches hidden names.
    var findsHidden: Bool { pieces.first == .scalar(".") }

    /// Whether a name matches; hidden names only where the pattern begins with a full stop.
    func matches(_ name: String) -> Bool {
        if name.hasPrefix("."), !findsHidden { return false }
        return matches(Array(name.unicodeScalars))
    }

    // Only the last `*` needs to be tried with more characters.
    private func matches(_ name: [Unicode.Scalar]) -> Bool {
        var (piece, place) = (0, 0)
        var star: (piece: Int, place: Int)?
        while place < name.count {
            if piece < pieces.count, pieces[piece] == .many {
                star = (piece, place)
                piece += 1
            } else if piece < pieces.count, Self.takes(pieces[piece], name[place]) {
                (piece, place) = (piece + 1, place + 1)
            } else if let last = star {
                star = (last.piece, last.place + 1)
                (piece, place) = (last.piece + 1, last.place + 1)
            } else {
                return false
            }
        }
        return pieces[piece...].allSatisfy { $0 == .many }
    }

    private static func takes(_ piece: Piece, _ scalar: Unicode.Scalar) -> Bool {
        switch piece {
        case .scalar(let own): own == scalar
        case .any, .many: true
        case .set(let set): set.contains(scalar)
        }
    }

    /// `[abc]`, `[a-z]`, `[!a]` and `[^a]`, `[[:digit:]]`.
    private struct ScalarSet: Equatable {
        private var ranges: [ClosedRange<Unicode.Scalar>] = []
        private var isInverted = false

        /// Parses the set after a `[`; nil, consuming nothing, if it has no end.
        init?(_ source: inout ArraySlice<Unicode.Scalar>) {
            var rest = source
            if rest.first == "!" || rest.first == "^" {
                isInverted = true
                rest.removeFirst()
            }
            var isFirst = true
            while let scalar = rest.popFirst() {
                if scalar == "]", !isFirst {
                    source = rest
                    return
                }
                isFirst = false
                if scalar == "[", rest.first == ":", let named = Self.takeClass(&rest) {
                    ranges += named
                    continue
                }
                let from = scalar == "\\" ? rest.popFirst() ?? scalar : scalar
                guard rest.first == "-", let second = rest.dropFirst().first, second != "]" else {
                    ranges.append(from...from)
                    continue
                }
                rest.removeFirst(2)
                let to = second == "\\" ? rest.popFirst() ?? second : second
                // An empty range matches nothing.
                if from <= to { ranges.append(from...to) }
            }
            return nil
        }

        func contains(_ scalar: Unicode.Scalar) -> Bool {
            ranges.contains { $0.contains(scalar) } != isInverted
        }

        private static let classes: [String: [ClosedRange<Unicode.Scalar>]] = [
            "alpha": ["A"..."Z", "a"..."z"], "digit": ["0"..."9"],
            "alnum": ["0"..."9", "A"..."Z", "a"..."z"], "upper": ["A"..."Z"],
            "lower": ["a"..."z"], "space": ["\t"..."\r", " "..." "],
            "xdigit": ["0"..."9", "A"..."F", "a"..."f"],
            "punct": ["!"..."/", ":"..."@", "["..."`", "{"..."~"],
        ]

        private static func takeClass(
            _ rest: inout ArraySlice<Unicode.Scalar>
        ) -> [ClosedRange<Unicode.Scalar>]? {
            for (name, ranges) in classes {
                let text = Array(":\(name):]".unicodeScalars)
                if rest.starts(with: text) {
                    rest.removeFirst(text.count)
                    return ranges
                }
            }
            return nil
        }
    }
}

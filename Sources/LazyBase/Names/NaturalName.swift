/// A name that is compared as people count: `f2` before `f10`, capitals beside small letters.
public struct NaturalName: Comparable {
    private enum Piece: Equatable {
        case number(String)
        case text(String)
    }
    private let pieces: [Piece]
    /// The name itself.
    public let name: String

    /// Splits a name into numbers and the text between them.
    public init(_ name: String) {
        self.name = name
        var pieces: [Piece] = []
        var run = ""
        var isNumber = false
        for scalar in name.unicodeScalars {
            let isDigit = ("0"..."9").contains(scalar)
            if isDigit != isNumber, !run.isEmpty {
                pieces.append(Self.piece(run, isNumber))
                run = ""
            }
            isNumber = isDigit
            run.unicodeScalars.append(scalar)
        }
        if !run.isEmpty { pieces.append(Self.piece(run, isNumber)) }
        self.pieces = pieces
    }

    // Digits without leading zeros: of two, the longer number is the larger one.
    private static func piece(_ run: String, _ isNumber: Bool) -> Piece {
        isNumber ? .number(String(run.drop { $0 == "0" })) : .text(run.lowercased())
    }

    /// Whether the names are equal, letter by letter.
    public static func == (one: NaturalName, other: NaturalName) -> Bool { one.name == other.name }

    /// Whether one comes before the other; never so of equal names.
    public static func < (one: NaturalName, other: NaturalName) -> Bool {
        for (left, right) in zip(one.pieces, other.pieces) where left != right {
            switch (left, right) {
            case (.number(let left), .number(let right)):
                return left.utf8.count == right.utf8.count
                    ? left < right : left.utf8.count < right.utf8.count
            case (.text(let left), .text(let right)): return left < right
            case (.number, .text): return true
            case (.text, .number): return false
            }
        }
        if one.pieces.count != other.pieces.count { return one.pieces.count < other.pieces.count }
        return one.name < other.name
    }
}

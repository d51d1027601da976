/// A name that is compared as people count: `f2` before `f10`, capitals beside small letters.
package struct NaturalName: Comparable {
    private enum Piece: Equatable {
        case number(String)
        case text(String)
    }
    private let pieces: [Piece]
    /// The name itself.
    package let name: String

    package init(_ name: String) {
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

    package static func == (one: NaturalName, other: NaturalName) -> Bool { one.name == other.name }

    package static func < (one: NaturalName, other: NaturalName) -> Bool {
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

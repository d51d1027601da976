internal import ArgumentParser
internal import LazyEditing
internal import LazyMedia
internal import LazyTerminal

/// Parses the values of options.
enum Arguments {
    static func duration(_ text: String) throws -> Duration {
        guard let duration = TimestampParser.duration(text) else {
            throw ArgumentError(TimestampParser.explanation)
        }
        return duration
    }

    static func positive(_ text: String) throws -> Int {
        guard let number = Int(text), (1...Int(Int32.max)).contains(number) else {
            throw ArgumentError("it must be a whole number of at least 1")
        }
        return number
    }

    /// A side of an image, within what PNG readers accept, so that no product of two overflows.
    static func side(_ text: String) throws -> Int {
        guard let number = Int(text), (1...65535).contains(number) else {
            throw ArgumentError("a side has 1 to 65535 pixels")
        }
        return number
    }

    /// The number of workers; each holds a frame.
    static func jobs(_ text: String) throws -> Int {
        guard let number = Int(text), (0...256).contains(number) else {
            throw ArgumentError("it must be a whole number from 0 to 256")
        }
        return number
    }

    static func notNegative(_ text: String) throws -> Int {
        guard let number = Int(text), (0...Int(Int32.max)).contains(number) else {
            throw ArgumentError("it must be a whole number of at least 0")
        }
        return number
    }

    /// The product of a part of a rate and the ticks of a day does not overflow `Int64`.
    private static let ratePart: ClosedRange<Int64> = 1...1_000_000

    /// `12`, `12.5`, `30000/1001`: frames per second, exactly.
    static func rate(_ text: String) throws -> Rational {
        let fault = ArgumentError("a rate is written as 12, 12.5 or 30000/1001, up to 1000")
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let rate: Rational
        if parts.count == 2, let above = Int64(parts[0]), let below = Int64(parts[1]), below > 0 {
            rate = Rational(above, below)
        } else if let duration = text.allSatisfy({ $0.isNumber || $0 == "." })
            ? TimestampParser.duration(text) : nil
        {
            let (seconds, atto) = duration.components
            let milli = atto / 1_000_000_000_000_000
            rate = milli == 0 ? Rational(seconds, 1) : Rational(seconds * 1000 + milli, 1000)
        } else {
            throw fault
        }
        guard ratePart.contains(rate.numerator), ratePart.contains(rate.denominator),
            rate.doubleValue <= 1000
        else { throw fault }
        return rate
    }

    /// `640x360`, `640x`, `x360`, `256` for a square; then `!` to fill, `^` to cover, `>` only to shrink.
    static func size(_ text: String) throws -> TargetSize {
        let fault = ArgumentError(
            "a size is written as 640x360, 640x, x360 or 256 (a square), with !, ^ or > after it")
        let marks: [Character: FitMode] = ["!": .fill, "^": .cover, ">": .scaleDown]
        let fit = text.last.flatMap { marks[$0] }
        let digits = fit == nil ? text[...] : text.dropLast()
        if let side = try? self.side(String(digits)) {
            return TargetSize(width: side, height: side, fit: fit ?? .contain)
        }
        let sides = digits.split(separator: "x", omittingEmptySubsequences: false)
        guard sides.count == 2, !(sides[0].isEmpty && sides[1].isEmpty) else { throw fault }
        var numbers: [Int?] = []
        for side in sides {
            if side.isEmpty {
                numbers.append(nil)
            } else if let number = try? self.side(String(side)) {
                numbers.append(number)
            } else {
                throw fault
            }
        }
        return TargetSize(width: numbers[0], height: numbers[1], fit: fit ?? .contain)
    }

    /// `contain`, `cover`, `fill`, `scale-down`.
    static func fit(_ text: String) throws -> FitMode {
        guard let fit = FitMode(rawValue: text) else {
            let words = FitMode.allCases.map(\.rawValue).joined(separator: ", ")
            throw ArgumentError("the ways to fit are \(words)")
        }
        return fit
    }

    static func tone(_ text: String) throws -> ToneMapping {
        guard let tone = ToneMapping(rawValue: text) else {
            let words = ToneMapping.allCases.map(\.rawValue).joined(separator: ", ")
            throw ArgumentError("the ways to map HDR are \(words)")
        }
        return tone
    }

    static func track(_ text: String) throws -> MediaTrack {
        guard let track = MediaTrack(text) else {
            let words = MediaTrack.words.joined(separator: ", ")
            throw ArgumentError("the tracks are \(words), and 1, 2 and so on for video tracks")
        }
        return track
    }

    /// `80x24`: columns and lines of a terminal.
    static func cells(_ text: String) throws -> CellGrid {
        let sides = text.split(separator: "x").compactMap { Int($0) }
        guard sides.count == 2, text.split(separator: "x").count == 2,
            let grid = CellGrid(checking: sides[0], sides[1])
        else { throw ArgumentError("columns and lines are written as 80x24, up to 1000 each") }
        return grid
    }

    /// `3x2`, or the columns alone.
    static func grid(_ text: String) throws -> GridShape {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count <= 2, let columns = sides[0], (1...1000).contains(columns) else {
            throw ArgumentError("a grid is written as 3x2, or as a number of columns")
        }
        guard sides.count == 2 else { return GridShape(columns: columns, rows: nil) }
        guard let rows = sides[1], (1...1000).contains(rows) else {
            throw ArgumentError("a grid is written as 3x2, or as a number of columns")
        }
        return GridShape(columns: columns, rows: rows)
    }

    /// `auto`, `truecolor`, `256`, `16`, `none`.
    static func colorDepth(_ text: String) throws -> Chosen<ColorDepth> {
        switch text {
        case "auto": return .auto
        case "truecolor", "24bit", "full": return .value(.truecolor)
        case "256": return .value(.palette256)
        case "16": return .value(.palette16)
        case "none": return .value(.mono)
        default: throw ArgumentError("the depths are auto, truecolor, 256, 16 and none")
        }
    }

    /// `auto`, or the name of a protocol.
    static func terminalProtocol(_ text: String) throws -> Chosen<TerminalProtocol> {
        if text == "auto" { return .auto }
        guard let named = TerminalProtocol(named: text) else {
            let names = TerminalProtocol.all.map(\.name)
            throw ArgumentError("the protocols are auto, \(names.joined(separator: ", "))")
        }
        return .value(named)
    }

    /// `3`, `forever`, `once`, `source`.
    static func looping(_ text: String) throws -> Looping {
        switch text {
        case "forever", "inf": return .forever
        case "once", "no": return .times(1)
        case "source": return .asAuthored
        default:
            guard let count = try? positive(text) else {
                throw ArgumentError("write a number of plays, 'once', 'forever' or 'source'")
            }
            return .times(count)
        }
    }
}

extension Arguments {
    /// A value of an enumeration.
    static func word<Word: CaseIterable & RawRepresentable<String>>(_ text: String) throws -> Word {
        guard let word = Word(rawValue: text) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw ArgumentError("the values are \(words)")
        }
        return word
    }

    /// A number in a range.
    static func number(_ text: String, _ range: ClosedRange<Double>) throws -> Double {
        guard let number = Double(text), range.contains(number) else {
            throw ArgumentError(
                "it must be a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
        }
        return number
    }

    /// A whole number in a range.
    static func whole(_ text: String, _ range: ClosedRange<Int>) throws -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw ArgumentError(
                "it must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A CSS color: a name, `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`.
    static func color(_ text: String) throws -> PixelColor {
        guard let color = PixelColor(css: text) else {
            throw ArgumentError("a color is written as white, #fff, #ff8000 or #ff800080")
        }
        return color
    }

    /// `200K`, `1.5M`, `64KiB`: a number of bytes of at least 1.
    static func bytes(_ text: String) throws -> Int {
        guard let bytes = ByteSize.parse(text), bytes > 0 else {
            throw ArgumentError("a size is written as 1500, 200K, 1.5M or 64KiB")
        }
        return bytes
    }

    /// Parses the value of `--format` of a command that writes only some formats.
    static func format(_ formats: [OutputFormat]) -> @Sendable (String) throws -> OutputFormat {
        { text in
            // A format that this command cannot write is reported later, with the reason.
            if let format = OutputFormat(text) { return format }
            let words = formats.map(\.rawValue)
            let near =
                Suggestion.nearest(text, among: words).map { ". Did you mean '\($0)'?" } ?? ""
            throw ArgumentError("the formats are \(words.joined(separator: ", "))\(near)")
        }
    }
}

extension OverwritePolicy: ExpressibleByArgument {}

extension OutputFormat: ExpressibleByArgument {
    /// Empty, since the help of each command lists its own formats.
    static var allValueStrings: [String] { [] }

    init?(argument: String) { self.init(argument) }
}

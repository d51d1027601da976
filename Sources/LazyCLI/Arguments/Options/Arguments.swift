internal import ArgumentParser
internal import LazyRenditions
internal import LazyTerminal

/// Parses the values of options that only this program has.
enum Arguments {
    /// `80x24`: columns and lines of a terminal.
    static func cells(_ text: String) throws -> CellGrid {
        let sides = text.split(separator: "x").compactMap { Int($0) }
        guard sides.count == 2, text.split(separator: "x").count == 2,
            let grid = CellGrid(checking: sides[0], sides[1])
        else {
            throw WordError("columns and lines are written as 80x24, up to 1000 each", given: text)
        }
        return grid
    }

    /// `3x2`, or the columns alone.
    static func grid(_ text: String) throws -> GridShape {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count <= 2, let columns = sides[0],
            sides.allSatisfy({ (1...1000).contains($0 ?? 0) })
        else {
            throw WordError("a grid is written as 3x2, or as a number of columns", given: text)
        }
        return GridShape(columns: columns, rows: sides.count == 2 ? sides[1] : nil)
    }

    /// `auto`, `truecolor`, `256`, `16`, `none`.
    static func colorDepth(_ text: String) throws -> Chosen<ColorDepth> {
        switch text {
        case "auto": return .auto
        case "truecolor", "24bit", "full": return .value(.truecolor)
        case "256": return .value(.palette256)
        case "16": return .value(.palette16)
        case "none": return .value(.mono)
        default: throw WordError("the depths are auto, truecolor, 256, 16 and none", given: text)
        }
    }

    /// `auto`, or the name of a protocol.
    static func terminalProtocol(_ text: String) throws -> Chosen<TerminalProtocol> {
        if text == "auto" { return .auto }
        guard let named = TerminalProtocol(named: text) else {
            let names = TerminalProtocol.all.map(\.name)
            throw WordError("the protocols are auto, \(names.joined(separator: ", "))", given: text)
        }
        return .value(named)
    }
}

extension OverwritePolicy: ExpressibleByArgument {}

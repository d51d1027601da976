/// The names in a font file in the format of TrueType, and its table of characters.
///
/// A script asks for a family that the system may have under another name only; so the font gets the name that
/// is asked for.
enum FontNames {
    /// The bytes of a font with other names of its family; nil for another format.
    ///
    /// `index` is its number in a collection, of which it becomes the only font.
    static func renamed(_ font: [UInt8], index: Int, _ families: [String]) -> [UInt8]? {
        var bytes = font
        var start = 0
        if font.prefix(4) == Array("ttcf".utf8)[...] {
            guard (0..<Int(font.number(at: 8, bytes: 4) ?? 0)).contains(index),
                let offset = font.number(at: 12 + 4 * index, bytes: 4)
            else { return nil }
            start = offset
            bytes.set(1, at: 8, bytes: 4)
            bytes.set(start, at: 12, bytes: 4)
        } else if index != 0 {
            // An instance of a variable font.
            return nil
        }
        guard let record = record("name", in: font, at: start) else { return nil }
        hideShortTables(of: font, at: start, in: &bytes)
        bytes += [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
        let table = table(families)
        bytes.set(bytes.count, at: record + 8, bytes: 4)
        bytes.set(table.count, at: record + 12, bytes: 4)
        return bytes + table
    }

    /// Where a font lists one of its tables.
    private static func record(_ name: String, in font: [UInt8], at start: Int) -> Int? {
        guard let count = font.number(at: start + 4, bytes: 2) else { return nil }
        let records = (0..<count).map { start + 12 + 16 * $0 }
        let record = records.first { font[min($0, font.count)...].starts(with: name.utf8) }
        return record.flatMap { $0 + 16 <= font.count ? $0 : nil }
    }

    /// Gives the table of the first 65,536 characters another platform where there is one of all characters.
    ///
    /// libass takes the first one for Windows, and without fontconfig never looks for an emoji in the other one.
    private static func hideShortTables(of font: [UInt8], at start: Int, in bytes: inout [UInt8]) {
        guard let record = record("cmap", in: font, at: start),
            let table = font.number(at: record + 8, bytes: 4),
            let count = font.number(at: table + 2, bytes: 2)
        else { return }
        let places = (0..<count).map { table + 4 + 8 * $0 }
        let kinds = places.map { font.number(at: $0, bytes: 4) }
        // Platform 3 is Windows: encoding 1 has 16 bits, 10 has all; platform 0 is Unicode, of which 3 has 16 bits.
        guard kinds.contains(3 << 16 | 10) else { return }
        for (place, kind) in zip(places, kinds) where kind == 3 << 16 | 1 {
            bytes.set(3, at: place, bytes: 4)
        }
    }

    /// A naming table of families only (OpenType, "name").
    private static func table(_ families: [String]) -> [UInt8] {
        let names = families.prefix(64).map { name in
            name.utf16.flatMap {
                [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)]
            }
        }
        var table = words([0, names.count, 6 + 12 * names.count])
        var offset = 0
        for name in names {
            // Windows, Unicode, American English, family.
            table += words([3, 1, 0x409, 1, name.count, offset])
            offset += name.count
        }
        return table + names.joined()
    }

    private static func words(_ numbers: [Int]) -> [UInt8] {
        numbers.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }
}

extension [UInt8] {
    /// A big-endian number, or nil behind the end.
    fileprivate func number(at offset: Int, bytes: Int) -> Int? {
        guard offset >= 0, offset + bytes <= count else { return nil }
        return self[offset..<offset + bytes].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Writes a big-endian number where there are bytes.
    fileprivate mutating func set(_ number: Int, at offset: Int, bytes: Int) {
        for index in 0..<bytes where offset + index < count {
            self[offset + index] = UInt8(truncatingIfNeeded: number >> (8 * (bytes - 1 - index)))
        }
    }
}

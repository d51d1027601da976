import LazyMedia
import Support
import Testing

/// The sniffer by itself, over signatures of made-up formats.
@Suite struct MediaSnifferTests {
    private static let signatures: [MediaSignature] = [
        .text("AB", type("short")), .text("ABCD", type("long")), .text("ABCD", type("later")),
        .bytes([1, 2], type("refined")) { bytes in
            guard bytes.byteCount >= 40 else { return .needsBytes(40) }
            return .known(
                type(bytes.unsafeLoad(fromByteOffset: 39, as: UInt8.self) == 7 ? "7" : "0"))
        },
        .riff("FORM", type("form")), .ebml("docs", type("docs")),
        .ebml(nil, type("other document")),
        .brand("pict", type("picture")), .brand("film", type("film", .video)),
        .commonBrand("comm", type("common")), .otherBrands(type("other brand", .video)),
        .firstBox("once", type("first box")),
        .beginning(type("looked for")) { bytes in
            guard bytes.byteCount >= 20 else { return .needsBytes(20) }
            let mark = bytes.unsafeLoad(fromByteOffset: 19, as: UInt8.self)
            return .known(mark == 9 ? type("looked for") : .unknown)
        },
    ]

    private static func type(_ name: String, _ family: MediaType.Family = .still) -> MediaType {
        MediaType(name: name, mimeType: "image/\(name)", family: family)
    }

    /// Bytes, and the name of their type.
    static let table: [([UInt8], String)] = [
        (text("AB", 12), "short"), (text("ABCD", 12), "long"), (text("ABC", 12), "short"),
        ([1, 2] + zeros(37) + [7], "7"), ([1, 2] + zeros(38), "0"),
        (text("RIFF", 8) + text("FORM", 8), "form"), (text("RIFF", 8) + text("ABCD", 8), "unknown"),
        (document("docs"), "docs"), (document("else"), "other document"),
        (brands("pict"), "picture"), (brands("film"), "film"), (brands("none"), "other brand"),
        (brands("none", "pict"), "picture"), (brands("film", "pict"), "film"),
        (brands("comm"), "common"), (brands("none", "comm"), "common"),
        (brands("comm", "film"), "common"), (brands("comm", "film", "pict"), "picture"),
        (zeros(4) + text("once", 8), "first box"), (zeros(4) + text("else", 16), "unknown"),
        (zeros(19) + [9], "looked for"), (zeros(24), "unknown"),
    ]

    @Test(arguments: table) func `a signature tells its type`(bytes: [UInt8], name: String) throws {
        #expect(Self.sniff(bytes, isWhole: false) == name)
        #expect(try MediaSniffer(Self.signatures).type(of: MemoryBytes(bytes)).name == name)
    }

    /// Bytes, how many are asked for, and the name of their type where there are no more.
    @Test(
        arguments: [
            ([], 12, "unknown"), (text("AB", 2), 12, "short"), (text("ABCD", 11), 12, "long"),
            ([1, 2] + zeros(20), 40, "refined"), (text("RIFF", 8), 12, "unknown"),
            (document("docs").dropLast(), 16, "other document"),
            ([0x1A, 0x45, 0xDF, 0xA3, 0x50, 0] + zeros(6), 0x1006, "other document"),
            (Array(brands("none", "pict").dropLast()), 20, "other brand"),
            (Array(brands("pict", "none").dropLast()), 20, "picture"),
            (zeros(19), 20, "unknown"),
        ] as [([UInt8], Int, String)])
    func `a prefix that does not suffice asks for more`(
        prefix: [UInt8], count: Int, name: String
    ) {
        #expect(Self.sniff(prefix, isWhole: false) == "needs \(count)")
        #expect(Self.sniff(prefix, isWhole: true) == name)
    }

    @Test func `without signatures nothing is recognized`() throws {
        for (bytes, _) in Self.table {
            #expect(try MediaSniffer([]).type(of: MemoryBytes(bytes)) == .unknown)
        }
    }

    private static func sniff(_ bytes: [UInt8], isWhole: Bool) -> String {
        switch MediaSniffer(signatures).sniff(bytes.span.bytes, isWhole: isWhole) {
        case .known(let type): type.name
        case .needsBytes(let count): "needs \(count)"
        }
    }

    private static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

    private static func text(_ text: String, _ count: Int) -> [UInt8] {
        Array(text.utf8) + zeros(count - text.utf8.count)
    }

    private static func document(_ name: String) -> [UInt8] {
        [0x1A, 0x45, 0xDF, 0xA3, 0x8B, 0x42, 0x86, 0x81, 1] + [0x42, 0x82, 0x84] + text(name, 4)
    }

    private static func brands(_ names: String...) -> [UInt8] {
        let content = text(names[0], 8) + names.dropFirst().flatMap { Array($0.utf8) }
        return [0, 0, 0, UInt8(8 + content.count)] + text("ftyp", 4) + content
    }
}

internal import LazyMedia

/// What a camera RAW file is called.
enum RAWKind {
    /// The first bytes of kinds that are no TIFF.
    static let signatures: [(bytes: [UInt8], name: String)] = [
        (Array("FUJIFILMCCD-RAW".utf8), "Fujifilm RAF"),
        (Array("II".utf8) + [0x1A, 0, 0, 0] + Array("HEAPCCDR".utf8), "Canon CRW"),
        (Array("FOVb".utf8), "Sigma X3F"), ([0] + Array("MRM".utf8), "Minolta MRW"),
        (Array("IIU".utf8) + [0], "Panasonic RW2"), (Array("IIRO".utf8), "Olympus ORF"),
        (Array("IIRS".utf8), "Olympus ORF"), (Array("MMOR".utf8), "Olympus ORF"),
    ]

    /// The name by the file's first bytes and the camera's maker.
    static func name(head: [UInt8], _ directories: RAWDirectories) -> String {
        if let found = signatures.first(where: { head.starts(with: $0.bytes) }) {
            return found.name
        }
        if head.dropFirst(4).starts(with: "ftyp".utf8) { return "Canon CR3" }
        if directories.isDNG { return "DNG" }
        if head.dropFirst(8).starts(with: "CR".utf8) { return "Canon CR2" }
        let maker = directories.maker.uppercased()
        return makers.first { maker.contains($0.maker) }?.name ?? "TIFF/EP"
    }

    private static let makers: [(maker: String, name: String)] = [
        ("NIKON", "Nikon NEF"), ("SONY", "Sony ARW"), ("PENTAX", "Pentax PEF"),
        ("RICOH", "Pentax PEF"), ("KODAK", "Kodak KDC"), ("SAMSUNG", "Samsung SRW"),
        ("HASSELBLAD", "Hasselblad 3FR"), ("PHASE ONE", "Phase One IIQ"), ("LEAF", "Leaf IIQ"),
        ("EPSON", "Epson ERF"),
    ]
}

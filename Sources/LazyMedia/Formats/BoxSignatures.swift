/// The signatures of ISO base media and QuickTime, by their first box.
struct BoxSignatures: Sendable {
    private var brands: [String: MediaType] = [:]
    private var commonBrands: [(name: String, type: MediaType)] = []
    private var firstBoxes: [(name: String, type: MediaType)] = []
    private var others: MediaType?

    mutating func add(_ signature: MediaSignature) {
        let type = signature.type
        switch signature.test {
        case .brand(let name): if brands[name] == nil { brands[name] = type }
        case .commonBrand(let name): commonBrands.append((name, type))
        case .firstBox(let name): firstBoxes.append((name, type))
        default: others = others ?? type
        }
    }

    /// What the first box tells, or nil where there is none.
    func match(_ bytes: RawSpan) -> MediaSniffer.Match? {
        guard bytes.hasWord("ftyp", at: 4) else {
            return firstBoxes.first { bytes.hasWord($0.name, at: 4) }.map { .known($0.type) }
        }
        guard let size = bytes.bigEndian32(at: 0), size >= 8 else {
            return .known(others ?? .unknown)
        }
        let end = Int(min(size, 4096))
        guard bytes.byteCount >= end else {
            return .needs(end, otherwise: brandedType(bytes, end: bytes.byteCount))
        }
        return .known(brandedType(bytes, end: end))
    }

    /// The type that the major and all compatible brands of an `ftyp` box name together.
    private func brandedType(_ bytes: RawSpan, end: Int) -> MediaType {
        // A file of minimized tables has its codec's brand in place of a version.
        let first = bytes.hasWord("mif3", at: 8) ? [8, 12] : [8]
        let names = (first + Array(stride(from: 16, to: max(16, end - 3), by: 4)))
            .compactMap { bytes.word(at: $0) }
        // The major brand decides where it is known; one that formats share only says "a picture".
        let common = commonBrands.first { $0.name == names.first }?.type
        let types = names.compactMap { brands[$0] }.filter {
            common == nil || $0.family != .video
        }
        // Of a picture and a sequence in one file the one that such a brand names is meant.
        let meant = common.flatMap { common in types.first { $0.family == common.family } }
        if let type = meant ?? types.first { return type }
        return commonBrands.first { names.contains($0.name) }?.type ?? others ?? .unknown
    }
}

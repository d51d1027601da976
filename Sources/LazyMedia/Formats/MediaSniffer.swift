/// Tells what bytes are by the signatures of some formats.
///
/// Containers come first, then the bytes that files begin with, the longest first, and last what
/// has to be looked for: at the beginning, then anywhere near it.
public struct MediaSniffer: Sendable {
    private var forms: [(name: String, signature: MediaSignature)] = []
    private var documentTypes: [(name: String?, signature: MediaSignature)] = []
    private var magics: [(bytes: [UInt8], signature: MediaSignature)] = []
    private var beginnings: [MediaSignature] = []
    private var lateMarks: [MediaSignature] = []
    private var wholes: [(type: MediaType, other: MediaType, test: MediaSignature.Whole)] = []
    private var boxes = BoxSignatures()

    /// Makes a sniffer; of two signatures of one kind the first one decides.
    public init(_ signatures: [MediaSignature]) {
        for signature in signatures {
            switch signature.test {
            case .bytes(let bytes): magics.append((bytes, signature))
            case .form(let name): forms.append((name, signature))
            case .documentType(let name): documentTypes.append((name, signature))
            case .beginning: beginnings.append(signature)
            case .late: lateMarks.append(signature)
            case .whole(let other, let test): wholes.append((signature.type, other, test))
            case .brand, .commonBrand, .otherBrands, .firstBox: boxes.add(signature)
            }
        }
        magics.sort { $0.bytes.count > $1.bytes.count }
    }

    /// Tells what bytes are from a prefix of them, or how long a prefix is needed.
    ///
    /// Never answers `.needsBytes` when `isWhole`: a file that is cut short is then judged by the
    /// bytes it has. Costs O(number of boxes or chunks before the answer).
    public func sniff(_ prefix: RawSpan, isWhole: Bool = false) -> MediaType.Sniffed {
        let match = match(prefix, isWhole)
        guard case .needsBytes(let count) = match.answer, isWhole || count <= prefix.byteCount
        else { return match.answer }
        return .known(match.otherwise)
    }

    /// Tells the type of a whole source, reading no more of it than it must.
    ///
    /// Throws what reading the source throws.
    public func type(of bytes: any ByteSource) throws(MediaError) -> MediaType {
        var length = min(bytes.count, 64)
        while true {
            let prefix = try bytes.bytes(length, at: 0)
            let isWhole = length == bytes.count || length >= Self.longestPrefix
            switch sniff(prefix.span.bytes, isWhole: isWhole) {
            case .known(let type): return try whole(type, of: bytes)
            case .needsBytes(let count):
                length = min(bytes.count, max(count, length * 4), Self.longestPrefix)
            }
        }
    }

    /// The type that all bytes tell where they begin as those of this type; of an incomplete file the type itself.
    private func whole(
        _ type: MediaType, of bytes: any ByteSource
    ) throws(MediaError) -> MediaType {
        for (found, other, test) in wholes where other == type && !bytes.isPartial {
            if try test(bytes) { return found }
        }
        return type
    }

    /// A picture file whose telling chunk lies behind more metadata than this counts as a still.
    private static let longestPrefix = 1 << 24

    // MARK: - Tests in their order

    /// An answer, and the type where it asks for more bytes than there are.
    struct Match {
        var answer: MediaType.Sniffed
        var otherwise = MediaType.unknown

        static let unknown = known(.unknown)

        static func known(_ type: MediaType) -> Match { Match(answer: .known(type)) }

        static func needs(_ count: Int, otherwise type: MediaType = .unknown) -> Match {
            Match(answer: .needsBytes(count), otherwise: type)
        }

        init(_ signature: MediaSignature, _ bytes: RawSpan) {
            answer = signature.refinement?(bytes) ?? .known(signature.type)
            otherwise = signature.type
        }

        private init(answer: MediaType.Sniffed, otherwise: MediaType = .unknown) {
            self.answer = answer
            self.otherwise = otherwise
        }
    }

    private func match(_ bytes: RawSpan, _ isWhole: Bool) -> Match {
        let match = test(bytes, isWhole)
        guard bytes.byteCount < 12 else { return match }
        guard case .known(let type) = match.answer else {
            return .needs(12, otherwise: match.otherwise)
        }
        return .needs(12, otherwise: type)
    }

    private func test(_ bytes: RawSpan, _ isWhole: Bool) -> Match {
        if bytes.hasWord("RIFF", at: 0) { return riff(bytes) }
        if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return ebml(bytes) }
        if let match = boxes.match(bytes) { return match }
        for magic in magics where bytes.starts(with: magic.bytes) {
            let match = Match(magic.signature, bytes)
            if match.answer != .known(.unknown) { return match }
        }
        for signature in beginnings + lateMarks {
            let match = Match(signature, bytes)
            switch match.answer {
            case .known(.unknown): continue
            case .known: return match
            // The next one may do with the bytes that there are.
            case .needsBytes where isWhole: continue
            case .needsBytes(let count): return .needs(count)
            }
        }
        return .unknown
    }

    private func riff(_ bytes: RawSpan) -> Match {
        guard let form = forms.first(where: { bytes.hasWord($0.name, at: 8) }) else {
            return .unknown
        }
        return Match(form.signature, bytes)
    }

    /// The `DocType` of an EBML header (RFC 8794, 11.2.4).
    private func ebml(_ bytes: RawSpan) -> Match {
        let usual = documentTypes.first { $0.name == nil }?.signature.type ?? .unknown
        guard let size = bytes.ebmlNumber(at: 4) else { return .needs(12, otherwise: usual) }
        let start = 4 + size.count
        let end = start + Int(min(size.value, 4096))
        var offset = start
        while offset < end {
            guard let id = bytes.ebmlNumber(at: offset),
                let length = bytes.ebmlNumber(at: offset + id.count)
            else { break }
            let content = offset + id.count + length.count
            if id.marked == 0x4282 {
                let needed = content + Int(min(length.value, 64))
                guard bytes.byteCount >= needed else { return .needs(needed, otherwise: usual) }
                let named = documentTypes.first {
                    $0.name.map { bytes.hasWord($0, at: content) } == true
                }
                return .known(named?.signature.type ?? usual)
            }
            offset = content + Int(length.value)
        }
        return bytes.byteCount < end ? .needs(end, otherwise: usual) : .known(usual)
    }
}

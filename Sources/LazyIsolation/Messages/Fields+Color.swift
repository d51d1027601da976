internal import LazyMedia

extension ColorDescription: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(primaries.rawValue)
        writer.put(transfer.rawValue)
        writer.put(matrix.rawValue)
        writer.put(isFullRange)
        writer.put(gamma)
        writer.put(chromaticities)
        writer.put(bytes: profile?.bytes ?? [])
        writer.put(masteringDisplay)
        writer.put(contentLight)
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        self.init(
            primaries: ColorPrimaries(rawValue: try reader.number()),
            transfer: TransferCharacteristics(rawValue: try reader.number()),
            matrix: MatrixCoefficients(rawValue: try reader.number()),
            isFullRange: try reader.field(), gamma: try reader.field(),
            chromaticities: try reader.field())
        let bytes = try reader.list(atMost: 16 << 20)
        profile = ICCProfile(bytes)
        guard bytes.isEmpty || profile != nil else {
            throw GrammarError("A message has a color profile that is none.")
        }
        masteringDisplay = try reader.field()
        contentLight = try reader.field()
    }
}

extension Chromaticities: MessageField {
    func write(to writer: inout MessageWriter) {
        for point in [red, green, blue, white] {
            writer.put(point.x)
            writer.put(point.y)
        }
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        func point(_ reader: inout MessageReader) throws(GrammarError) -> SIMD2<Double> {
            SIMD2(try reader.field(), try reader.field())
        }
        self.init(
            red: try point(&reader), green: try point(&reader), blue: try point(&reader),
            white: try point(&reader))
    }
}

extension MasteringDisplay: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(chromaticities)
        writer.put(maximumLuminance)
        writer.put(minimumLuminance)
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        self.init(
            chromaticities: try reader.field(), maximumLuminance: try reader.field(),
            minimumLuminance: try reader.field())
    }
}

extension ContentLight: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(maximum)
        writer.put(maximumAverage)
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        self.init(maximum: try reader.field(), maximumAverage: try reader.field())
    }
}

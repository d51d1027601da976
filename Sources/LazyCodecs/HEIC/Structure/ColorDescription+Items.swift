internal import LazyMedia

extension ColorDescription {
    /// Takes the first property of each kind.
    init(_ properties: [ItemProperty]) {
        self.init()
        for property in properties.reversed() {
            switch property {
            case .codePoints(let primaries, let transfer, let matrix, let isFullRange):
                self.primaries = ColorPrimaries(rawValue: UInt8(exactly: primaries) ?? 2)
                self.transfer = TransferCharacteristics(rawValue: UInt8(exactly: transfer) ?? 2)
                self.matrix = MatrixCoefficients(rawValue: UInt8(exactly: matrix) ?? 2)
                self.isFullRange = isFullRange
            case .profile(let told): profile = told
            case .contentLight(let maximum, let average):
                contentLight = ContentLight(maximum: maximum, maximumAverage: average)
            case .mastering(let maximum, let minimum):
                masteringDisplay = MasteringDisplay(
                    maximumLuminance: Double(maximum) / 10_000,
                    minimumLuminance: Double(minimum) / 10_000)
            default: break
            }
        }
    }

    /// The same, with what is not told taken from elsewhere, such as the bitstream.
    func completed(by other: ColorDescription) -> ColorDescription {
        var color = self
        if primaries == .unspecified { color.primaries = other.primaries }
        if transfer == .unspecified { color.transfer = other.transfer }
        if matrix == .unspecified { color.matrix = other.matrix }
        color.isFullRange = isFullRange ?? other.isFullRange
        color.profile = profile ?? other.profile
        color.masteringDisplay = masteringDisplay ?? other.masteringDisplay
        color.contentLight = contentLight ?? other.contentLight
        return color
    }
}

/// JSON text in the making: kept whole, or passed on in pieces.
struct JSONOutput {
    private(set) var text = ""
    private let emit: ((String) -> Bool)?
    /// Whether nobody takes more.
    private var isClosed = false

    /// The bytes of a piece, about.
    private static let pieceSize = 1 << 16

    /// Keeps the text, or passes it on to `emit` until that returns false.
    init(_ emit: ((String) -> Bool)? = nil) { self.emit = emit }

    static func += (output: inout JSONOutput, text: String) { output.text += text }

    static func += (output: inout JSONOutput, scalar: Unicode.Scalar) {
        output.text.unicodeScalars.append(scalar)
    }

    /// Passes on what is enough for a piece; false where no more is taken.
    mutating func pass() -> Bool {
        if text.utf8.count >= Self.pieceSize { finish() }
        return !isClosed
    }

    /// Passes on what is left.
    mutating func finish() {
        guard let emit, !isClosed else { return }
        isClosed = !emit(text)
        text = ""
    }
}

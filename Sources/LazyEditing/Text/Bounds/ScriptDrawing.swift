/// The outline of a drawing, with the numbers that libass takes from it.
struct ScriptDrawing {
    /// The drawing, of commands and pairs of numbers only.
    private(set) var text: [UInt8] = []
    private(set) var pointCount = 0
    private var left = Double.infinity
    private var top = Double.infinity
    private var right = -Double.infinity
    private var bottom = -Double.infinity

    /// Reads a drawing; points beyond the most that there may be are left out.
    init(_ drawing: ArraySlice<UInt8>, maxPoints: Int) {
        var rest = drawing
        var first: ScriptNumber?
        while let byte = rest.first {
            if let read = ScriptNumber(rest) {
                rest = rest[read.text.endIndex...]
                let number = read.clamped(to: ScriptBounds.harmless)
                guard let x = first else {
                    first = number
                    continue
                }
                guard pointCount < maxPoints else { return }
                add(x, number)
                first = nil
                continue
            }
            rest = rest.dropFirst()
            if !byte.isScriptSpace { first = nil }
            if Self.commands.contains(byte) { text += [byte, UInt8(ascii: " ")] }
        }
    }

    private mutating func add(_ x: ScriptNumber, _ y: ScriptNumber) {
        pointCount += 1
        text += x.text + [UInt8(ascii: " ")] + y.text + [UInt8(ascii: " ")]
        (left, right) = (min(left, x.value), max(right, x.value))
        (top, bottom) = (min(top, y.value), max(bottom, y.value))
    }

    var width: Double { max(0, right - left) }
    var height: Double { max(0, bottom - top) }

    private static let commands = Array("mnlbspc".utf8)
}

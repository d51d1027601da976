/// Turns colour indices into pixels.
enum GIFLinePainter {
    /// Paints one line; with a mask, colours written as 0 leave what is there.
    static func paint(
        _ indices: UnsafePointer<UInt8>, count: Int, colors: UnsafePointer<UInt32>, isMasked: Bool,
        onto pixels: UnsafeMutablePointer<UInt32>
    ) {
        if isMasked {
            for column in 0..<count {
                let color = colors[Int(indices[column])]
                pixels[column] = color == 0 ? pixels[column] : color
            }
        } else {
            for column in 0..<count { pixels[column] = colors[Int(indices[column])] }
        }
    }
}

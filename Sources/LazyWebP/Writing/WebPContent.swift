internal import LazyMedia

/// What kind of picture one is: drawn of flat colours, or taken by a camera.
enum WebPContent: Hashable, Sendable {
    /// Text, line art, screens: most pixels are as the one before or above. Lossless is smaller.
    case flat
    /// Film, dithered film, noise. Lossy is smaller.
    case natural
    /// Neither for certain.
    case unclear

    /// Looks at every pixel once.
    init(_ bitmap: Bitmap) {
        let (same, count) = Self.repeats(bitmap)
        self =
            if same * 100 >= count * 80 { .flat } else if same * 100 < count * 40 { .natural } else
            {
                .unclear
            }
    }

    /// How many pixels are as the one to the left or above, of those that have both.
    private static func repeats(_ bitmap: Bitmap) -> (same: Int, count: Int) {
        let (width, height) = (bitmap.size.width, bitmap.size.height)
        guard width > 1, height > 1 else { return (1, 1) }
        var same = 0
        bitmap.withBytes { bytes in
            let pixels = bytes.bindMemory(to: UInt32.self)
            guard let start = pixels.baseAddress else { return }
            for y in 1..<height {
                let row = start + y * width
                let above = row - width
                var inRow: Int32 = 0
                for x in 1..<width {
                    let isSame = row[x] == row[x - 1] || row[x] == above[x]
                    inRow &+= isSame ? 1 : 0
                }
                same += Int(inRow)
            }
        }
        return (same, (width - 1) * (height - 1))
    }
}

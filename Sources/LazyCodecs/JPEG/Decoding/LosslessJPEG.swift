internal import LazyMedia

/// Lossless JPEGs (ITU-T T.81, annex H), which are passed on to FFmpeg's decoder.
enum LosslessJPEG {
    /// More segments than any writer makes before a scan.
    private static let maxSegments = 1000

    /// Throws `.unsupported` where FFmpeg would show another picture without an error.
    ///
    /// A difference of 32,768 between samples of 16 bits is a category without further bits (table H.2), behind which that
    /// decoder skips 16 bits. The tables of a file name all categories that it may have.
    static func checkDifferences(_ bytes: any ByteSource) throws(MediaError) {
        var (offset, isLossless16, isWide) = (2, false, false)
        for _ in 0..<maxSegments {
            guard let head = try bytes.exactly(4, at: offset), head[0] == 0xFF else { return }
            // Fill bytes may precede a marker.
            if head[1] == 0xFF {
                offset += 1
                continue
            }
            let body = offset + 4..<offset + 2 + max(2, Int(head[2]) << 8 | Int(head[3]))
            switch head[1] {
            case 0xC3: isLossless16 = try bytes.exactly(1, at: body.lowerBound)?.first == 16
            case 0xC4: if try hasWideCategory(bytes, body) { isWide = true }
            case 0xDA: return
            default: break
            }
            if isLossless16, isWide {
                throw MediaError(
                    .unsupported,
                    "The lossless JPEG has neighboring samples that differ by 32,768, which is not read."
                )
            }
            offset = body.upperBound
        }
    }

    /// Whether one of the tables of a segment has the category 16.
    private static func hasWideCategory(
        _ bytes: any ByteSource, _ body: Range<Int>
    ) throws(MediaError) -> Bool {
        var rest = try bytes.bytes(body.count, at: body.lowerBound)[...]
        while rest.count > 17 {
            let count = rest.dropFirst().prefix(16).reduce(0) { $0 + Int($1) }
            rest = rest.dropFirst(17)
            if rest.prefix(count).contains(16) { return true }
            rest = rest.dropFirst(count)
        }
        return false
    }
}

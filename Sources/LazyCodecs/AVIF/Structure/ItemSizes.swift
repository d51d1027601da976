internal import LazyMedia

extension ReplacedWord {
    /// What leaves one byte more than the file has of each item that is stated to be larger than the file.
    ///
    /// libavif takes memory for the stated size before it reads, and ends the process where there is none. `box` is
    /// an `iloc` (ISO/IEC 14496-12, 8.11.3).
    static func sizes(in file: [UInt8], _ box: ISOBox, ofFile count: Int) -> [ReplacedWord] {
        let head = box.content.lowerBound
        guard box.content.count >= 8 else { return [] }
        let version = file[head]
        let widths = [file[head + 4] >> 4, file[head + 4] & 15, file[head + 5] >> 4]
            .map(Int.init)
        let indexWidth = version > 0 ? Int(file[head + 5] & 15) : 0
        let (offsetWidth, lengthWidth, baseWidth) = (widths[0], widths[1], widths[2])
        // libavif refuses others.
        guard (widths + [indexWidth]).allSatisfy({ [0, 4, 8].contains($0) }), lengthWidth > 0 else {
            return []
        }
        let idWidth = version < 2 ? 2 : 4
        var offset = head + 6 + idWidth
        var words: [ReplacedWord] = []
        while true {
            // The extents' number follows the item's, how it is stored, the file that has it, and where.
            let list = offset + idWidth + (version > 0 ? 2 : 0) + 2 + baseWidth
            guard list + 2 <= box.content.upperBound else { return words }
            let extents = Int(file.bigEndian32(at: list - 2) & 0xFFFF)
            let width = indexWidth + offsetWidth + lengthWidth
            let places = (0..<extents).map { list + 2 + ($0 + 1) * width - lengthWidth }
            offset = list + 2 + extents * width
            guard offset <= box.content.upperBound else { return words }
            let size = places.reduce(UInt64(0)) { sum, place in
                let length =
                    lengthWidth == 8
                    ? file.bigEndian64(at: place) : UInt64(file.bigEndian32(at: place))
                let (total, isTooLarge) = sum.addingReportingOverflow(length)
                return isTooLarge ? .max : total
            }
            guard size > UInt64(count) else { continue }
            for (number, place) in places.enumerated() {
                let low = number == 0 ? UInt32(clamping: count + 1) : 0
                words.append(ReplacedWord(offset: place + lengthWidth - 4, word: low))
                if lengthWidth == 8 { words.append(ReplacedWord(offset: place, word: 0)) }
            }
        }
    }
}

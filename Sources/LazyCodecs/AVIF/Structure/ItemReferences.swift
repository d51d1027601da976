internal import LazyMedia

extension ReplacedWord {
    /// What makes references to item 0, which there is not, refer to another one that is not there.
    ///
    /// libavif 1 refuses a file for them, whatever it shows. `box` is an `iref` (ISO/IEC 14496-12, 8.11.12).
    static func references(in file: [UInt8], _ box: ISOBox) -> [ReplacedWord] {
        let content = box.content
        guard content.count >= 4 else { return [] }
        let width = file[content.lowerBound] == 0 ? 2 : 4
        var file = file
        var words: [ReplacedWord] = []
        var offset = content.lowerBound + 4
        while let list = ISOBox(file, at: offset, end: content.upperBound) {
            offset = list.range.upperBound
            // The item that refers, the number of those it refers to, and these.
            let from = list.content.lowerBound
            let places = [from] + Array(stride(from: from + width + 2, to: offset, by: width))
            for place in places where place + width <= offset {
                guard file[place..<place + width].allSatisfy({ $0 == 0 }) else { continue }
                // More are no accident.
                guard words.count < 64 else { return words }
                file.replaceSubrange(place..<place + width, with: repeatElement(0xFF, count: width))
                let word = place + width - 4
                words.append(ReplacedWord(offset: word, word: file.bigEndian32(at: word)))
            }
        }
        return words
    }
}

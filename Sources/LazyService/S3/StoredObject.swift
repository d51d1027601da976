internal import LazyBase
internal import LazyLoading
internal import LazyMedia
internal import LazyPipeline
internal import LazyRenditions

/// A result as an object: a line for each fact of it, its report, and its bytes.
///
/// One object, because a bucket takes several of them one by one, and its metadata has room for 2 kB only.
struct StoredObject {
    private static let word = "lazyimg-result-1"
    /// The most bytes of the lines.
    private static let maxLines = 1024

    let digest: String
    let type: MediaType
    let report: String
    /// The number of bytes of the result, and where they begin.
    let byteCount: Int, start: Int

    /// The bytes in front of those of a result.
    static func head(of result: Rendition.Stored) -> [UInt8] {
        let (type, report) = (result.type, Array(result.report.utf8))
        let lines = [
            word, result.digest, type.name, type.mimeType, type.family.rawValue,
            "\(result.byteCount)", "\(report.count)", "",
        ]
        return Array(lines.joined(separator: "\n").utf8) + report
    }

    /// Reads what is in front; nil for other bytes, or where there are too few of them.
    init?(_ bytes: [UInt8]) {
        guard let (lines, start) = Self.lines(of: bytes), bytes.count >= start + lines.report,
            let report = String(
                validating: bytes[start..<start + lines.report], as: UTF8.self)
        else { return nil }
        (digest, type, byteCount) = (lines.digest, lines.type, lines.bytes)
        self.report = report
        self.start = start + lines.report
    }

    /// How many bytes there are in front, by the first of them; nil for other bytes.
    static func headCount(_ bytes: [UInt8]) -> Int? {
        lines(of: bytes).map { $0.start + $0.lines.report }
    }

    private typealias Lines = (digest: String, type: MediaType, bytes: Int, report: Int)

    private static func lines(of bytes: [UInt8]) -> (lines: Lines, start: Int)? {
        let parts = bytes.prefix(maxLines).split(
            separator: UInt8(ascii: "\n"), maxSplits: 7, omittingEmptySubsequences: false)
        guard parts.count == 8 else { return nil }
        let texts = parts.prefix(7).map { String(decoding: $0, as: UTF8.self) }
        guard texts[0] == word, let family = MediaType.Family(rawValue: texts[4]),
            let count = Int(texts[5]), count > 0, let report = Int(texts[6]),
            (0...1 << 24).contains(report)
        else { return nil }
        let type = MediaType(name: texts[2], mimeType: texts[3], family: family)
        return ((texts[1], type, count, report), parts[7].startIndex)
    }
}

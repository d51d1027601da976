internal import LazyMedia

/// An event of a script: when it is shown, and its fields.
struct ScriptEvent {
    let start: Int64
    let duration: Int64
    /// Its place in the script, where a track has its events in another order.
    let number: ScriptNumber?
    let layer: ScriptNumber?
    let style: ArraySlice<UInt8>
    let margins: [ScriptNumber?]
    let effect: ArraySlice<UInt8>
    let text: ArraySlice<UInt8>

    /// Milliseconds that cannot overflow; some thousand years.
    private static let maxTime: Int64 = 1 << 47

    /// Reads a line of a track; nil where fields are missing.
    init?(_ line: SubtitleTrack.Line) {
        let fields = Array(line.text.utf8).split(
            separator: .comma, maxSplits: 8, omittingEmptySubsequences: false)
        guard fields.count == 9 else { return nil }
        start = min(max(line.start, -Self.maxTime), Self.maxTime)
        duration = min(line.duration, Self.maxTime)
        number = ScriptNumber(fields[0])
        layer = ScriptNumber(fields[1])
        style = fields[2]
        margins = fields[4...6].map { ScriptNumber($0) }
        (effect, text) = (fields[7], fields[8])
    }

    /// Reads what is behind `Dialogue:` by the names of the fields; nil without times and a text.
    init?(_ value: ArraySlice<UInt8>, format: [String]) {
        guard let last = format.firstIndex(of: "text") else { return nil }
        let values = value.split(
            separator: .comma, maxSplits: last, omittingEmptySubsequences: false)
        guard values.count == last + 1 else { return nil }
        func field(_ name: String) -> ArraySlice<UInt8> {
            format[..<last].firstIndex(of: name).map { values[$0] } ?? []
        }
        guard let start = Self.time(field("start")), let end = Self.time(field("end")) else {
            return nil
        }
        (self.start, duration) = (start, end - start)
        number = nil
        layer = ScriptNumber(field("layer"))
        style = field("style")
        margins = ["marginl", "marginr", "marginv"].map { ScriptNumber(field($0)) }
        (effect, text) = (field("effect"), values[last])
    }

    /// `0:01:02.34` in milliseconds.
    private static func time(_ text: ArraySlice<UInt8>) -> Int64? {
        let parts = text.trimmed.split { $0 == UInt8(ascii: ":") || $0 == .point }
        let numbers = parts.compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == 4, parts.count == 4,
            numbers.allSatisfy({ (0...1 << 24).contains($0) })
        else { return nil }
        return ((numbers[0] * 60 + numbers[1]) * 60 + numbers[2]) * 1000 + numbers[3] * 10
    }
}

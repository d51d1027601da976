internal import LazyBase

/// The base of addresses at one level of a manifest, and what it says of segments.
struct DASHLevel {
    private(set) var base: StreamBase
    /// What templates and lists say of themselves; of two levels the inner one counts.
    private(set) var template: [String: String] = [:]
    private(set) var timeline: XMLElement?
    private(set) var initialization: XMLElement?
    private(set) var list: XMLElement?
    private(set) var single: XMLElement?
    private(set) var protection: String?

    private static let words = ["media", "initialization", "startNumber", "duration", "timescale"]

    init(_ element: XMLElement, _ base: StreamBase) throws(StreamError) {
        self.base = base
        self = try inside(element)
    }

    /// The level of an element inside, which has what it does not say itself from outside.
    func inside(_ element: XMLElement) throws(StreamError) -> DASHLevel {
        var level = self
        if let text = element.first("BaseURL")?.text, let line = try Self.address(text) {
            level.base = base.moved(to: try base.address(line))
        }
        for name in ["SegmentTemplate", "SegmentList", "SegmentBase"] {
            guard let own = element.first(name) else { continue }
            for word in Self.words { level.template[word] = own[word] ?? level.template[word] }
            level.timeline = own.first("SegmentTimeline") ?? level.timeline
            level.initialization = own.first("Initialization") ?? level.initialization
            switch name {
            case "SegmentList": level.list = own
            case "SegmentBase": level.single = own
            default: break
            }
        }
        let systems = element.all("ContentProtection").compactMap { $0["schemeIdUri"] }
        if !systems.isEmpty {
            level.protection =
                systems.lazy.compactMap(StreamProtection.name).first ?? "Common Encryption"
        }
        return level
    }

    /// The address in the text of an element, which may be broken into lines; nil for none.
    private static func address(_ text: String) throws(StreamError) -> String? {
        guard text.utf8.count <= StreamText.maxAddress else {
            throw StreamText.tooLong("DASH manifest")
        }
        let line = text.split(whereSeparator: \.isNewline).map { String($0).trimmed }.joined()
        return line.isEmpty ? nil : line
    }
}

internal import LazyBase
internal import LazyMedia

/// The list of frames in JSON, `frames.json`: the frames and their times.
struct FrameManifest {
    /// A frame, with the name of its file and the hash of its pixels.
    struct Entry: Sendable {
        let frame: Rendition.Frame
        var file: String?
        var hash: String?
    }

    let source: String
    let info: MediaInfo
    let warnings: [MediaWarning]
    let entries: [Entry]

    /// The JSON.
    var value: JSONValue {
        let isResampled = entries.contains { $0.frame.sourceIndex != $0.frame.timing.index }
        let base = timeBase
        var members: [(String, JSONValue)] = [
            ("source", .name(source)),
            ("type", .string(info.type.name)),
            ("codec", .string(info.codec)),
            ("frameCount", .integer(entries.count)),
            ("durationUs", .integer(entries.map(\.frame).span?.microseconds)),
            ("loop", LoopCount?(info.loop).value),
            ("warnings", warnings.value),
        ]
        if let base {
            let text = "\(base.numerator)/\(base.denominator)"
            members.append(("timeBase", .string(text)))
        }
        let frames = entries.map {
            Self.value(of: $0, isResampled: isResampled, hasTicks: base != nil)
        }
        return .object(members + [("frames", .array(frames))])
    }

    /// The base of all times, in which they are exact; nil if there is none, or microseconds are it.
    private var timeBase: Rational? {
        guard let base = entries.first?.frame.timing.duration.base,
            base != Rational(1, 1_000_000), base.numerator > 0, base.denominator > 0,
            entries.allSatisfy({
                $0.frame.timing.duration.base == base && $0.frame.timing.presentation.base == base
            })
        else { return nil }
        return base
    }

    private static func value(
        of entry: Entry, isResampled: Bool, hasTicks: Bool
    ) -> JSONValue {
        let timing = entry.frame.timing
        var members: [(String, JSONValue)] = [
            ("index", .integer(timing.index)),
            ("ptsUs", .integer(timing.presentation.microseconds)),
            ("durationUs", .integer(timing.duration.microseconds)),
            ("key", .bool(timing.isKeyframe)),
            ("width", .integer(entry.frame.size.width)),
            ("height", .integer(entry.frame.size.height)),
            ("file", .name(orNull: entry.file)),
        ]
        if hasTicks {
            members.insert(
                contentsOf: [
                    ("pts", .integer(timing.presentation.ticks)),
                    ("duration", .integer(timing.duration.ticks)),
                ], at: 3)
        }
        if isResampled {
            members.insert(("sourceIndex", .integer(entry.frame.sourceIndex)), at: 1)
        }
        if let hash = entry.hash { members.append(("sha256", .string(hash))) }
        return .object(members)
    }
}

extension [Rendition.Frame] {
    /// From the start of the first frame to the end of the last one.
    var span: MediaTime? {
        guard let first = first?.timing, let last = last?.timing else { return nil }
        return last.end - first.presentation
    }
}

internal import LazyBase
internal import LazyMedia
internal import LazyRenditions

extension Reports {
    /// `frames.json`: the written frames and their times.
    static func manifest(
        _ outcome: ExportOutcome, _ info: MediaInfo, source: String
    ) -> JSONValue {
        let isResampled = outcome.records.contains { $0.frame.sourceIndex != $0.frame.timing.index }
        let base = timeBase(outcome.records)
        var members: [(String, JSONValue)] = [
            ("source", .name(source)),
            ("type", .string(info.type.name)),
            ("codec", .string(info.codec)),
            ("frameCount", .integer(outcome.records.count)),
            ("durationUs", .integer(outcome.duration)),
            ("loop", loop(info.loop)),
            ("warnings", (info.warnings + outcome.warnings).value),
        ]
        if let base {
            let text = "\(base.numerator)/\(base.denominator)"
            members.append(("timeBase", .string(text)))
        }
        let frames = outcome.records.map {
            frame($0, isResampled: isResampled, hasTicks: base != nil)
        }
        return .object(members + [("frames", .array(frames))])
    }

    /// The base of all times, in which they are exact; nil if there is none, or microseconds are it.
    private static func timeBase(_ records: [FrameRecord]) -> Rational? {
        guard let base = records.first?.frame.timing.duration.base,
            base != Rational(1, 1_000_000), base.numerator > 0, base.denominator > 0,
            records.allSatisfy({
                $0.frame.timing.duration.base == base && $0.frame.timing.presentation.base == base
            })
        else { return nil }
        return base
    }

    private static func frame(
        _ record: FrameRecord, isResampled: Bool, hasTicks: Bool
    ) -> JSONValue {
        let timing = record.frame.timing
        var members: [(String, JSONValue)] = [
            ("index", .integer(timing.index)),
            ("ptsUs", .integer(timing.presentation.microseconds)),
            ("durationUs", .integer(timing.duration.microseconds)),
            ("key", .bool(timing.isKeyframe)),
            ("width", .integer(record.size.width)),
            ("height", .integer(record.size.height)),
            ("file", .name(orNull: record.file)),
        ]
        if hasTicks {
            members.insert(
                contentsOf: [
                    ("pts", .integer(timing.presentation.ticks)),
                    ("duration", .integer(timing.duration.ticks)),
                ], at: 3)
        }
        if isResampled {
            members.insert(("sourceIndex", .integer(record.frame.sourceIndex)), at: 1)
        }
        if let hash = record.hash { members.append(("sha256", .string(hash))) }
        return .object(members)
    }
}

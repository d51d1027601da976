package import LazyFiles
package import LazyMedia

extension Reports {
    /// `frames.json`: the written frames and their times.
    package static func manifest(
        _ outcome: ExportOutcome, _ info: MediaInfo, source: String
    ) -> JSONValue {
        let isResampled = outcome.records.contains { $0.frame.sourceIndex != $0.frame.timing.index }
        return .object([
            ("source", .name(source)),
            ("type", .string(info.type.name)),
            ("codec", .string(info.codec)),
            ("frameCount", .integer(outcome.records.count)),
            ("durationUs", .integer(outcome.duration)),
            ("loop", loop(info.loop)),
            ("warnings", warnings(info.warnings + outcome.warnings)),
            ("frames", .array(outcome.records.map { frame($0, isResampled: isResampled) })),
        ])
    }

    private static func frame(_ record: FrameRecord, isResampled: Bool) -> JSONValue {
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
        if isResampled {
            members.insert(("sourceIndex", .integer(record.frame.sourceIndex)), at: 1)
        }
        if let hash = record.hash { members.append(("sha256", .string(hash))) }
        return .object(members)
    }
}

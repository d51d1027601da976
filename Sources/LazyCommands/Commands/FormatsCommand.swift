internal import ArgumentParser
internal import CommandSupport
internal import LazyFiles
internal import LazyKit
internal import LazyMedia
internal import MediaJobs

/// `lazyimg formats`: the formats of this build.
struct FormatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "formats", abstract: "List the formats that can be read and written.")

    @OptionGroup var report: ReportOptions

    func run() throws {
        let rows = MediaType.all.map { type in
            (type, DecoderRegistry.standard.decoder(for: type)?.name)
        }
        let frames = PictureFormat.allCases.map(\.rawValue) + ["framehash"]
        let written = EncoderRegistry.standard.types
        try Console.print(
            report.json ? Self.json(rows, written, frames) : Self.text(rows, written, frames))
    }

    private static func text(
        _ rows: [(MediaType, String?)], _ written: [MediaType], _ frames: [String]
    ) -> String {
        let columns = rows.filter { $0.1 != nil }.map { type, decoder in
            (type.name, "\(type.family.rawValue), \(type.mimeType), by \(decoder ?? "")")
        }
        let unread = rows.filter { $0.1 == nil }.map(\.0.name).joined(separator: ", ")
        let rest = unread.isEmpty ? "" : "recognized only: \(unread)\n"
        let writes = written.map {
            ($0.name, "\($0.family.rawValue), \($0.mimeType)\(keeping($0))")
        }
        return "reads\n" + Reports.table(columns) + rest + "writes\n" + Reports.table(writes)
            + "writes single frames (play --format)\n  \(frames.joined(separator: ", "))\n"
    }

    /// What a file of a type preserves of an animation.
    private static func keeping(_ type: MediaType) -> String {
        guard let traits = type.traits else { return "" }
        let loop = traits.carriesLoop ? ["number of plays"] : []
        let alpha =
            switch traits.alpha {
            case .none: [String]()
            case .binary: ["transparency without levels"]
            case .full: ["transparency"]
            }
        let kept = loop + alpha
        return kept.isEmpty ? "" : ", keeps \(kept.joined(separator: " and "))"
    }

    private static func json(
        _ rows: [(MediaType, String?)], _ written: [MediaType], _ frames: [String]
    ) -> String {
        let types = rows.map { type, decoder in
            JSONValue.object([
                ("type", .string(type.name)), ("mimeType", .string(type.mimeType)),
                ("family", .string(type.family.rawValue)), ("decoder", .string(orNull: decoder)),
            ])
        }
        return JSONValue.object([
            ("reads", .array(types)), ("writes", .array(written.map { .string($0.name) })),
            ("frames", .array(frames.map { .string($0) })),
        ]).text
    }
}

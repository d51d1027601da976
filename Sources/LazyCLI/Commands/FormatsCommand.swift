internal import ArgumentParser
internal import LazyBase
internal import LazyKit
internal import LazyMedia

/// `lazyimg formats`: the formats of this build.
struct FormatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "formats", abstract: "List the formats that can be read and written.")

    @OptionGroup var report: ReportOptions

    func run() throws {
        DecoderLibraries.choose()
        let rows = MediaType.all.map(Row.init)
        let frames = ["png", "ppm", "raw", "framehash"]
        let written = EncoderRegistry.standard.types
        try Console.print(
            report.json ? Self.json(rows, written, frames) : Self.text(rows, written, frames))
    }

    /// A type, and what reads it here or why nothing does.
    private struct Row {
        let type: MediaType
        var decoder: String?
        var missing: String?

        init(_ type: MediaType) {
            self.type = type
            do throws(MediaError) {
                decoder = try DecoderRegistry.standard.installedDecoder(for: type)?.name
            } catch {
                missing = error.message
            }
        }
    }

    private static func text(
        _ rows: [Row], _ written: [MediaType], _ frames: [String]
    ) -> String {
        let columns = rows.filter { $0.decoder != nil }.map { row in
            let type = row.type
            return (
                type.name, "\(type.family.rawValue), \(type.mimeType), by \(row.decoder ?? "")"
            )
        }
        let unread = rows.filter { $0.decoder == nil && $0.missing == nil }
        let names = unread.map(\.type.name).joined(separator: ", ")
        let missing = rows.compactMap { row in row.missing.map { (row.type.name, $0) } }
        let rest =
            (missing.isEmpty ? "" : "not read here\n" + Reports.table(missing))
            + (unread.isEmpty ? "" : "recognized only: \(names)\n")
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
        _ rows: [Row], _ written: [MediaType], _ frames: [String]
    ) -> String {
        let types = rows.map { row in
            JSONValue.object([
                ("type", .string(row.type.name)), ("mimeType", .string(row.type.mimeType)),
                ("family", .string(row.type.family.rawValue)),
                ("decoder", .string(orNull: row.decoder)),
                ("missing", .string(orNull: row.missing)),
            ])
        }
        return JSONValue.object([
            ("reads", .array(types)), ("writes", .array(written.map { .string($0.name) })),
            ("frames", .array(frames.map { .string($0) })),
        ]).text
    }
}

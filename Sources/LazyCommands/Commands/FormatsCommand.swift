internal import ArgumentParser
internal import LazyKit
internal import LazyMedia

/// `lazyimg formats`: what can be read and written here.
struct FormatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "formats", abstract: "List what can be read and written.")

    @OptionGroup var report: ReportOptions

    func run() throws {
        let rows = MediaType.all.map { type in
            (type, DecoderRegistry.standard.decoder(for: type)?.name)
        }
        let written = PictureFormat.allCases.map(\.rawValue) + ["framehash"]
        try Console.print(report.json ? Self.json(rows, written) : Self.text(rows, written))
    }

    private static func text(_ rows: [(MediaType, String?)], _ written: [String]) -> String {
        let columns = rows.filter { $0.1 != nil }.map { type, decoder in
            (type.name, "\(type.family.rawValue), \(type.mimeType), by \(decoder ?? "")")
        }
        let unread = rows.filter { $0.1 == nil }.map(\.0.name).joined(separator: ", ")
        let rest = unread.isEmpty ? "" : "recognised only: \(unread)\n"
        return "reads\n" + Reports.table(columns) + rest
            + "writes\n  \(written.joined(separator: ", "))\n"
    }

    private static func json(_ rows: [(MediaType, String?)], _ written: [String]) -> String {
        let types = rows.map { type, decoder in
            JSONValue.object([
                ("type", .string(type.name)), ("mimeType", .string(type.mimeType)),
                ("family", .string(type.family.rawValue)), ("decoder", .string(orNull: decoder)),
            ])
        }
        return JSONValue.object([
            ("reads", .array(types)), ("writes", .array(written.map { .string($0) })),
        ]).text
    }
}

internal import ArgumentParser
import Glibc
internal import LazyBase
internal import LazyIsolation
internal import LazyKit
internal import LazyLoading
internal import LazyMedia
internal import LazyTerminal

/// `lazyimg doctor`: what this machine has, and what that changes.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Print libraries, codecs, what else the machine has, and the terminal.",
        discussion: """
            Exits with 69 if FFmpeg is missing, so that video cannot be read or written (GIF, PNG, \
            JPEG, WebP, AVIF and JPEG XL do not need it), or libavif (AVIF), libjxl (JPEG XL), libtiff (TIFF), \
            libass (text on pictures), libcurl (downloads) or libmagic (names of what is not read).
            """)

    @OptionGroup var report: ReportOptions

    func run() throws {
        let libraries = InstalledLibrary.all()
        let codecs = libraries.flatMap(\.codecs)
        let isolation = MachineFact.isolation { () throws(MediaError) in
            try DecoderHost().report()
        }
        if report.json {
            try Console.print(Self.json(libraries, codecs, Machine.own.facts, isolation))
        } else {
            try Console.print(Self.text(libraries, codecs, Machine.own.facts, isolation))
        }
        if let missing = libraries.first(where: { $0.version == nil }) {
            throw CommandFailure(
                .unavailable, "environment", "\(missing.name) is missing: no \(missing.purpose).",
                hint: missing.package.map { "Install it: apt-get install \($0)" })
        }
    }

    private static var facts: [(String, String)] {
        [
            ("lazyimg", Version.number), (cores, String(BlockingPool.coreCount)),
            ("caches", caches), ("metered", MeteredNetwork.ask().description),
        ]
    }

    private static let cores = "cores"

    private static var caches: String {
        let folder = CacheFolderOptions.standardPath ?? ""
        if let problem = DiskCacheProblem(folder: CacheFolderOptions.standardPath) {
            return "none: \(problem); nothing is kept for the next command"
        }
        let isReadOnly = access(folder.systemPath, W_OK) != 0
        return isReadOnly ? "\(folder); it cannot be written, so nothing is added" : folder
    }

    private static func member(_ name: String, _ text: String) -> (String, JSONValue) {
        (name, name == cores ? .integer(BlockingPool.coreCount) : .string(text))
    }

    private static var terminal: [(String, String)] {
        let isTerminal = OutputStream.standardOutput.isTerminal
        let grid = TerminalScreen.grid.map { "\($0.columns)x\($0.lines)" } ?? "not known"
        return [
            ("terminal", isTerminal ? "yes, \(grid)" : "no: standard output is a file or pipe"),
            ("TERM", environment("TERM")), ("COLORTERM", environment("COLORTERM")),
            ("NO_COLOR", environment("NO_COLOR")),
            ("pictures", TerminalTraits.detected().description),
        ]
    }

    private static func environment(_ name: String) -> String {
        getenv(name).map { String(cString: $0) } ?? "not set"
    }

    private static func text(
        _ libraries: [InstalledLibrary], _ codecs: [InstalledLibrary.Codec],
        _ machine: [MachineFact], _ isolation: [MachineFact]
    ) -> String {
        let facts =
            facts + machine.map { ($0.name, $0.text) }
            + isolation.enumerated().map { place, fact in
                let words = fact.name == "isolation" ? fact.text : "\(fact.name): \(fact.text)"
                return (place == 0 ? "isolation" : "", words)
            } + terminal
        let rows = libraries.map { library in
            let version = library.version ?? "MISSING"
            return (library.name, "\(version), \(library.license), for \(library.purpose)")
        }
        let decoders = codecs.filter { $0.encodes == nil }
            .map { ($0.name, $0.isInstalled ? "yes" : "no") }
        let encoders = codecs.compactMap { codec in
            codec.encodes.map { (codec.name, codec.isInstalled ? "yes, for \($0)" : "no") }
        }
        return Reports.table(facts) + "libraries\n" + Reports.table(rows)
            + (decoders.isEmpty ? "" : "decoders of FFmpeg\n" + Reports.table(decoders))
            + (encoders.isEmpty ? "" : "encoders of FFmpeg\n" + Reports.table(encoders))
    }

    private static func json(
        _ libraries: [InstalledLibrary], _ codecs: [InstalledLibrary.Codec],
        _ machine: [MachineFact], _ isolation: [MachineFact]
    ) -> String {
        let rows = libraries.map { library in
            JSONValue.object([
                ("name", .string(library.name)), ("version", .string(orNull: library.version)),
                ("license", .string(library.license)), ("purpose", .string(library.purpose)),
            ])
        }
        func installed(_ codecs: [InstalledLibrary.Codec]) -> JSONValue {
            .object(codecs.map { ($0.name, .bool($0.isInstalled)) })
        }
        return JSONValue.object([
            ("facts", .object((facts + terminal).map(Self.member))),
            ("machine", .array(machine.map(\.json))),
            ("isolation", .array(isolation.map(\.json))),
            ("libraries", .array(rows)),
            ("decoders", installed(codecs.filter { $0.encodes == nil })),
            ("encoders", installed(codecs.filter { $0.encodes != nil })),
        ]).text
    }
}

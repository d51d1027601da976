internal import ArgumentParser
internal import CommandSupport
import Glibc
internal import LazyBytes
internal import LazyFiles
internal import LazyIsolation
internal import LazyKit
internal import LazyLoading
internal import LazyMedia
internal import LazyTerminal
internal import MediaJobs

/// `lazyimg doctor`: the libraries and codecs of this machine.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Print libraries, codecs, their licenses, and the terminal.",
        discussion: """
            Exits with 69 if FFmpeg is missing, so that video cannot be read or written (GIF, PNG, \
            JPEG, WebP, AVIF and JPEG XL do not need it), or libavif (AVIF), libjxl (JPEG XL), libtiff (TIFF), \
            libass (text on pictures) or libcurl (downloads).
            """)

    @OptionGroup var report: ReportOptions

    func run() throws {
        let libraries = InstalledLibrary.all()
        let codecs = libraries.flatMap(\.codecs)
        let facts = Self.facts + Self.isolation + Self.terminal
        if report.json {
            try Console.print(Self.json(libraries, codecs, facts))
        } else {
            try Console.print(Self.text(libraries, codecs, facts))
        }
        if let missing = libraries.first(where: { $0.version == nil }) {
            throw CommandFailure(
                .unavailable, "environment", "\(missing.name) is missing: no \(missing.purpose).",
                hint: missing.package.map { "Install it: apt-get install \($0)" })
        }
    }

    private static var facts: [(String, String)] {
        [
            ("lazyimg", Version.number), ("cores", String(BlockingPool.coreCount)),
            ("caches", caches), ("metered", MeteredNetwork.ask().description),
        ]
    }

    /// Which layers keep a decoder from the rest of the machine.
    private static var isolation: [(String, String)] {
        do throws(MediaError) {
            let report = try DecoderHost().report()
            return IsolationLayer.allCases.map { layer in
                let name = layer == IsolationLayer.allCases.first ? "isolation" : ""
                return (name, "\(layer.summary): \(text(report, layer))")
            }
        } catch {
            return [("isolation", "none: \(error.message)")]
        }
    }

    private static func text(_ report: IsolationReport, _ layer: IsolationLayer) -> String {
        switch report.layers[layer] {
        case .present: layer == .landlock ? "yes, version \(report.landlockVersion ?? 0)" : "yes"
        case .refused(let error): "no: \(error)"
        case .notTried, nil: "not tried"
        }
    }

    private static var caches: String {
        let folder = CacheFolderOptions.standardPath
        if let problem = DiskCacheProblem(folder: folder) { return "none: \(problem)" }
        return folder ?? ""
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
        _ facts: [(String, String)]
    ) -> String {
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
        _ facts: [(String, String)]
    ) -> String {
        let rows = libraries.map { library in
            JSONValue.object([
                ("name", .string(library.name)), ("version", .string(orNull: library.version)),
                ("licence", .string(library.license)), ("purpose", .string(library.purpose)),
            ])
        }
        func installed(_ codecs: [InstalledLibrary.Codec]) -> JSONValue {
            .object(codecs.map { ($0.name, .bool($0.isInstalled)) })
        }
        return JSONValue.object([
            ("facts", .object(facts.map { ($0, .string($1)) })),
            ("libraries", .array(rows)),
            ("decoders", installed(codecs.filter { $0.encodes == nil })),
            ("encoders", installed(codecs.filter { $0.encodes != nil })),
        ]).text
    }
}

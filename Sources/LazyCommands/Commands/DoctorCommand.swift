internal import ArgumentParser
internal import CommandSupport
import Glibc
internal import LazyBytes
internal import LazyFiles
internal import LazyKit
internal import LazyLoading
internal import LazyMedia
internal import LazyTerminal
internal import MediaJobs

/// `lazyimg doctor`: what this machine has for us.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Tell which libraries and codecs are here, their licences, and the terminal.",
        discussion: """
            Exits with 69 where FFmpeg is missing, so that video cannot be read or written (GIF, \
            PNG, JPEG, WebP and AVIF do without it), libavif, so that AVIF cannot, or libcurl, so \
            that nothing can be downloaded.
            """)

    @OptionGroup var report: ReportOptions

    func run() throws {
        let libraries = InstalledLibrary.all()
        let codecs = InstalledLibrary.codecs(Self.codecs)
        let encoders = InstalledLibrary.videoEncoders()
        let facts = Self.facts + Self.terminal
        if report.json {
            try Console.print(Self.json(libraries, codecs, encoders, facts))
        } else {
            try Console.print(Self.text(libraries, codecs, encoders, facts))
        }
        if let missing = libraries.first(where: { $0.version == nil }) {
            throw CommandFailure(
                .unavailable, "environment", "\(missing.name) is missing: no \(missing.purpose).",
                hint: Self.packages[missing.name].map { "Install it: apt-get install \($0)" })
        }
    }

    /// Debian's packages of what is loaded when it is needed.
    private static let packages = [
        "FFmpeg": "ffmpeg", "libcurl": "libcurl4", "libavif": "libavif15",
    ]

    /// An encoder of FFmpeg: its name, its codec, and whether it is there.
    private typealias Encoder = (name: String, codec: String, isThere: Bool)

    /// Decoders by the names that FFmpeg gives them; the last two keep the alpha of WebM.
    private static let codecs = [
        "h264", "hevc", "libdav1d", "av1", "mpeg4", "mpeg2video", "mjpeg", "prores", "theora",
        "webp", "tiff", "bmp", "libvpx", "libvpx-vp9",
    ]

    private static var facts: [(String, String)] {
        [
            ("lazyimg", Version.number), ("cores", String(BlockingPool.coreCount)),
            ("caches", caches), ("metered", MeteredNetwork.ask().description),
        ]
    }

    private static var caches: String {
        let folder = CacheFolderOptions.standardPath
        if let problem = DiskCacheProblem(folder: folder) { return "none: \(problem)" }
        return folder ?? ""
    }

    private static var terminal: [(String, String)] {
        let isTerminal = OutputStream.standardOutput.isTerminal
        let grid = Screen.grid.map { "\($0.columns)x\($0.lines)" } ?? "not known"
        return [
            ("terminal", isTerminal ? "yes, \(grid)" : "no: standard output is a file or pipe"),
            ("TERM", environment("TERM")), ("COLORTERM", environment("COLORTERM")),
            ("NO_COLOR", environment("NO_COLOR")),
            ("pictures", TerminalTraits.ofProcess.words),
        ]
    }

    private static func environment(_ name: String) -> String {
        getenv(name).map { String(cString: $0) } ?? "not set"
    }

    private static func text(
        _ libraries: [InstalledLibrary], _ codecs: [(name: String, isThere: Bool)],
        _ encoders: [Encoder], _ facts: [(String, String)]
    ) -> String {
        let rows = libraries.map { library in
            let version = library.version ?? "MISSING"
            return (library.name, "\(version), \(library.licence), for \(library.purpose)")
        }
        let decoders = codecs.map { ($0.name, $0.isThere ? "yes" : "no") }
        let writers = encoders.map { ($0.name, $0.isThere ? "yes, for \($0.codec)" : "no") }
        return Reports.table(facts) + "libraries\n" + Reports.table(rows)
            + (decoders.isEmpty ? "" : "decoders of FFmpeg\n" + Reports.table(decoders))
            + (writers.isEmpty ? "" : "encoders of FFmpeg\n" + Reports.table(writers))
    }

    private static func json(
        _ libraries: [InstalledLibrary], _ codecs: [(name: String, isThere: Bool)],
        _ encoders: [Encoder], _ facts: [(String, String)]
    ) -> String {
        let rows = libraries.map { library in
            JSONValue.object([
                ("name", .string(library.name)), ("version", .string(orNull: library.version)),
                ("licence", .string(library.licence)), ("purpose", .string(library.purpose)),
            ])
        }
        return JSONValue.object([
            ("facts", .object(facts.map { ($0, .string($1)) })),
            ("libraries", .array(rows)),
            ("decoders", .object(codecs.map { ($0.name, .bool($0.isThere)) })),
            ("encoders", .object(encoders.map { ($0.name, .bool($0.isThere)) })),
        ]).text
    }
}

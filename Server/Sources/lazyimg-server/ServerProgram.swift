import CoreMetrics
import FoundationEssentials
import Glibc
import Hummingbird
import HummingbirdCore
import LazyIsolation
import LazyKit
import LazyPipeline
import LazyServer
import LazyService
import Logging
import ServiceLifecycle
import UnixSignals

@main struct ServerProgram {
    static func main() async {
        // Decoders are this program under another name.
        if DecoderProgram.isRequested { DecoderProgram.run() }
        DecoderHost.decodesItself()
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            tell("lazyimg-server: \(error)\n")
            exit(error is Settings.Fault ? 64 : 70)
        }
    }

    /// Writes to standard error.
    private static func tell(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    }

    private static func run(_ arguments: [String]) async throws {
        switch arguments.first {
        case "--help", "-h", "help": print(help)
        case "config":
            print(try await Settings(Array(arguments.dropFirst())).summary)
        case "sign": try await sign(Array(arguments.dropFirst()))
        default: try await serve(arguments)
        }
    }

    private static let help =
        """
        usage: lazyimg-server [--root DIR] [--port N] [--admin-port N] (--key HEX --salt HEX | --unsafe) …
               lazyimg-server sign [--key HEX --salt HEX] PATH…
               lazyimg-server config [FLAGS]

        Posters, previews, sheets and conversions of media over HTTP. Each flag may be a variable of the environment
        instead, such as LAZYIMG_ADMIN_PORT, or a member of the JSON file that --config names, such as "adminPort".


        """ + Setting.all.map { "  \($0.flag)\n      \($0.summary)" }.joined(separator: "\n")

    /// Prints the paths that come last, each with its signature.
    private static func sign(_ arguments: [String]) async throws {
        // A word behind a flag is its value.
        let places = arguments.indices.filter { place in
            arguments[place].hasPrefix("/")
                && (place == 0 || !arguments[place - 1].hasPrefix("--")
                    || arguments[place - 1].contains("="))
        }
        let paths = places.map { arguments[$0] }
        let flags = arguments.indices.filter { !places.contains($0) }.map { arguments[$0] }
        let settings = try await Settings(flags)
        let (signature, prefix) = (try settings.signature(), try settings.prefix())
        for path in paths {
            guard let signed = signature.signed(path) else {
                throw Settings.Fault(description: "There is no key to sign with.")
            }
            print(prefix + signed)
        }
    }

    // MARK: - Serving

    private static func serve(_ arguments: [String]) async throws {
        let settings = try await Settings(arguments)
        let level = settings.text("logLevel").flatMap { Logger.Level(rawValue: $0) } ?? .info
        let lines = LogLines()
        defer { lines.flush() }
        LoggingSystem.bootstrap { label in JSONLog(label: label, level: level, lines: lines) }
        let logger = Logger(label: "lazyimg-server")
        let metrics = PrometheusMetrics()
        MetricsSystem.bootstrap(metrics)
        let configuration = try await settings.service()
        let decoders = DecoderHost(try Settings.isolation)
        let service = ImageService(
            pipeline: try settings.pipeline(configuration, decodedBy: decoders),
            configuration: configuration)
        let readiness = Readiness()
        let previews = Router()
        if level <= .info {
            previews.addMiddleware {
                RequestLog(pathPrefix: service.configuration.pathPrefix) { entry in
                    lines.add(isUrgent: false) { line in
                        line.add("level", "info")
                        line.add("logger", "lazyimg-server")
                        line.add("message", "request")
                        line.add("method", entry.method)
                        line.add("path", entry.path)
                        if let trace = entry.trace { line.add("trace", trace) }
                        if let status = entry.status { line.add("status", status) }
                        line.add("milliseconds", Int(entry.duration / .milliseconds(1)))
                        if let error = entry.error { line.add("error", error) }
                    }
                }
            }
        }
        if try settings.flag("unsafe") { previews.addDevelopmentPage(of: service) }
        previews.addPreviews(of: service)
        let administration = Router()
        administration.addAdministration(
            of: service, readiness, metrics: metrics, decoders: decoders)
        var quiet = logger
        quiet.logLevel = max(level, .warning)
        let services: [any Service] = [
            Application(
                router: administration, server: .previews(),
                configuration: .init(
                    address: .hostname(
                        settings.text("adminHost") ?? "127.0.0.1",
                        port: try settings.count("adminPort") ?? 8081)), logger: quiet),
            Application(
                router: previews, server: .previews(),
                configuration: .init(
                    address: .hostname(
                        settings.text("host") ?? "127.0.0.1",
                        port: try settings.count("port") ?? 8080),
                    availableConnectionsDelegate: MaximumAvailableConnections(
                        Settings.mostConnections, logger: quiet)), logger: quiet),
            Reloading(arguments: arguments, service: service, logger: logger),
            Draining(
                readiness: readiness, delay: .seconds(try settings.number("drainDelay") ?? 5)),
        ]
        var group = ServiceGroupConfiguration(
            services: services.map {
                .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup)
            },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet)
        group.maximumGracefulShutdownDuration =
            .seconds(
                (try settings.number("drainDelay") ?? 5) + (try settings.number("drainTime") ?? 20))
        readiness.begin()
        logger.info("The service has started.")
        try await ServiceGroup(configuration: group).run()
        logger.info("The service has ended.")
    }
}

import LazyServer
import LazyService
import Logging
import ServiceLifecycle
import UnixSignals

/// Delays the end: probes fail at once, while requests are taken until balancers have seen that.
struct Draining: Service {
    let readiness: Readiness
    let delay: Duration

    func run() async throws {
        try? await gracefulShutdown()
        readiness.end()
        try? await Task.sleep(for: delay)
    }
}

/// Reads the settings again at each SIGHUP: keys, presets and all that a request looks at.
///
/// Requests that have begun keep theirs. Ports, the folder, caches and the number of workers stay; settings with a
/// mistake change nothing.
struct Reloading: Service {
    let arguments: [String]
    let service: ImageService
    let logger: Logger

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            do {
                var configuration = try await Settings(arguments).service()
                // Routes are mounted once.
                configuration.pathPrefix = service.configuration.pathPrefix
                service.configuration = configuration
                logger.info("The settings have been read again.")
            } catch {
                logger.error("The settings stay as they were.", metadata: ["error": "\(error)"])
            }
        }
    }
}

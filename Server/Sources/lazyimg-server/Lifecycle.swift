import LazyServer
import Logging
import ServiceLifecycle

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

internal import LazyBase
internal import LazyLoading
internal import LazyPipeline

/// What a service counts, in Prometheus' text format.
final class ServiceCounters: Sendable {
    private struct State {
        var statuses: [Int: Int] = [:]
        var inFlight = 0
        var results: [String: Int] = [:]
        var bytes = 0
    }
    private let state = Locked(State())

    func begin() { state.withLock { $0.inFlight += 1 } }

    func end(_ response: ServiceResponse) {
        state.withLock { state in
            state.inFlight -= 1
            state.statuses[response.status, default: 0] += 1
            if case .none = response.body { return }
            state.bytes += response.length ?? 0
        }
    }

    /// Counts an answer from memory that was sent once more.
    func `repeat`(_ response: ServiceResponse) {
        state.withLock { state in
            state.statuses[response.status, default: 0] += 1
            state.results["memory", default: 0] += 1
            state.bytes += response.length ?? 0
        }
    }

    /// How many results, facts among them, were found in which cache, or made.
    var results: [String: Int] { state.withLock { $0.results } }

    /// Counts where a result was found; nil if it was made, which `isShared` with another request.
    func count(_ cache: CacheType?, isShared: Bool = false) {
        let name =
            switch cache {
            case .memory?: "memory"
            case .disk?: "disk"
            case nil: isShared ? "shared" : "made"
            }
        state.withLock { $0.results[name, default: 0] += 1 }
    }

    private static func percent(_ part: Int, of whole: Int) -> Int {
        whole == 0 ? 0 : part * 100 / whole
    }

    func text(_ admission: (running: Int, queued: Int, refused: Int)) -> String {
        let state = state.withLock { $0 }
        var lines: [String] = []
        func add(_ name: String, _ kind: String, _ help: String, _ rows: [(String, Int)]) {
            lines += ["# HELP lazyimg_\(name) \(help)", "# TYPE lazyimg_\(name) \(kind)"]
            lines += rows.map { "lazyimg_\(name)\($0.0) \($0.1)" }
        }
        add(
            "requests_total", "counter", "Answered requests by status.",
            state.statuses.sorted { $0.key < $1.key }.map { ("{status=\"\($0.key)\"}", $0.value) })
        add("requests_in_flight", "gauge", "Requests without an answer.", [("", state.inFlight)])
        add(
            "results_total", "counter", "Results by where they were found.",
            ["memory", "disk", "shared", "made"].map {
                ("{origin=\"\($0)\"}", state.results[$0] ?? 0)
            })
        let (memory, disk) = (state.results["memory"] ?? 0, state.results["disk"] ?? 0)
        let made = (state.results["made"] ?? 0) + (state.results["shared"] ?? 0)
        add(
            "hits_percent", "gauge", "Of the look-ups of a layer, those that found the result.",
            [
                ("{layer=\"memory\"}", Self.percent(memory, of: memory + disk + made)),
                ("{layer=\"disk\"}", Self.percent(disk, of: disk + made)),
            ])
        add("response_bytes_total", "counter", "Bytes of answers.", [("", state.bytes)])
        add("making", "gauge", "Results that are being made.", [("", admission.running)])
        add("queued", "gauge", "Requests that wait for a place.", [("", admission.queued)])
        add("refused_total", "counter", "Requests that found no place.", [("", admission.refused)])
        return lines.joined(separator: "\n") + "\n"
    }
}

import LazyBase

/// Decides which transfers may start: limits concurrency for each host and in total, and the rate.
struct Admission {
    typealias ID = Int

    /// The state of one host.
    private struct Host {
        var waiting: [ID] = []
        var running = 0
        var limit: Int
        var bucket: TokenBucket?
    }

    /// The limit of concurrent streams that most servers have for a connection.
    static let streamsPerHost = 100

    private let perHost: Int
    private let total: Int
    private let rate: HTTPConfiguration.RateLimit?
    private var hosts: [String: Host] = [:]
    private var order: [String] = []
    private var waiting: [ID: String] = [:]
    private var running: [ID: String] = [:]

    init(perHost: Int, total: Int, rate: HTTPConfiguration.RateLimit?) {
        self.perHost = max(1, perHost)
        self.total = max(1, total)
        self.rate = rate
    }

    /// Adds a transfer to the queue.
    mutating func enqueue(_ id: ID, host name: String) {
        if hosts[name] == nil {
            hosts[name] = Host(
                limit: perHost,
                bucket: rate.map { TokenBucket(perSecond: $0.perSecond, burst: $0.burst) })
            order.append(name)
        }
        hosts[name]?.waiting.append(id)
        waiting[id] = name
    }

    /// Removes a finished or cancelled transfer; returns whether it had started.
    @discardableResult
    mutating func remove(_ id: ID) -> Bool {
        if let name = running.removeValue(forKey: id) {
            hosts[name]?.running -= 1
            return true
        }
        if let name = waiting.removeValue(forKey: id) {
            hosts[name]?.waiting.removeAll { $0 == id }
        }
        return false
    }

    /// Records that the host multiplexes requests on a connection (HTTP/2).
    mutating func noteMultiplexing(_ name: String) {
        hosts[name]?.limit = max(perHost, Self.streamsPerHost)
    }

    /// The transfers that may start now, hosts in turn.
    mutating func admit(now: Duration) -> [ID] {
        guard !waiting.isEmpty else { return [] }
        var admitted: [ID] = []
        var isProgressing = true
        while isProgressing, running.count < total {
            isProgressing = false
            for name in order where running.count < total {
                guard let id = admitOne(of: name, now: now) else { continue }
                admitted.append(id)
                isProgressing = true
            }
        }
        removeIdleHosts(now: now)
        return admitted
    }

    /// When the next transfer may start if none ends before; nil if that is unknown.
    func nextChance(now: Duration) -> Duration? {
        guard !waiting.isEmpty, running.count < total else { return nil }
        return hosts.values.lazy
            .filter { !$0.waiting.isEmpty && $0.running < $0.limit }
            .map { $0.bucket?.nextToken(at: now) ?? now }.min()
    }

    private mutating func admitOne(of name: String, now: Duration) -> ID? {
        guard var host = hosts[name], let id = host.waiting.first, host.running < host.limit,
            host.bucket?.take(at: now) == nil
        else { return nil }
        host.waiting.removeFirst()
        host.running += 1
        hosts[name] = host
        waiting[id] = nil
        running[id] = name
        return id
    }

    /// Removes hosts without transfers and with a full bucket, which have no state.
    private mutating func removeIdleHosts(now: Duration) {
        guard hosts.count > 256 else { return }
        hosts = hosts.filter { _, host in
            host.running > 0 || !host.waiting.isEmpty || host.bucket?.isFull(at: now) == false
        }
        order.removeAll { hosts[$0] == nil }
    }
}

/// Runs a piece of work often enough to be measured, and prints what one costs.
struct Harness {
    /// Benchmarks whose name does not contain it are left out.
    var filter: String
    /// The median of so many runs counts.
    var runs = 5
    /// How long a run is to take.
    var target = Duration.milliseconds(100)

    /// Measures work that does `count` operations each time it is called.
    func measure(_ name: String, operations count: Int = 1, _ work: () -> Void) {
        guard includes(name) else { return }
        work()
        let repeats = repeats(work)
        var costs = (0..<runs).map { _ in time(repeats, work) / Double(repeats * count) }
        costs.sort()
        report(name, nanoseconds: costs[runs / 2], lowest: costs[0], highest: costs[runs - 1])
    }

    /// Measures asynchronous work that does `count` operations each time it is called.
    ///
    /// On the actor of its caller, as the work is.
    nonisolated(nonsending) func measure(
        _ name: String, operations count: Int = 1,
        _ work: nonisolated(nonsending) () async -> Void
    ) async {
        guard includes(name) else { return }
        let clock = ContinuousClock()
        await work()
        var costs: [Double] = []
        for _ in 0..<runs {
            var rounds = 0
            let start = clock.now
            while clock.now - start < target {
                await work()
                rounds += 1
            }
            costs.append((clock.now - start).seconds * 1e9 / Double(rounds * count))
        }
        costs.sort()
        report(name, nanoseconds: costs[runs / 2], lowest: costs[0], highest: costs[runs - 1])
    }

    func includes(_ name: String) -> Bool { filter.isEmpty || name.contains(filter) }

    /// Prints the median of costs in nanoseconds, and its ratio to that of others.
    func report(_ name: String, _ costs: [Double], besides others: [Double]? = nil) {
        let sorted = costs.sorted()
        let median = sorted[sorted.count / 2]
        report(name, nanoseconds: median, lowest: sorted[0], highest: sorted[sorted.count - 1])
        guard let others = others?.sorted() else { return }
        let percent = Int((median / others[others.count / 2] * 100).rounded())
        print("    \(percent) % of the row above")
    }

    private func report(_ name: String, nanoseconds: Double, lowest: Double, highest: Double) {
        func padded(_ value: Double) -> String {
            let text = value < 100 ? "\((value * 10).rounded() / 10)" : "\(Int(value.rounded()))"
            return String(repeating: " ", count: max(0, 11 - text.count)) + text
        }
        let rate = "\(Int((1e9 / nanoseconds).rounded()))"
        let gap = String(repeating: " ", count: max(1, 44 - name.count))
        print(
            "\(name)\(gap)\(padded(nanoseconds)) ns  [\(padded(lowest)) …\(padded(highest))]",
            terminator: "")
        print("  \(rate)/s")
    }

    private func repeats(_ work: () -> Void) -> Int {
        var repeats = 1
        while time(repeats, work) < 1e9 * target.seconds / 4, repeats < 1 << 30 { repeats *= 2 }
        return max(1, repeats * 4)
    }

    /// Nanoseconds that so many calls take.
    private func time(_ repeats: Int, _ work: () -> Void) -> Double {
        let clock = ContinuousClock()
        return clock.measure { for _ in 0..<repeats { work() } }.seconds * 1e9
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

/// Keeps the compiler from seeing that a value is not needed.
@inline(never)
func use<Value>(_ value: Value) { withExtendedLifetime(value) {} }

public import CoreMetrics
internal import Synchronization

/// Collects the metrics of a process, and writes them in Prometheus' text format.
public final class PrometheusMetrics: MetricsFactory {
    private let series = Mutex<[Series.Name: Series]>([:])

    /// Makes one without metrics.
    public init() {}

    /// All metrics, without stages that have not been: some are those of applications only.
    public var text: String {
        let all = series.withLock { $0 }.values.filter(\.isUsed).sorted { $0.name < $1.name }
        var lines: [String] = []
        var last = ""
        for series in all {
            if series.name.label != last {
                last = series.name.label
                lines.append("# TYPE \(last) \(series.kind.rawValue)")
            }
            lines += series.lines
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func find(
        _ label: String, _ dimensions: [(String, String)], _ kind: Series.Kind
    ) -> Series {
        let name = Series.Name(label, dimensions, kind)
        return series.withLock { series in
            if let known = series[name] { return known }
            let made = Series(name, kind)
            series[name] = made
            return made
        }
    }

    /// A counter of whole numbers.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        find(label, dimensions, .counter)
    }

    /// A counter of any numbers.
    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        find(label, dimensions, .counter)
    }

    /// A value that goes up and down.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        find(label, dimensions, .gauge)
    }

    /// The last value, or the distribution of all of them.
    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        find(label, dimensions, aggregate ? .summary : .gauge)
    }

    /// The distribution of durations, in seconds.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        find(label, dimensions, .histogram)
    }

    /// Nothing: what was counted stays.
    public func destroyCounter(_ handler: any CounterHandler) {}
    /// Nothing: what was counted stays.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    /// Nothing: what was measured stays.
    public func destroyMeter(_ handler: any MeterHandler) {}
    /// Nothing: what was recorded stays.
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Nothing: what was recorded stays.
    public func destroyTimer(_ handler: any TimerHandler) {}
}

/// The values of a metric with its dimensions.
private final class Series: CounterHandler, FloatingPointCounterHandler, MeterHandler,
    RecorderHandler, TimerHandler
{
    enum Kind: String { case counter, gauge, summary, histogram }

    struct Name: Hashable, Comparable {
        let label: String
        let dimensions: String

        init(_ label: String, _ dimensions: [(String, String)], _ kind: Kind) {
            func word(_ text: String) -> String {
                String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
            }
            let unit = kind == .histogram ? "_seconds" : kind == .counter ? "_total" : ""
            self.label = word(label) + unit
            self.dimensions = dimensions.map { name, value in
                "\(word(name))=\"\(value.filter { $0 != "\"" && $0 != "\\" && $0 != "\n" })\""
            }.joined(separator: ",")
        }

        static func < (one: Name, other: Name) -> Bool {
            (one.label, one.dimensions) < (other.label, other.dimensions)
        }
    }

    private struct Values {
        var value = 0.0
        var count = 0
        var sum = 0.0
        var buckets = [Int](repeating: 0, count: Series.bounds.count)
    }

    /// The upper bounds of durations in seconds.
    private static let bounds = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

    let name: Name
    let kind: Kind
    private let values = Mutex(Values())

    init(_ name: Name, _ kind: Kind) { (self.name, self.kind) = (name, kind) }

    /// Whether there is anything to tell: a counter at 0 is a fact, a distribution of nothing is none.
    var isUsed: Bool { kind != .histogram || values.withLock { $0.count > 0 } }

    var lines: [String] {
        let values = values.withLock { $0 }
        func line(_ suffix: String, _ extra: String, _ value: String) -> String {
            let all = [name.dimensions, extra].filter { !$0.isEmpty }.joined(separator: ",")
            return name.label + suffix + (all.isEmpty ? "" : "{\(all)}") + " \(value)"
        }
        switch kind {
        case .counter, .gauge: return [line("", "", "\(values.value)")]
        case .summary, .histogram:
            var lines: [String] = []
            if kind == .histogram {
                for (bound, count) in zip(Self.bounds, values.buckets) {
                    lines.append(line("_bucket", "le=\"\(bound)\"", "\(count)"))
                }
                lines.append(line("_bucket", "le=\"+Inf\"", "\(values.count)"))
            }
            return lines + [
                line("_sum", "", "\(values.sum)"), line("_count", "", "\(values.count)"),
            ]
        }
    }

    private func observe(_ value: Double) {
        values.withLock { values in
            values.value = value
            values.count += 1
            values.sum += value
            for place in Self.bounds.indices where value <= Self.bounds[place] {
                values.buckets[place] += 1
            }
        }
    }

    func increment(by amount: Int64) { increment(by: Double(amount)) }
    func increment(by amount: Double) { values.withLock { $0.value += amount } }
    func decrement(by amount: Double) { values.withLock { $0.value -= amount } }
    func reset() { values.withLock { $0 = Values() } }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { values.withLock { $0.value = value } }
    func record(_ value: Int64) { observe(Double(value)) }
    func record(_ value: Double) { observe(value) }
    func recordNanoseconds(_ duration: Int64) { observe(Double(duration) / 1_000_000_000) }
}

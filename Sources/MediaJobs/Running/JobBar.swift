package import CommandSupport
internal import LazyBytes
internal import LazyMedia

/// One progress bar for many inputs that are worked on side by side.
package final class JobBar: Sendable {
    /// So many steps stand for one input.
    private static let steps = 1000

    private let bar: ProgressBar
    /// The steps done of each input that is being worked on.
    private let open = Locked<[Int: Int]>([:])

    /// Makes a bar, or nil where nobody would see it.
    package init?(_ label: String, _ count: Int, _ report: ReportStyle) {
        let total = count * Self.steps
        guard
            let bar = ProgressBar(label, .shares, total: total, isQuiet: report.quiet)
        else { return nil }
        self.bar = bar
    }

    /// So much of an input is done, 0 to 1.
    package func set(_ share: Double, of index: Int) {
        let now = Int(max(0, min(1, share)) * Double(Self.steps))
        let step = open.withLock { open in
            let before = open[index] ?? 0
            open[index] = max(before, now)
            return max(0, now - before)
        }
        if step > 0 { bar.advance(by: step) }
    }

    /// An input is done, well or not.
    package func end(_ index: Int) {
        let before = open.withLock { $0.removeValue(forKey: index) } ?? 0
        bar.advance(by: Self.steps - before)
    }

    /// So many inputs cost no time: they were made before.
    package func skip(_ count: Int = 1) { bar.give(count * Self.steps) }

    /// Takes the line away, for another line; it comes again.
    package func clear() { bar.clear() }

    /// Takes the line away for good.
    package func finish() { bar.finish() }
}

internal import LazyBase
internal import LazyBatch
internal import LazyMedia

/// One progress bar for several inputs at once.
final class JobBar: Sendable {
    /// The number of steps per input.
    private static let steps = 1000

    private let bar: ProgressBar
    /// The completed steps of each input in progress.
    private let open = Locked<[Int: Int]>([:])

    /// Makes a bar, or nil without a terminal.
    init?(_ label: String, _ count: Int, _ report: ReportStyle) {
        let total = count * Self.steps
        guard
            let bar = ProgressBar(label, .shares, total: total, isQuiet: report.quiet)
        else { return nil }
        self.bar = bar
        // What takes long before its first step is seen to work.
        Task {
            try? await Task.sleep(for: .milliseconds(400))
            bar.begin()
        }
    }

    /// Sets the completed fraction of an input, 0 to 1.
    func set(_ share: Double, of index: Int) {
        let now = Int(max(0, min(1, share)) * Double(Self.steps))
        let step = open.withLock { open in
            let before = open[index] ?? 0
            open[index] = max(before, now)
            return max(0, now - before)
        }
        if step > 0 { bar.advance(by: step) }
    }

    /// Ends an input, with or without success.
    func end(_ index: Int) {
        let before = open.withLock { $0.removeValue(forKey: index) } ?? 0
        bar.advance(by: Self.steps - before)
    }

    /// Ends an input of a batch.
    func end(_ index: Int, _ outcome: BatchOutcome<JobReport>) {
        switch outcome {
        case .made, .failed: end(index)
        // It took no time.
        case .skipped, .nothing: bar.give(Self.steps)
        }
    }

    /// Draws the bar before the first input has advanced.
    func begin() { bar.begin() }

    /// Clears the line for other output; it is drawn again later.
    func clear() { bar.clear() }

    /// Clears the line at the end.
    func finish() { bar.finish() }
}

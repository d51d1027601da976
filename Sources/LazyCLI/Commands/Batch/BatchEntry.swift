internal import LazyBatch

/// An item, and the input it is of.
struct BatchEntry: Sendable {
    let input: Input
    let item: BatchItem<JobReport>
}

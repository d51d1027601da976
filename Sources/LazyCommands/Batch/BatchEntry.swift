internal import CommandSupport
internal import LazyBatch
internal import MediaJobs

/// An item, and the input it is of.
struct BatchEntry: Sendable {
    let input: Input
    let item: BatchItem<JobReport>
}

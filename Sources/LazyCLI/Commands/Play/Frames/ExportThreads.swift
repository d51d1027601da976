internal import LazyBase

/// The threads of all exports of the process, for any number of inputs.
enum ExportThreads {
    static let pool = BlockingPool(width: max(2, BlockingPool.coreCount))
}

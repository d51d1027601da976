package import LazyBase

/// The threads of all exports of the process, for any number of inputs.
package enum ExportThreads {
    package static let pool = BlockingPool(width: max(2, BlockingPool.coreCount))
}

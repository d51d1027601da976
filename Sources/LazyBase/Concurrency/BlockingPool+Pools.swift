/// The pools of a process: work that waits for different things shares no threads, so that none waits for the other.
extension BlockingPool {
    /// The pool for decoding and encoding: one thread for each core, at least two.
    public static let shared = BlockingPool(width: coreWidth)

    /// The pool for reading and writing files, which waits for disks rather than cores.
    public static let disk = BlockingPool(width: 4)

    /// Decoding of remote bytes, which waits for servers.
    package static let remote = BlockingPool(width: 16)

    /// Reading of pipes, which may wait forever for a writer.
    package static let pipes = BlockingPool(width: 4)

    /// Reading of keys: one thread, as a process has one terminal.
    package static let keys = BlockingPool(width: 1)

    /// The workers of exports for any number of inputs, which encode while `shared` decodes.
    package static let exports = BlockingPool(width: coreWidth)

    /// What runs a command of the tool, even while all decoders are busy.
    package static let command = BlockingPool(width: coreWidth)

    /// A pool of one run of several jobs, which wait for disks and servers as well as for cores.
    package static func jobs(_ count: Int, spare: Int = 0) -> BlockingPool {
        BlockingPool(width: max(1, min(count, 4 * coreWidth)) + spare)
    }

    private static let coreWidth = max(2, coreCount)
}

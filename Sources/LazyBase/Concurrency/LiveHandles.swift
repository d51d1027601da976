import Synchronization

/// Counts the open C handles, so that tests can detect leaks.
package enum LiveHandles {
    private static let open = Atomic<Int>(0)

    /// The number of open handles of all C libraries.
    package static var count: Int { open.load(ordering: .relaxed) }

    /// Records that an owner has opened a handle.
    package static func didOpen() { open.add(1, ordering: .relaxed) }

    /// Records that an owner has freed its handle.
    package static func didClose() { open.subtract(1, ordering: .relaxed) }
}

/// The number of open C handles, for tests and fuzzers outside of this package.
@_spi(Testing) public var openHandleCount: Int { LiveHandles.count }

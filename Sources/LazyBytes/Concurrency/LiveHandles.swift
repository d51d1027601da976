import Synchronization

/// Counts the C handles that are open, so that tests can tell a leak.
public enum LiveHandles {
    private static let open = Atomic<Int>(0)

    /// The number of handles of all C libraries that have an owner now.
    public static var count: Int { open.load(ordering: .relaxed) }

    /// An owner has taken a handle.
    public static func didOpen() { open.add(1, ordering: .relaxed) }

    /// An owner has freed its handle.
    public static func didClose() { open.subtract(1, ordering: .relaxed) }
}

import Glibc
internal import LazyBase

/// The lock of a folder, held by one of several processes that begin to write there.
final class FolderClaim: Sendable {
    private let descriptor: CInt

    /// Waits for the lock; nil if the folder cannot be locked.
    init?(_ path: String) {
        let descriptor = open(path.systemPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR, !Interruption.flag.isCancelled else {
                close(descriptor)
                return nil
            }
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}

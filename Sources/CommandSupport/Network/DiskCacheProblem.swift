import Glibc
package import LazyBytes
internal import LazyCache
internal import LazyFiles
internal import LazyKit

/// Why nothing is kept on disk.
package enum DiskCacheProblem: CustomStringConvertible {
    /// This user has no folder for caches.
    case noFolder
    /// The folder of the store cannot be used.
    case refused(folder: String, SystemError)

    /// What stands against a store below a folder of caches, or nil.
    package init?(folder: String?) {
        guard let folder else {
            self = .noFolder
            return
        }
        do throws(SystemError) {
            _ = try DiskStore(folder: folder + "/http")
            return nil
        } catch {
            self = .refused(folder: folder + "/http", error)
        }
    }

    package var description: String {
        switch self {
        case .noFolder: "There is no folder for caches: neither a home nor XDG_RUNTIME_DIR"
        case .refused(let folder, let error) where error.code == EPERM:
            "\(folder) belongs to another user"
        case .refused(let folder, let error): "\(folder) cannot be used: \(error)"
        }
    }

    private static let isTold = Locked(false)

    /// Says it on a terminal, once a run; logs are spared.
    package func tellOnce() {
        guard OutputStream.standardError.isTerminal,
            !Self.isTold.withLock({ isTold in
                defer { isTold = true }
                return isTold
            })
        else { return }
        let line = "lazyimg: nothing is kept on disk: \(description)\n"
        try? OutputStream.standardError.write(line)
    }
}

import Glibc
internal import LazyBase
internal import LazyKit
internal import LazyLoading

/// Why nothing is cached on disk.
enum DiskCacheProblem: CustomStringConvertible {
    /// This user has no folder for caches.
    case noFolder
    /// The folder cannot be used.
    case refused(folder: String, SystemError)

    /// The problem of a folder of caches, or nil.
    init?(folder: String?) {
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

    var description: String {
        switch self {
        case .noFolder: "There is no folder for caches: neither a home nor XDG_RUNTIME_DIR"
        case .refused(let folder, let error) where error.code == EPERM:
            "\(folder) belongs to another user"
        case .refused(let folder, let error): "\(folder) cannot be used: \(error)"
        }
    }

    private static let isTold = Locked(false)

    /// Prints it once per run, only on a terminal.
    func tellOnce() {
        guard OutputStream.standardError.isTerminal,
            !Self.isTold.withLock({ isTold in
                defer { isTold = true }
                return isTold
            })
        else { return }
        Console.say("lazyimg: nothing is cached on disk: \(description)")
    }
}

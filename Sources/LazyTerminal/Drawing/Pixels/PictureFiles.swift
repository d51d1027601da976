internal import FoundationEssentials
import Glibc
internal import LazyBase

/// Pictures handed to a terminal in shared memory or in files, which it removes when it has read them.
///
/// A few names are used in turn. A name that still exists is a picture that the terminal has not read:
/// that bounds the memory, and says when the terminal is behind. One that exists for a second is lost, and
/// no reason to wait. What is left is removed at the end, also by a fatal signal.
final class PictureFiles {
    private static let count = 3
    private let medium: TerminalGraphics.Transfer
    private static let patience = Duration.seconds(1)
    private var next = 0
    /// When the picture of each name was handed over.
    private var times = [Duration?](repeating: nil, count: count)
    private var lostCount = 0
    private let now: () -> Duration

    /// Makes them; nil where pictures are sent directly.
    init?(_ medium: TerminalGraphics.Transfer, now: @escaping () -> Duration = PictureFiles.time) {
        guard medium != .direct else { return nil }
        self.medium = medium
        self.now = now
        // A process of the same number may have been killed.
        removeAll()
    }

    deinit { removeAll() }

    private func removeAll() { for slot in 0..<Self.count { unlink(path(slot)) } }

    /// Whether the terminal has not yet read the pictures before.
    var isBehind: Bool {
        guard let time = times[next], access(path(next), F_OK) == 0 else { return false }
        return now() - time < Self.patience
    }

    /// Writes a picture and returns what the terminal is told: its name in base64.
    ///
    /// Waits for the terminal if it is behind, for a second at most. Nil if it has not read the picture of
    /// this name, or too often not, and where there is no memory.
    func hand(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard lostCount < Self.count else { return nil }
        while isBehind { poll(nil, 0, 1) }
        let path = path(next)
        times[next] = nil
        if unlink(path) == 0 {
            lostCount += 1
            return nil
        }
        SystemCalls.guardFile(CInt(next), path)
        guard Self.write(bytes, to: path) else { return nil }
        times[next] = now()
        defer { next = (next + 1) % Self.count }
        return Data((medium == .memory ? name(next) : path).utf8).base64EncodedString()
    }

    /// A time that only goes forward.
    static func time() -> Duration { start.duration(to: .now) }
    private static let start = ContinuousClock.now

    private func path(_ slot: Int) -> String { Self.folder(medium) + name(slot) }

    private func name(_ slot: Int) -> String { Self.name(String(slot)) }

    /// The name of a file; terminals only remove files whose path says that they are theirs.
    static func name(_ end: String) -> String {
        "/lazyimg-tty-graphics-protocol-\(getpid())-\(end)"
    }

    /// The folder of shared memory objects, or of temporary files.
    static func folder(_ medium: TerminalGraphics.Transfer) -> String {
        medium == .memory ? "/dev/shm" : "/tmp"
    }

    /// Creates a file for the terminal of this user alone.
    static func write(_ bytes: UnsafeRawBufferPointer, to path: String) -> Bool {
        unlink(path)
        let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard number >= 0 else { return false }
        defer { close(number) }
        let isWritten = (try? OutputStream(number: number).write(bytes)) != nil
        if !isWritten { unlink(path) }
        return isWritten
    }
}

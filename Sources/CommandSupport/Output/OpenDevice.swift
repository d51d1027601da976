import Glibc
internal import LazyBytes
internal import LazyFiles
internal import LazyMedia

/// A device or pipe that is there already and is open for writing, such as `/dev/null`.
package final class OpenDevice: Sendable {
    package let path: String
    private let descriptor: OutputStream

    /// Opens it.
    package init(_ path: String) throws(CommandFailure) {
        self.path = path
        descriptor = OutputStream(number: open(path.systemPath, O_WRONLY | O_CLOEXEC))
        guard descriptor.number >= 0 else { throw CommandFailure(writing: path, .last) }
    }

    deinit { if descriptor.number >= 0 { close(descriptor.number) } }

    /// Writes all bytes.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(CommandFailure) {
        do throws(SystemError) {
            try descriptor.write(bytes)
        } catch {
            throw CommandFailure(writing: path, error)
        }
    }
}
